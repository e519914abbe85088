internal import Glibc
internal import Kernels
internal import RawImage

/// The weighted sums of a burst's tiles as frequencies, and the picture that they give.
///
/// Each frequency of each tile is averaged on its own: what a frame shows otherwise than the reference, be it motion or
/// detail that the sensor's grid folds, is left out, and the rest of the tile still loses its noise.
struct FrequencySums: Sendable {
    let grid: TileGrid
    let format: MosaicFormat
    let cores: Int?
    /// 80 rows of sixteen lanes a tile; nothing is in them before the first frame.
    private var sums: [SIMD16<Float>]
    private var isFirst = true

    /// How many standard deviations a frequency may differ and keep half its weight.
    private static let tolerance: Float = 4
    private static let rowsOfTile = 80

    init(_ format: MosaicFormat, cores: Int?) {
        self.format = format
        self.cores = cores
        grid = TileGrid(width: (format.width + 1) / 2, height: (format.height + 1) / 2)
        let size = grid.count * Self.rowsOfTile
        // The first frame writes them all, on all cores.
        sums = unsafe [SIMD16<Float>](unsafeUninitializedCapacity: size) { _, count in count = size }
    }

    /// A frame to be merged, and what is known of it.
    @unsafe struct Frame {
        var reference: TileSource
        var source: TileSource
        var referenceNoise: CodeNoise
        var noise: CodeNoise
        var field: MotionField
    }

    /// Adds a frame's tiles where they agree with the reference's. Gives how much of it was taken, 0…1.
    mutating func add(_ frame: borrowing Frame, latch: CancelLatch) -> Double {
        let (grid, isFirst) = (grid, isFirst)
        self.isFirst = false
        var shares = [Float](repeating: 0, count: grid.rows)
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            unsafe shares.withUnsafeMutableBufferPointer { shares in
                // Bands write to rows of tiles of their own.
                nonisolated(unsafe) let (sums, shares) = (sums.baseAddress, shares.baseAddress)
                guard let sums = unsafe sums, let shares = unsafe shares else { return }
                concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                    if latch.isCancelled { return }
                    let room = unsafe TileRoom()
                    defer { unsafe room.deallocate() }
                    for row in band {
                        for column in 0..<grid.columns {
                            let tile = unsafe sums + (row * grid.columns + column) * Self.rowsOfTile
                            unsafe shares[row] += Self.merge(frame, column, row, room)
                            unsafe addTile(room.tile, room.weights, room.reference, isFirst, tile)
                        }
                    }
                }
            }
        }
        return Double(shares.reduce(0, +)) / Double(grid.count)
    }

    /// Makes the frequencies of a tile of both frames, and their weights. Gives the mean weight.
    private static func merge(_ frame: borrowing Frame, _ column: Int, _ row: Int, _ room: TileRoom) -> Float {
        let (x, y) = (2 * TileGrid.start(column), 2 * TileGrid.start(row))
        let motion = unsafe frame.field.tile(column: column, row: row)
        let (right, down) = (motion.right.rounded(), motion.down.rounded())
        unsafe frame.reference.load(x: x, y: y, room.reference, room.block)
        unsafe transformTile(room.reference, room.scratch)
        if unsafe frame.source.load(x: x + 2 * Int(right), y: y + 2 * Int(down), room.tile, room.block) {
            unsafe room.weights.update(repeating: .zero, count: 16)
            return 0
        }
        unsafe transformTile(room.tile, room.scratch)
        unsafe room.setRamps(right: motion.right - right, down: motion.down - down)
        unsafe shiftTile(room.tile, room.ramps)
        // Frequency 0 is the sum of 256 signals.
        let mean =
            unsafe SIMD4(
                room.reference[0][0], room.reference[16][0], room.reference[32][0], room.reference[48][0]) / 256
        let (ours, theirs) = unsafe (
            frame.referenceNoise.variance(at: mean).sum(), frame.noise.variance(at: mean).sum()
        )
        return unsafe weighTile(
            room.reference, room.tile, 256 * (ours + theirs), tolerance, ours / theirs, room.weights, room.scratch)
    }

    /// The mean of what was added, as codes of a mosaic without gaps: signals times `scale` above `black`. Gives the
    /// share of the noise that is left in the mean, too; 1 and the array as it is when nothing was added.
    func finish(scale: Float, black: [Float], into codes: inout [UInt16], latch: CancelLatch) -> Double {
        guard !isFirst else { return 1 }
        var rests = [Float](repeating: 0, count: grid.rows)
        unsafe sums.withUnsafeBufferPointer { sums in
            unsafe codes.withUnsafeMutableBufferPointer { codes in
                unsafe rests.withUnsafeMutableBufferPointer { rests in
                    // Bands write to rows of their own.
                    nonisolated(unsafe) let (sums, codes, rests) = (
                        sums.baseAddress, codes.baseAddress, rests.baseAddress
                    )
                    guard let sums = unsafe sums, let codes = unsafe codes, let rests = unsafe rests else { return }
                    concurrentBands(rows: grid.rows - 1, of: 8, cores: cores) { band in
                        if latch.isCancelled { return }
                        unsafe finish(band, sums, scale, black, codes, rests)
                    }
                }
            }
        }
        return Double(rests.reduce(0, +)) / Double(grid.count * 256)
    }

    /// The mosaic's rows that lie between the middles of rows of tiles; the row of tiles after a band reaches into it.
    private func finish(
        _ band: Range<Int>, _ sums: UnsafePointer<SIMD16<Float>>, _ scale: Float, _ black: [Float],
        _ codes: UnsafeMutablePointer<UInt16>, _ rests: UnsafeMutablePointer<Float>
    ) {
        let side = TileGrid.tile
        let stride = (grid.columns + 1) * side
        let room = unsafe TileRoom()
        defer { unsafe room.deallocate() }
        var signals = [Float](repeating: 0, count: stride * band.count * side)
        unsafe signals.withUnsafeMutableBufferPointer { signals in
            guard let signals = signals.baseAddress else { return }
            for row in band.lowerBound...band.upperBound {
                let isFirstRow = row == band.lowerBound
                let isLastRow = row == band.upperBound
                let start = unsafe signals + (isFirstRow ? 0 : (row - band.lowerBound) * side - side) * stride
                var rest: Float = 0
                for column in 0..<grid.columns {
                    unsafe rest += averageTile(
                        sums + (row * grid.columns + column) * Self.rowsOfTile, room.tile)
                    unsafe invertTile(room.tile, room.scratch)
                    unsafe overlayTile(
                        room.tile, isFirstRow ? 8 : 0, isFirstRow || isLastRow ? 8 : 16, room.window,
                        start + column * side, stride)
                }
                // The next band counts its first row of tiles itself.
                if !isLastRow || row == grid.rows - 1 { unsafe rests[row] = rest }
            }
            for line in 0..<min(band.count * side, format.height - band.lowerBound * side) {
                let row = band.lowerBound * side + line
                let place = 2 * (row & 1)
                unsafe roundRow(
                    signals + line * stride + side, scale, black[place], black[place + 1], codes + row * format.width,
                    format.width)
            }
        }
    }
}

/// The memory that work on one tile after another needs.
@unsafe struct TileRoom {
    private let memory: UnsafeMutablePointer<SIMD16<Float>>
    /// A row: a raised cosine; those of tiles side by side add up to 1.
    let window: UnsafePointer<Float>

    init() {
        unsafe memory = UnsafeMutablePointer.allocate(capacity: 64 + 64 + 64 + 16 + 4 + 1 + 32)
        unsafe memory.initialize(repeating: .zero, count: 64 + 64 + 64 + 16 + 4 + 1 + 32)
        var cosines = SIMD16<Float>.zero
        for lane in 0..<16 { cosines[lane] = 0.5 - 0.5 * cosf((Float(lane) + 0.5) * .pi / 8) }
        unsafe memory[212] = cosines
        unsafe window = UnsafePointer(UnsafeRawPointer(memory + 212).assumingMemoryBound(to: Float.self))
    }

    func deallocate() { unsafe memory.deallocate() }

    var reference: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory }
    var tile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 64 }
    var scratch: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 128 }
    var weights: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 192 }
    var ramps: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 208 }
    /// Codes of a tile at the edge.
    var block: UnsafeMutablePointer<UInt16> {
        unsafe UnsafeMutableRawPointer(memory + 213).assumingMemoryBound(to: UInt16.self)
    }

    /// The turn of each frequency that shifts a tile's content by a fraction of a pixel.
    func setRamps(right: Float, down: Float) {
        for (pair, shift) in [right, down].enumerated() {
            let (stepCosine, stepSine) = (cosf(shift * .pi / 8), sinf(shift * .pi / 8))
            var (cosine, sine) = (Float(1), Float(0))
            var (cosines, sines) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
            cosines[0] = 1
            for lane in 1..<8 {
                (cosine, sine) = (
                    cosine * stepCosine - sine * stepSine, cosine * stepSine + sine * stepCosine
                )
                (cosines[lane], cosines[16 - lane]) = (cosine, cosine)
                (sines[lane], sines[16 - lane]) = (sine, -sine)
            }
            // The highest frequency has no direction.
            cosines[8] = cosf(shift * .pi)
            unsafe ramps[2 * pair] = cosines
            unsafe ramps[2 * pair + 1] = sines
        }
    }
}
