internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Computes the photo in patches of 256×256 pixels at the working resolution (1 or 2 times the mosaic's), one after
/// another in the same scratch memory: the guide, two regressions against it, and two denoising passes.
struct SuperResolutionPatches: ~Copyable {
    /// The width and height of a patch in pixels of the working resolution.
    private static let fineSide = 256

    private let tiles: SuperResolutionTiles
    private let guide: SuperResolutionGuide
    private let scale: SuperResolutionScale
    private let memory: OwnedMemory<Float>
    private let blocks = OwnedMemory<SIMD8<Float>>(uninitialized: DenoisingBlock.scratchRows)
    private let scratch = SuperResolutionTiles.Scratch()
    /// The first mosaic column of the current patch; `y` is its first row.
    private var x = 0
    private var y = 0

    /// Returns the width and height of a patch in mosaic pixels.
    static func side(_ scale: SuperResolutionScale) -> Int { fineSide / scale.fineness }

    private typealias Planes = SuperResolutionTiles.Planes
    /// The number of values of a set of planes, with padding for whole vectors at the end.
    private static let planes = 3 * SuperResolutionTiles.Planes.size + 64
    /// The width and height of the maps that hold one value per quad (2×2 cell), in quads.
    private static let quads = 136

    // The offsets of the parts of the memory, which begins with three sets of planes.
    private static let weightStart = 3 * planes
    private static let varianceStart = weightStart + Planes.size
    private static let deviationStart = varianceStart + quads * quads
    private static let trustStart = deviationStart + 4 * quads * quads
    private static let blockVarianceStart = trustStart + quads * quads
    /// The most overlapping 8×8 blocks in a row of a patch, rounded up: the number of variances that are stored.
    private static let blockVarianceCount = 96
    private static let lineStart = blockVarianceStart + blockVarianceCount
    /// A line for each colour and one for intermediate results.
    private static let lineCount = 4 * Planes.stride

    init(tiles: SuperResolutionTiles, guide: SuperResolutionGuide, scale: SuperResolutionScale) {
        self.tiles = tiles
        self.guide = guide
        self.scale = scale
        memory = OwnedMemory(repeating: 0, count: Self.lineStart + Self.lineCount)
    }

    private func part(_ start: Int, _ count: Int) -> MutableMemoryView<Float> { memory.view.part(start, count: count) }
    private func quadMap(_ start: Int) -> MutableMemoryView<Float> { part(start, Self.quads * Self.quads) }

    /// The sum of weights of each pixel while a patch is denoised.
    private var weights: MutableMemoryView<Float> { part(Self.weightStart, Planes.size) }
    /// For each quad its noise variance relative to a single frame.
    private var variances: MutableMemoryView<Float> { quadMap(Self.varianceStart) }
    /// For each quad of the second regression how it deviates from the reference's samples, in units of noise: the four
    /// maps of `superResolutionDeviation`.
    private var deviations: MutableMemoryView<Float> { part(Self.deviationStart, 4 * Self.quads * Self.quads) }
    /// For each quad the weight 0…1 of the second regression against the guide.
    private var trust: MutableMemoryView<Float> { quadMap(Self.trustStart) }
    /// The noise variances of a row of blocks.
    private var blockVariances: MutableMemoryView<Float> { part(Self.blockVarianceStart, Self.blockVarianceCount) }
    /// A row of the photo in red, green and blue, and a line for intermediate results.
    private var lines: MutableMemoryView<Float> { part(Self.lineStart, Self.lineCount) }
    private var side: Int { Self.side(scale) }

    /// Returns the memory of one of three sets of planes.
    private func planes(_ index: Int) -> MutableMemoryView<Float> { part(index * Self.planes, Self.planes) }

    /// Returns one of three sets of planes whose first pixel lies `margin` pixels before the patch.
    private func planes(_ index: Int, margin: Int) -> Planes {
        Planes(start: planes(index), x: x - margin, y: y - margin)
    }

    /// Computes a patch and stores it in the photo, cropped to the photo's size.
    mutating func make(
        column: Int, row: Int, into pixels: MutableMemoryView<UInt16>, _ output: LinearFormat,
        _ lowFrequencies: borrowing LowFrequencyNoise
    ) {
        (x, y) = (column * side, row * side)
        finish(scale == .one ? regress() : enlarge())
        recordVariances(lowFrequencies)
        for row in 0..<min(scale.pixels(side), output.height - scale.pixels(y)) {
            store(row, pixels, output)
        }
    }

    /// Runs two regressions against the guide. The result starts 8 pixels before the patch, or 24
    /// if the patch is enlarged afterwards.
    private func regress() -> Planes {
        let reach = scale.fineness - 1
        let demosaiced = planes(0, margin: 28 + 16 * reach)
        for color in 0..<3 {
            for row in demosaiced.y..<y + side + 28 + 16 * reach {
                let start = demosaiced.at(demosaiced.x, row, color: color)
                guide.load(color: color, x: demosaiced.x, y: row, count: Planes.stride, start)
            }
        }
        let first = planes(1, margin: 24 + 16 * reach)
        forEachTile(around: 1 + reach) { column, row in
            tiles.merge(column: column, row: row, guide: demosaiced, restraint: 0, into: first, scratch)
        }
        let second = planes(0, margin: 8 + 16 * reach)
        forEachTile(around: reach) { column, row in
            tiles.merge(column: column, row: row, guide: first, restraint: restraint, into: second, scratch)
            if reach == 0 { storeVariances(column, row, of: second) }
        }
        revertToGuide(second, reach: reach)
        return second
    }

    /// Reverts a regression to the guide where the reference's own samples contradict it: a frame with similar content
    /// elsewhere, or with other lighting, may agree with the guide by chance.
    private func revertToGuide(_ result: Planes, reach: Int) {
        let width = side + 16 + 32 * reach
        let guidePlanes = Planes(start: planes(1), x: result.x - 8, y: result.y - 8)
        for color in 0..<3 {
            for row in guidePlanes.y..<guidePlanes.y + width + 16 {
                let start = guidePlanes.at(guidePlanes.x, row, color: color)
                guide.load(color: color, x: guidePlanes.x, y: row, count: width + 16, start)
            }
        }
        forEachTile(around: reach) { column, row in
            let position = quad(column, row, reach: reach)
            tiles.contradict(
                column: column, row: row, guide: guidePlanes, result: result, deviations + position,
                stride: Self.quads, plane: Self.quads * Self.quads, scratch)
        }
        let quads = width / 2
        unsafe superResolutionTrust(
            deviations.pointer(3 * Self.quads * Self.quads + Self.quads * quads), Self.quads, Self.quads * Self.quads,
            quads, SuperResolutionTiles.tolerance, SuperResolutionTiles.shiftTolerance,
            trust.pointer(columns: quads, rows: quads, stride: Self.quads))
        for color in 0..<3 {
            let block = Planes.block(columns: width, rows: width)
            unsafe superResolutionBlend(
                guidePlanes.at(result.x, result.y, color: color).pointer(block),
                trust.pointer(columns: quads, rows: quads, stride: Self.quads), Self.quads, quads,
                result.at(result.x, result.y, color: color).pointer(block), Planes.stride)
        }
        if reach == 0 { forEachTile(around: 0) { column, row in revertVariances(column, row, reach: 0) } }
    }

    /// Moves the noise variances of a tile's quads towards the guide's where the result was reverted to it.
    private func revertVariances(_ column: Int, _ row: Int, reach: Int) {
        let guideVariance = tiles.guideVariance(column: column, row: row)
        let (trust, variances) = (trust + quad(column, row, reach: reach), variances + quad(column, row, reach: 0))
        for line in 0..<8 {
            for position in line * Self.quads..<line * Self.quads + 8 {
                variances[position] += (1 - trust[position]) * (guideVariance - variances[position])
            }
        }
    }

    /// Returns the index of a tile's first quad in the quad maps of the second regression.
    private func quad(_ column: Int, _ row: Int, reach: Int) -> Int {
        8 * (row - y / SuperResolutionTiles.side + reach) * Self.quads + 8
            * (column - x / SuperResolutionTiles.side + reach)
    }

    /// Runs a third regression, against the second, at twice the size.
    private func enlarge() -> Planes {
        let second = regress()
        let fine = Planes(start: planes(1), x: 2 * x - 16, y: 2 * y - 16)
        forEachTile(around: 0) { column, row in
            let trust = trust + quad(column, row, reach: 1)
            tiles.enlarge(
                column: column, row: row, guide: second, restraint: restraint, trust: trust, Self.quads, into: fine,
                scratch)
            storeVariances(column, row, of: second)
            revertVariances(column, row, reach: 1)
        }
        return fine
    }

    /// The factor of the noise variance by which the second and third regression are damped where the signal is weak:
    /// `restraint` of `superResolutionResolve`.
    private var restraint: Float {
        1 / (Float(tiles.frames.count) * SuperResolutionTiles.restraint * SuperResolutionTiles.restraint)
    }

    /// Removes the noise in two passes; the result is the third set of planes. In the second, blocks lie on two grids,
    /// the second of them between those of the first.
    private func finish(_ noisy: Planes) {
        let margin = 8 * scale.fineness
        let count = (Self.fineSide + 2 * margin) * Planes.stride
        // The pilot goes to the first or second set of planes, whichever does not hold the noisy picture.
        let pilot = planes(scale == .one ? 1 : 0)
        clear(pilot)
        shrink(noisy.start, nil, from: margin - 8, blocks: Self.fineSide / 4 + 3, into: pilot)
        for color in 0..<3 {
            unsafe divideByWeights((pilot + color * Planes.size).pointer(count), weights.pointer(count), count)
        }
        let clean = planes(2)
        clear(clean)
        shrink(noisy.start, pilot, from: margin - 4, blocks: Self.fineSide / 4 + 1, into: clean)
        shrink(noisy.start, pilot, from: margin - 6, blocks: Self.fineSide / 4 + 2, into: clean)
        // Four more pixels on each side, for the filter that resizes the photo.
        for row in margin - 4..<margin + Self.fineSide + 4 {
            let (first, count) = (row * Planes.stride + margin - 4, Self.fineSide + 8)
            for color in 0..<3 {
                unsafe divideByWeights(
                    (clean + (first + color * Planes.size)).pointer(count), (weights + first).pointer(count), count)
            }
        }
    }

    /// Stores a row of the photo.
    private func store(_ row: Int, _ pixels: MutableMemoryView<UInt16>, _ output: LinearFormat) {
        let width = min(scale.pixels(side), output.width - scale.pixels(x))
        let margin = 8 * scale.fineness
        let sourceRow = min(row * side / scale.pixels(side) + y, guide.height - 1)
        for color in 0..<3 {
            let line = lines + color * Planes.stride
            let from = planes(2) + color * Planes.size
            if scale == .oneAndHalf {
                let phase = row % 3
                let start = margin + 4 * (row / 3) + Int(ThreeQuarters.starts[phase])
                let between = lines + 3 * Planes.stride
                unsafe superResolutionSixRows(
                    (from + start * Planes.stride).pointer(6 * Planes.stride), Planes.stride,
                    Array(ThreeQuarters.taps[6 * phase..<6 * phase + 6]), Planes.stride,
                    between.pointer(Planes.stride))
                unsafe superResolutionThreeQuarters(
                    (between + margin).pointer(-2..<4 * ((width - 1) / 3) + 6), ThreeQuarters.taps,
                    ThreeQuarters.starts, width, line.pointer(width))
            } else {
                line.update(from: MemoryView(from + ((margin + row) * Planes.stride + margin)), count: width)
            }
            addExcess(color, y: sourceRow, count: width, to: line)
            unsafe keepBlackMeans(line.pointer((width + 15) / 16 * 16), width: width)
        }
        let full = guide.sensitivity * 65_535
        let position = (scale.pixels(y) + row) * output.stride + scale.pixels(x) * LinearFormat.channels
        unsafe storeSuperResolution(
            lines.pointer(width), (lines + Planes.stride).pointer(width), (lines + 2 * Planes.stride).pointer(width),
            width, full.x, full.y, full.z, (pixels + position).pointer(LinearFormat.channels * width))
    }

    /// Adds the guide's values above 1 (partly clipped highlights, which the regressions cut at 1) to a row of the
    /// photo.
    private func addExcess(_ color: Int, y row: Int, count: Int, to line: MutableMemoryView<Float>) {
        if scale == .one { return guide.addExcess(color: color, x: x, y: row, count: count, line) }
        let known = min(side, guide.width - x)
        let excess = lines + 3 * Planes.stride
        excess.update(repeating: 0, count: known)
        guide.addExcess(color: color, x: x, y: row, count: known, excess)
        for column in 0..<count {
            line[column] += excess[min(column * side / scale.pixels(side), known - 1)]
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

    /// Stores for each quad of a tile its noise variance relative to a single frame: that of the mean of the agreeing
    /// frames, and the part of the guide's own noise that the regressions leave.
    private func storeVariances(_ column: Int, _ row: Int, of picture: Planes) {
        let guideVariance = tiles.guideVariance(column: column, row: row)
        let green = picture.at(SuperResolutionTiles.side * column - 8, SuperResolutionTiles.side * row - 8, color: 1)
        let variances = variances + quad(column, row, reach: 0)
        for line in 0..<8 {
            for quad in 0..<8 {
                let mean = 1 / scratch.counts[8 * line + quad]
                let left = remainingNoise(at: green[2 * line * Planes.stride + 2 * quad])
                variances[line * Self.quads + quad] =
                    mean + left * max(0, guideVariance - mean)
            }
        }
    }

    /// Returns the part of the guide's noise variance that remains where green has this value. The first regression
    /// leaves the finest noise to the second, which removes it unless it is damped.
    private func remainingNoise(at green: Float) -> Float {
        let signal = max(0, green)
        let noise = (signal * tiles.noise.linear[2] + tiles.noise.linear[3]) * restraint
        return noise / (signal * signal + noise + 1e-12)
    }

    /// Records the mean variances of the patch's areas.
    private func recordVariances(_ lowFrequencies: borrowing LowFrequencyNoise) {
        let quads = LowFrequencyNoise.area / 2
        for row in stride(from: 0, to: side / 2, by: quads) {
            for column in stride(from: 0, to: side / 2, by: quads) {
                var sum: Float = 0
                for line in row..<row + quads {
                    for quad in column..<column + quads { sum += variances[line * Self.quads + quad] }
                }
                lowFrequencies.record(sum / Float(quads * quads), x: x + 2 * column, y: y + 2 * row)
            }
        }
    }

    /// Clears planes for sums of denoised blocks, and the sums of their weights.
    private func clear(_ sums: MutableMemoryView<Float>) {
        sums.update(repeating: 0, count: Self.planes)
        weights.update(repeating: 0, count: Planes.size)
    }

    /// Denoises the picture in overlapping 8×8 blocks, four pixels apart, and adds them to the target.
    private func shrink(
        _ source: MutableMemoryView<Float>, _ pilot: MutableMemoryView<Float>?, from start: Int,
        blocks count: Int, into target: MutableMemoryView<Float>
    ) {
        for row in 0..<count {
            let position = (start + 4 * row) * Planes.stride + start
            for block in 0..<count { blockVariances[block] = blockVariance(start + 4 * block, start + 4 * row) }
            // The offsets of a row of blocks in one plane, and in all three.
            let inPlane = Planes.block(columns: 4 * (count + 1), rows: DenoisingBlock.side)
            let inPlanes = 0..<2 * Planes.size + inPlane.upperBound
            unsafe denoiseBlocks(
                DenoisedPlanes(
                    picture: (source + position).pointer(inPlanes),
                    pilot: pilot.map { unsafe MemoryView($0 + position).pointer(inPlanes) },
                    sums: (target + position).pointer(inPlanes), weights: (weights + position).pointer(inPlane),
                    plane: Planes.size, stride: Planes.stride),
                count, blockVariances.pointer(count), tiles.noise.picture, tiles.noise.shapes, Self.window,
                blocks.view.pointer(DenoisingBlock.scratchRows))
        }
    }

    /// Returns the mean variance of the four quads at the centre of a block.
    private func blockVariance(_ x: Int, _ y: Int) -> Float {
        let size = 2 * scale.fineness
        let (left, right) = ((x + 3) / size, (x + 4) / size)
        let (upper, lower) = (variances + (y + 3) / size * Self.quads, variances + (y + 4) / size * Self.quads)
        return (upper[left] + upper[right] + lower[left] + lower[right]) / 4
    }

    /// The weights of a denoised block's rows and columns in the sum of overlapping blocks, highest in the middle.
    static let window: [Float] = (0..<8).map { index in
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
