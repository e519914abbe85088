internal import Glibc
internal import KernelTypes
internal import Kernels
internal import RawImage

/// Computes the photo in patches of 256×256 pixels at the working resolution (1 or 2 times the mosaic's), one after
/// another in the same scratch memory: the guide, two regressions against it, and two denoising passes.
@safe
struct SuperResolutionPatches: ~Copyable {
    /// The width and height of a patch in pixels of the working resolution.
    private static let fineSide = 256

    private let tiles: SuperResolutionTiles
    private let guide: SuperResolutionGuide
    private let scale: SuperResolutionScale
    private let memory: UnsafeMutablePointer<Float>
    private let blocks: UnsafeMutablePointer<SIMD8<Float>>
    private let scratch: SuperResolutionTiles.Scratch
    /// The first mosaic column of the current patch; `y` is its first row.
    private var x = 0
    private var y = 0

    /// Returns the width and height of a patch in mosaic pixels.
    static func side(_ scale: SuperResolutionScale) -> Int { fineSide / scale.fineness }

    private typealias Planes = SuperResolutionTiles.Planes
    private static let planes = unsafe 3 * SuperResolutionTiles.Planes.size + 64
    /// The number of quads in a row of the quad maps.
    private static let quads = 136

    init(tiles: SuperResolutionTiles, guide: SuperResolutionGuide, scale: SuperResolutionScale) {
        self.tiles = tiles
        self.guide = guide
        self.scale = scale
        let count =
            unsafe 3 * Self.planes + SuperResolutionTiles.Planes.size + 3 * Self.quads * Self.quads + 96 + 4
            * SuperResolutionTiles.Planes.stride
        unsafe memory = .allocate(capacity: count)
        unsafe memory.initialize(repeating: 0, count: count)
        unsafe blocks = .allocate(capacity: DenoisingBlock.scratchRows)
        unsafe scratch = unsafe SuperResolutionTiles.Scratch()
    }

    deinit {
        unsafe memory.deallocate()
        unsafe blocks.deallocate()
        unsafe scratch.deallocate()
    }

    private var weights: UnsafeMutablePointer<Float> { unsafe memory + 3 * Self.planes }
    private var variances: UnsafeMutablePointer<Float> { unsafe weights + Planes.size }
    /// For each quad of the second regression its squared difference from the reference's samples; `trust` is the
    /// weight that follows.
    private var errors: UnsafeMutablePointer<Float> { unsafe variances + Self.quads * Self.quads }
    private var trust: UnsafeMutablePointer<Float> { unsafe errors + Self.quads * Self.quads }
    private var blockVariances: UnsafeMutablePointer<Float> { unsafe trust + Self.quads * Self.quads }
    private var lines: UnsafeMutablePointer<Float> { unsafe blockVariances + 96 }
    private var side: Int { Self.side(scale) }

    /// Returns one of three sets of planes in the scratch memory, placed `margin` pixels before the patch.
    private func planes(_ index: Int, margin: Int) -> Planes {
        unsafe Planes(start: memory + index * Self.planes, x: x - margin, y: y - margin)
    }

    /// Computes a patch and stores it in the photo, cropped to the photo's size.
    mutating func make(
        column: Int, row: Int, into pixels: UnsafeMutablePointer<UInt16>, _ output: LinearFormat
    ) {
        (x, y) = (column * side, row * side)
        unsafe finish(scale == .one ? regress() : enlarge())
        for row in 0..<min(scale.pixels(side), output.height - scale.pixels(y)) {
            unsafe store(row, pixels, output)
        }
    }

    /// Runs two regressions against the guide. The result starts 8 pixels before the patch, or 24
    /// if the patch is enlarged afterwards.
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
            unsafe tiles.merge(column: column, row: row, guide: demosaiced, restraint: 0, into: first, scratch)
        }
        let second = unsafe planes(0, margin: 8 + 16 * reach)
        forEachTile(around: reach) { column, row in
            unsafe tiles.merge(column: column, row: row, guide: first, restraint: restraint, into: second, scratch)
            if reach == 0 { storeVariances(column, row) }
        }
        unsafe revertToGuide(second, reach: reach)
        return unsafe second
    }

    /// Reverts a regression to the guide where the reference's own samples contradict it: a frame with similar content
    /// elsewhere, or with other lighting, may agree with the guide by chance.
    private func revertToGuide(_ result: Planes, reach: Int) {
        let width = side + 16 + 32 * reach
        let guidePlanes = unsafe Planes(start: memory + Self.planes, x: result.x - 8, y: result.y - 8)
        for color in 0..<3 {
            for row in unsafe guidePlanes.y..<guidePlanes.y + width + 16 {
                let start = unsafe guidePlanes.at(guidePlanes.x, row, color: color)
                unsafe guide.load(color: color, x: guidePlanes.x, y: row, count: width + 16, start)
            }
        }
        forEachTile(around: reach) { column, row in
            let position = quad(column, row, reach: reach)
            unsafe tiles.contradict(
                column: column, row: row, guide: guidePlanes, result: result, errors + position, Self.quads, scratch)
        }
        let quads = width / 2
        unsafe superResolutionTrust(errors, Self.quads, quads, SuperResolutionTiles.tolerance, trust)
        for color in 0..<3 {
            unsafe superResolutionBlend(
                guidePlanes.at(result.x, result.y, color: color), trust, Self.quads, quads,
                result.at(result.x, result.y, color: color), Planes.stride)
        }
        guard reach == 0 else { return }
        for position in 0..<Self.quads * Self.quads {
            unsafe variances[position] += (1 - trust[position]) * (1 - variances[position])
        }
    }

    /// Returns the index of a tile's first quad in the quad maps of the second regression.
    private func quad(_ column: Int, _ row: Int, reach: Int) -> Int {
        8 * (row - y / SuperResolutionTiles.side + reach) * Self.quads + 8
            * (column - x / SuperResolutionTiles.side + reach)
    }

    /// Runs a third regression, against the second, at twice the size.
    private func enlarge() -> Planes {
        let second = unsafe regress()
        let fine = unsafe Planes(start: memory + Self.planes, x: 2 * x - 16, y: 2 * y - 16)
        forEachTile(around: 0) { column, row in
            let trust = unsafe trust + quad(column, row, reach: 1)
            unsafe tiles.enlarge(
                column: column, row: row, guide: second, restraint: restraint, trust: trust, Self.quads, into: fine,
                scratch)
            storeVariances(column, row)
        }
        return unsafe fine
    }

    /// Damps the second and third regression where the signal is near the noise.
    private var restraint: Float {
        1 / (Float(tiles.frames.count) * SuperResolutionTiles.restraint * SuperResolutionTiles.restraint)
    }

    /// Removes the noise in two passes; the result is the third set of planes.
    private func finish(_ noisy: Planes) {
        let margin = 8 * scale.fineness
        let count = unsafe (Self.fineSide + 2 * margin) * Planes.stride
        unsafe convertToLuma(
            noisy.start, noisy.start + Planes.size, noisy.start + 2 * Planes.size, count)
        let pilot = unsafe noisy.start == memory ? memory + Self.planes : memory
        unsafe shrink(noisy.start, nil, from: margin - 8, blocks: Self.fineSide / 4 + 3, into: pilot)
        for color in 0..<3 { unsafe divideByWeights(pilot + color * Planes.size, weights, count) }
        let clean = unsafe memory + 2 * Self.planes
        unsafe shrink(noisy.start, pilot, from: margin - 4, blocks: Self.fineSide / 4 + 1, into: clean)
        // Four more pixels on each side, for the filter that resizes the photo.
        for row in margin - 4..<margin + Self.fineSide + 4 {
            let start = unsafe clean + (row * Planes.stride + margin - 4)
            unsafe convertFromLuma(
                start, start + Planes.size, start + 2 * Planes.size, weights + (start - clean), Self.fineSide + 8)
        }
    }

    /// Stores a row of the photo.
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
                unsafe superResolutionSixRows(
                    from + start * Planes.stride, Planes.stride, Array(ThreeQuarters.taps[6 * phase..<6 * phase + 6]),
                    Planes.stride, lines + 3 * Planes.stride)
                unsafe superResolutionThreeQuarters(
                    lines + 3 * Planes.stride + margin, ThreeQuarters.taps, ThreeQuarters.starts, width, line)
            } else {
                unsafe line.update(from: from + ((margin + row) * Planes.stride + margin), count: width)
            }
            unsafe addExcess(color, y: sourceRow, count: width, to: line)
        }
        let full = guide.sensitivity * 65_535
        let position = (scale.pixels(y) + row) * output.stride + scale.pixels(x) * LinearFormat.channels
        unsafe storeSuperResolution(
            lines, lines + Planes.stride, lines + 2 * Planes.stride, width, full.x, full.y, full.z, pixels + position)
    }

    /// Adds the guide's values above 1 (partly clipped highlights, which the regressions cut at 1) to a row of the
    /// photo.
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

    /// Calls `body` for each tile that overlaps the patch, and for `margin` more tiles on each side.
    private func forEachTile(around margin: Int, _ body: (_ column: Int, _ row: Int) -> Void) {
        let (left, top) = (x / SuperResolutionTiles.side, y / SuperResolutionTiles.side)
        let perSide = side / SuperResolutionTiles.side
        for row in top - margin...top + perSide + margin {
            for column in left - margin...left + perSide + margin { body(column, row) }
        }
    }

    /// Stores for each quad of a tile its noise variance relative to a single frame.
    private func storeVariances(_ column: Int, _ row: Int) {
        let (column, row) = (column - x / SuperResolutionTiles.side, row - y / SuperResolutionTiles.side)
        for line in 0..<8 {
            for quad in 0..<8 {
                unsafe variances[(8 * row + line) * Self.quads + 8 * column + quad] =
                    unsafe 1 / scratch.counts[8 * line + quad]
            }
        }
    }

    /// Denoises luma and colour differences in overlapping 8×8 blocks.
    private func shrink(
        _ source: UnsafeMutablePointer<Float>, _ pilot: UnsafeMutablePointer<Float>?, from start: Int,
        blocks count: Int, into target: UnsafeMutablePointer<Float>
    ) {
        unsafe target.update(repeating: 0, count: Self.planes)
        unsafe weights.update(repeating: 0, count: Planes.size)
        for row in 0..<count {
            let position = unsafe (start + 4 * row) * Planes.stride + start
            for block in 0..<count { unsafe blockVariances[block] = blockVariance(start + 4 * block, start + 4 * row) }
            unsafe denoiseBlocks(
                source + position, pilot.map { unsafe UnsafePointer($0 + position) }, Planes.size, Planes.stride, count,
                blockVariances, tiles.noise.picture, tiles.noise.shapes, Self.threshold, Self.window, target + position,
                weights + position, blocks)
        }
    }

    /// Returns the mean variance of the four quads at the centre of a block.
    private func blockVariance(_ x: Int, _ y: Int) -> Float {
        let size = 2 * scale.fineness
        let (left, right) = ((x + 3) / size, (x + 4) / size)
        let (upper, lower) = unsafe (variances + (y + 3) / size * Self.quads, variances + (y + 4) / size * Self.quads)
        return unsafe (upper[left] + upper[right] + lower[left] + lower[right]) / 4
    }

    /// The threshold in standard deviations of noise below which a frequency of a block is discarded.
    private static let threshold: Float = 2.7
    /// The window of a block, highest at its centre.
    private static let window: [Float] = (0..<8).map { index in
        let sine = sinf(.pi * (Float(index) + 0.5) / 8)
        return 0.15 + 0.85 * sine * sine
    }
}

/// A resampling filter for three quarters of the size: a cubic kernel stretched by four thirds.
enum ThreeQuarters {
    /// The first tap of each of the three output pixels that four input pixels give.
    static let starts: [Int32] = (0..<3).map { Int32(middle($0).rounded(.down)) - 2 }

    /// Six filter taps for each of the three output pixels.
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
