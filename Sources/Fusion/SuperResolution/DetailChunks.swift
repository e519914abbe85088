internal import Glibc
internal import Kernels
internal import RawImage

/// A piece of 256×256 pixels of the photo (or of what it is made smaller from) after another, and the memory to make
/// them in: guide, two regressions against it, and two passes that take the noise out.
@safe
struct DetailChunks: ~Copyable {
    /// Pixels to the side in which noise is taken out.
    private static let fineSide = 256

    private let tiles: DetailTiles
    private let guide: DetailGuide
    private let scale: DetailScale
    private let memory: UnsafeMutablePointer<Float>
    private let blocks: UnsafeMutablePointer<SIMD8<Float>>
    private let room: DetailTiles.Room
    /// The place of the present chunk in the picture.
    private var x = 0
    private var y = 0

    /// Mosaic pixels to the side of a chunk.
    static func side(_ scale: DetailScale) -> Int { fineSide / scale.fineness }

    private typealias Planes = DetailTiles.Planes
    private static let planes = unsafe 3 * DetailTiles.Planes.size + 64
    /// Quads in a row of the counts.
    private static let quads = 136

    init(tiles: DetailTiles, guide: DetailGuide, scale: DetailScale) {
        self.tiles = tiles
        self.guide = guide
        self.scale = scale
        let count =
            unsafe 3 * Self.planes + DetailTiles.Planes.size + 3 * Self.quads * Self.quads + 96 + 4
            * DetailTiles.Planes.stride
        unsafe memory = .allocate(capacity: count)
        unsafe memory.initialize(repeating: 0, count: count)
        unsafe blocks = .allocate(capacity: 64)
        unsafe room = unsafe DetailTiles.Room()
    }

    deinit {
        unsafe memory.deallocate()
        unsafe blocks.deallocate()
        unsafe room.deallocate()
    }

    private var weights: UnsafeMutablePointer<Float> { unsafe memory + 3 * Self.planes }
    private var shares: UnsafeMutablePointer<Float> { unsafe weights + Planes.size }
    /// For each quad of the second regression how far it differs from the reference, and how far it is believed.
    private var errors: UnsafeMutablePointer<Float> { unsafe shares + Self.quads * Self.quads }
    private var trust: UnsafeMutablePointer<Float> { unsafe errors + Self.quads * Self.quads }
    private var blockShares: UnsafeMutablePointer<Float> { unsafe trust + Self.quads * Self.quads }
    private var lines: UnsafeMutablePointer<Float> { unsafe blockShares + 96 }
    private var side: Int { Self.side(scale) }

    /// Planes of the first, second or third piece of memory, beginning so far before the chunk.
    private func planes(_ index: Int, margin: Int) -> Planes {
        unsafe Planes(start: memory + index * Self.planes, x: x - margin, y: y - margin)
    }

    /// Writes a chunk to the photo, as far as it lies inside.
    mutating func make(
        column: Int, row: Int, into pixels: UnsafeMutablePointer<UInt16>, _ output: LinearFormat
    ) {
        (x, y) = (column * side, row * side)
        unsafe finish(scale == .one ? regress() : enlarge())
        for row in 0..<min(scale.pixels(side), output.height - scale.pixels(y)) {
            unsafe store(row, pixels, output)
        }
    }

    /// The guide and two regressions against it, from eight pixels before the chunk.
    private func regress() -> Planes {
        let reach = scale.fineness - 1
        let demosaiced = unsafe planes(0, margin: 28 + 16 * reach)
        for color in 0..<3 {
            for row in unsafe demosaiced.y..<y + side + 28 + 16 * reach {
                let start = unsafe demosaiced.at(demosaiced.x, row, color: color)
                unsafe guide.load(color: color, x: demosaiced.x, y: row, count: Planes.stride, start)
            }
        }
        let first = unsafe planes(1, margin: 24 + 16 * reach)
        forEachTile(around: 1 + reach) { column, row in
            unsafe tiles.merge(column: column, row: row, guide: demosaiced, restraint: 0, into: first, room)
        }
        let second = unsafe planes(0, margin: 8 + 16 * reach)
        forEachTile(around: reach) { column, row in
            unsafe tiles.merge(column: column, row: row, guide: first, restraint: restraint, into: second, room)
            if reach == 0 { keepShares(column, row) }
        }
        unsafe takeBack(second, reach: reach)
        return unsafe second
    }

    /// Takes a regression back to the guide where the reference's own samples contradict it: frames that show something
    /// alike elsewhere, or in another light, may agree with the guide by chance.
    private func takeBack(_ result: Planes, reach: Int) {
        let width = side + 16 + 32 * reach
        let held = unsafe Planes(start: memory + Self.planes, x: result.x - 8, y: result.y - 8)
        for color in 0..<3 {
            for row in unsafe held.y..<held.y + width + 16 {
                let start = unsafe held.at(held.x, row, color: color)
                unsafe guide.load(color: color, x: held.x, y: row, count: width + 16, start)
            }
        }
        forEachTile(around: reach) { column, row in
            let place = quad(column, row, reach: reach)
            unsafe tiles.contradict(
                column: column, row: row, guide: held, result: result, errors + place, Self.quads, room)
        }
        let quads = width / 2
        unsafe detailTrust(errors, Self.quads, quads, DetailTiles.tolerance, trust)
        for color in 0..<3 {
            unsafe detailTakeBack(
                held.at(result.x, result.y, color: color), trust, Self.quads, quads,
                result.at(result.x, result.y, color: color), Planes.stride)
        }
        guard reach == 0 else { return }
        for place in 0..<Self.quads * Self.quads { unsafe shares[place] += (1 - trust[place]) * (1 - shares[place]) }
    }

    /// The place of a tile's first quad among those of the second regression.
    private func quad(_ column: Int, _ row: Int, reach: Int) -> Int {
        8 * (row - y / DetailTiles.side + reach) * Self.quads + 8 * (column - x / DetailTiles.side + reach)
    }

    /// A third regression, against the second, at twice the size.
    private func enlarge() -> Planes {
        let second = unsafe regress()
        let fine = unsafe Planes(start: memory + Self.planes, x: 2 * x - 16, y: 2 * y - 16)
        forEachTile(around: 0) { column, row in
            let trust = unsafe trust + quad(column, row, reach: 1)
            unsafe tiles.enlarge(
                column: column, row: row, guide: second, restraint: restraint, trust: trust, Self.quads, into: fine,
                room)
            keepShares(column, row)
        }
        return unsafe fine
    }

    /// The second look is taken where signal is much above noise.
    private var restraint: Float {
        1 / (Float(tiles.frames.count) * DetailTiles.restraint * DetailTiles.restraint)
    }

    /// Takes the noise out, into the last piece of memory.
    private func finish(_ noisy: Planes) {
        let margin = 8 * scale.fineness
        let count = unsafe (Self.fineSide + 2 * margin) * Planes.stride
        unsafe lumaOfLight(
            noisy.start, noisy.start + Planes.size, noisy.start + 2 * Planes.size, count)
        let pilot = unsafe noisy.start == memory ? memory + Self.planes : memory
        unsafe shrink(noisy.start, nil, from: margin - 8, blocks: Self.fineSide / 4 + 3, into: pilot)
        for color in 0..<3 { unsafe divideByWeights(pilot + color * Planes.size, weights, count) }
        let clean = unsafe memory + 2 * Self.planes
        unsafe shrink(noisy.start, pilot, from: margin - 4, blocks: Self.fineSide / 4 + 1, into: clean)
        // Four pixels more on each side, which a picture of another size looks at.
        for row in margin - 4..<margin + Self.fineSide + 4 {
            let start = unsafe clean + (row * Planes.stride + margin - 4)
            unsafe lightOfLuma(
                start, start + Planes.size, start + 2 * Planes.size, weights + (start - clean), Self.fineSide + 8)
        }
    }

    /// Writes a row of the photo.
    private func store(_ row: Int, _ pixels: UnsafeMutablePointer<UInt16>, _ output: LinearFormat) {
        let width = min(scale.pixels(side), output.width - scale.pixels(x))
        let margin = 8 * scale.fineness
        let sourceRow = min(row * side / scale.pixels(side) + y, guide.height - 1)
        for color in 0..<3 {
            let line = unsafe lines + color * Planes.stride
            let from = unsafe memory + 2 * Self.planes + color * Planes.size
            if scale == .oneAndHalf {
                let phase = row % 3
                let start = margin + 4 * (row / 3) + Int(ThreeQuarters.starts[phase])
                unsafe detailSixRows(
                    from + start * Planes.stride, Planes.stride, Array(ThreeQuarters.taps[6 * phase..<6 * phase + 6]),
                    Planes.stride, lines + 3 * Planes.stride)
                unsafe detailThreeQuarters(
                    lines + 3 * Planes.stride + margin, ThreeQuarters.taps, ThreeQuarters.starts, width, line)
            } else {
                unsafe line.update(from: from + ((margin + row) * Planes.stride + margin), count: width)
            }
            unsafe addExcess(color, y: sourceRow, count: width, to: line)
        }
        let full = guide.sensitivity * 65_535
        let place = (scale.pixels(y) + row) * output.stride + scale.pixels(x) * LinearFormat.channels
        unsafe storeDetail(
            lines, lines + Planes.stride, lines + 2 * Planes.stride, width, full.x, full.y, full.z, pixels + place)
    }

    /// Adds to a row of the photo what the guide's row shows above 1.
    private func addExcess(_ color: Int, y row: Int, count: Int, to line: UnsafeMutablePointer<Float>) {
        if scale == .one { return unsafe guide.addExcess(color: color, x: x, y: row, count: count, line) }
        let known = min(side, guide.width - x)
        let excess = unsafe lines + 3 * Planes.stride
        unsafe excess.update(repeating: 0, count: known)
        unsafe guide.addExcess(color: color, x: x, y: row, count: known, excess)
        for column in 0..<count {
            unsafe line[column] += excess[min(column * side / scale.pixels(side), known - 1)]
        }
    }

    /// Calls `body` with the tiles that reach into the chunk, and so many more on each side.
    private func forEachTile(around margin: Int, _ body: (_ column: Int, _ row: Int) -> Void) {
        let (left, top) = (x / DetailTiles.side, y / DetailTiles.side)
        let perSide = side / DetailTiles.side
        for row in top - margin...top + perSide + margin {
            for column in left - margin...left + perSide + margin { body(column, row) }
        }
    }

    /// Notes the variance of a tile's quads against that of one frame.
    private func keepShares(_ column: Int, _ row: Int) {
        let (column, row) = (column - x / DetailTiles.side, row - y / DetailTiles.side)
        for line in 0..<8 {
            for quad in 0..<8 {
                unsafe shares[(8 * row + line) * Self.quads + 8 * column + quad] =
                    unsafe 1 / room.counts[8 * line + quad]
            }
        }
    }

    /// Takes the noise out of luma and differences, in rows of blocks from a place on.
    private func shrink(
        _ source: UnsafeMutablePointer<Float>, _ pilot: UnsafeMutablePointer<Float>?, from start: Int,
        blocks count: Int, into target: UnsafeMutablePointer<Float>
    ) {
        unsafe target.update(repeating: 0, count: Self.planes)
        unsafe weights.update(repeating: 0, count: Planes.size)
        for row in 0..<count {
            let place = unsafe (start + 4 * row) * Planes.stride + start
            for block in 0..<count { unsafe blockShares[block] = share(start + 4 * block, start + 4 * row) }
            unsafe shrinkBlocks(
                source + place, pilot.map { unsafe UnsafePointer($0 + place) }, Planes.size, Planes.stride, count,
                blockShares, tiles.noise.picture, tiles.noise.shapes, Self.threshold, Self.window, target + place,
                weights + place, blocks)
        }
    }

    /// The mean of the quads in the middle of a block.
    private func share(_ x: Int, _ y: Int) -> Float {
        let size = 2 * scale.fineness
        let (left, right) = ((x + 3) / size, (x + 4) / size)
        let (upper, lower) = unsafe (shares + (y + 3) / size * Self.quads, shares + (y + 4) / size * Self.quads)
        return unsafe (upper[left] + upper[right] + lower[left] + lower[right]) / 4
    }

    /// Deviations of noise that nothing of a block may be told from.
    private static let threshold: Float = 2.7
    /// Blocks count most in their middle.
    private static let window: [Float] = (0..<8).map { index in
        let sine = sinf(.pi * (Float(index) + 0.5) / 8)
        return 0.15 + 0.85 * sine * sine
    }
}

/// The filter that makes a picture three quarters as large: a cubic one that is four thirds as wide.
enum ThreeQuarters {
    /// Where the taps of three pixels begin, which lie in four.
    static let starts: [Int32] = (0..<3).map { Int32(middle($0).rounded(.down)) - 2 }

    /// Six taps for each of three pixels.
    static let taps: [Float] = (0..<3).flatMap { phase in
        let weights = (0..<6).map { cubic(abs(Float(starts[phase]) + Float($0) - middle(phase)) * 0.75) }
        return weights.map { $0 / weights.reduce(0, +) }
    }

    private static func middle(_ phase: Int) -> Float { (Float(phase) + 0.5) * 4 / 3 - 0.5 }

    private static func cubic(_ t: Float) -> Float {
        if t < 1 { return (1.5 * t - 2.5) * t * t + 1 }
        return t < 2 ? ((2.5 - 0.5 * t) * t - 4) * t + 2 : 0
    }
}
