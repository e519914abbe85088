internal import Glibc
internal import KernelTypes
internal import Kernels
internal import RawImage

/// The tile-wise regression of the samples of all frames against a guide.
struct SuperResolutionTiles {
    let frames: [SuperResolutionFrame]
    let noise: SuperResolutionNoise
    /// For each tile of the reference, row by row, whether the frames' shifts bring samples of each colour to every
    /// pixel.
    let isCovered: [Bool]
    let grid: TileGrid

    /// The width and height of a tile in mosaic pixels.
    static let side = SuperResolutionTile.side
    /// The number of pixels around a tile from which samples contribute to it.
    private static let margin = SuperResolutionTile.margin
    /// The standard deviation of the Gaussian kernel, in mosaic pixels.
    private static let kernelDeviation: Float = 0.6
    /// The standard deviation of the kernel at twice the size, in mosaic pixels.
    private static let fineKernelDeviation: Float = 0.5
    /// The sum of weights at which residuals are applied by half.
    private static let halvingWeight: Float = 0.25
    /// The tolerated error of a motion, in mosaic pixels.
    private static let motionTolerance: Float = 0.2
    /// The fraction of the guide's texture that may be aliasing of finer detail; `aliasedColor` is that for its colour
    /// contrast.
    private static let aliasedTexture: Float = 0.5
    private static let aliasedColor: Float = 0.1
    /// The extra tolerance for the mean residual of other frames where even the reference's samples deviate from the
    /// guide.
    private static let residualTolerance: Float = 6
    /// The mean squared difference from the reference's samples, in units of its noise variance, up to which a result
    /// is trusted.
    static let tolerance: Float = 0.9
    /// The signal-to-noise ratio at which the second regression is applied by half.
    static let restraint: Float = 0.12

    /// Three planes of linear values, with the picture position of their first value.
    @unsafe
    struct Planes {
        let start: UnsafeMutablePointer<Float>
        /// The column of the first value in the picture; `y` is its row.
        let x: Int
        let y: Int
        static let stride = 320
        static let size = 320 * 320

        func at(_ x: Int, _ y: Int, color: Int = 0) -> UnsafeMutablePointer<Float> {
            unsafe start + (color * Self.size + (y - self.y) * Self.stride + x - self.x)
        }

        /// Returns pointers to a position in the three planes.
        func colors(_ x: Int, _ y: Int) -> ColorPlanes {
            unsafe ColorPlanes(
                red: at(x, y), green: at(x, y, color: 1), blue: at(x, y, color: 2), stride: Self.stride)
        }
    }

    /// The scratch memory of one tile.
    @unsafe
    struct Scratch {
        private typealias Tile = SuperResolutionTile
        private let memory: UnsafeMutablePointer<Float>
        let block: UnsafeMutablePointer<UInt16>

        // The offsets of the parts of the memory.
        private static let linearStart = 0
        private static let kernelStart = linearStart + Tile.sampleCount
        private static let precisionStart = kernelStart + max(Tile.guideCount, Tile.agreementCount, Tile.count)
        private static let referenceStart = precisionStart + 2 * Tile.precisionCount
        private static let weightStart = referenceStart + Tile.quadCount
        private static let countStart = weightStart + Tile.weightCount
        private static let tapStart = countStart + Tile.quadCount
        private static let spreadStart = tapStart + 2 * Tile.guideTaps
        private static let noiseStart = spreadStart + 2 * Tile.kernelTaps
        private static let betweenStart = noiseStart + 6
        private static let sumStart = betweenStart + 3 * Tile.count
        private static let end = sumStart + 4 * Tile.sumCount

        init() {
            unsafe memory = .allocate(capacity: Self.end)
            unsafe memory.initialize(repeating: 0, count: Self.end)
            unsafe block = .allocate(capacity: Tile.sampleCount)
        }

        func deallocate() {
            unsafe memory.deallocate()
            unsafe block.deallocate()
        }

        /// The samples of a frame as linear values, then their residuals.
        var linear: UnsafeMutablePointer<Float> { unsafe memory + Self.linearStart }
        var kernelScratch: UnsafeMutablePointer<Float> { unsafe memory + Self.kernelStart }
        /// Returns the reciprocal tolerances for tiles that move with the whole frame, or for the others.
        func precision(_ isGlobal: Bool) -> UnsafeMutablePointer<Float> {
            unsafe memory + (Self.precisionStart + (isGlobal ? 0 : Tile.precisionCount))
        }
        /// The energy of the reference frame's residuals in each quad.
        var reference: UnsafeMutablePointer<Float> { unsafe memory + Self.referenceStart }
        var weights: UnsafeMutablePointer<Float> { unsafe memory + Self.weightStart }
        var counts: UnsafeMutablePointer<Float> { unsafe memory + Self.countStart }
        /// The taps that interpolate the guide.
        var guideAcross: UnsafeMutablePointer<Float> { unsafe memory + Self.tapStart }
        var guideDown: UnsafeMutablePointer<Float> { unsafe guideAcross + Tile.guideTaps }
        /// The taps of the kernel that spreads residuals.
        var spreadAcross: UnsafeMutablePointer<Float> { unsafe memory + Self.spreadStart }
        var spreadDown: UnsafeMutablePointer<Float> { unsafe spreadAcross + Tile.kernelTaps }
        /// The shot and read terms of the noise variance, in pairs: for red, green and blue.
        var noise: UnsafeMutablePointer<Float> { unsafe memory + Self.noiseStart }
        /// The guide interpolated between pixels, for three colours.
        var between: UnsafeMutablePointer<Float> { unsafe memory + Self.betweenStart }
        /// The sums of residuals and weights; at twice the size one set for each quarter of a pixel.
        var sums: UnsafeMutablePointer<Float> { unsafe memory + Self.sumStart }
    }

    /// Computes one tile of the result; afterwards `scratch.counts` holds the number of agreeing frames for each quad.
    ///
    /// A `restraint` of 0 applies the residuals in full, whatever the noise.
    func merge(
        column: Int, row: Int, guide: Planes, restraint: Float, into result: Planes, _ scratch: Scratch
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let isCovered = isCovered[grid.nearest(column: column, row: row)]
        unsafe prepare(x, y, guide, scratch)
        unsafe scratch.sums.update(repeating: 0, count: SuperResolutionTile.sumCount)
        for (index, frame) in frames.enumerated() {
            guard let motion = frame.motion(column: column, row: row),
                let samples = unsafe compare(frame, motion, x, y, guide, isReference: index == 0, scratch), isCovered
            else { continue }
            unsafe gather(samples, .zero, Self.kernelDeviation, scratch, scratch.sums)
        }
        for color in 0..<3 {
            unsafe superResolutionResolve(
                guide.at(x, y, color: color), guide.at(x, y, color: 1), Planes.stride,
                scratch.sums + SuperResolutionTile.count * color, Self.halvingWeight, noise.linear[2],
                noise.linear[3], restraint, result.at(x, y, color: color), Planes.stride)
        }
    }

    /// Computes one tile at twice the size, as `merge` does; `result` is in pixels of that size.
    ///
    /// Samples of frames other than the reference are weighted by the `trust` of their quad.
    func enlarge(
        column: Int, row: Int, guide: Planes, restraint: Float, trust: UnsafePointer<Float>, _ trustStride: Int,
        into result: Planes, _ scratch: Scratch
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let isCovered = isCovered[grid.nearest(column: column, row: row)]
        unsafe prepare(x, y, guide, scratch)
        unsafe scratch.sums.update(repeating: 0, count: 4 * SuperResolutionTile.sumCount)
        for (index, frame) in frames.enumerated() {
            guard let motion = frame.motion(column: column, row: row),
                let samples = unsafe compare(frame, motion, x, y, guide, isReference: index == 0, scratch), isCovered
            else { continue }
            if index > 0 { unsafe superResolutionScaleWeights(scratch.weights, trust, trustStride) }
            for quarter in 0..<4 {
                unsafe gather(
                    samples, Self.offset(quarter), Self.fineKernelDeviation, scratch,
                    scratch.sums + SuperResolutionTile.sumCount * quarter)
            }
        }
        for quarter in 0..<4 {
            let offset = Self.offset(quarter)
            let base = offset.rounded(.down)
            unsafe CubicWeights.set(offset.x - base.x, scratch.guideAcross)
            unsafe CubicWeights.set(offset.y - base.y, scratch.guideDown)
            let plane = SuperResolutionTile.count
            for color in 0..<3 {
                unsafe superResolutionInterpolate(
                    guide.at(x - 1 + Int(base.x), y - 1 + Int(base.y), color: color), Planes.stride,
                    scratch.guideAcross, scratch.guideDown, scratch.between + plane * color)
            }
            for color in 0..<3 {
                unsafe superResolutionResolve(
                    scratch.between + plane * color, scratch.between + plane, Self.side,
                    scratch.sums + (SuperResolutionTile.sumCount * quarter + plane * color), Self.halvingWeight,
                    noise.linear[2], noise.linear[3], restraint, scratch.kernelScratch, Self.side)
                let start = unsafe result.at(2 * x + quarter & 1, 2 * y + quarter >> 1, color: color)
                unsafe superResolutionInterleave(scratch.kernelScratch, start, Planes.stride)
            }
        }
    }

    /// Returns the offset of a quarter pixel (at twice the size) from the centre of its mosaic pixel.
    private static func offset(_ quarter: Int) -> SIMD2<Float> {
        SIMD2(Float(quarter & 1), Float(quarter >> 1)) / 2 - 0.25
    }

    /// Computes how far the samples of a tile may differ from the guide.
    private func prepare(_ x: Int, _ y: Int, _ guide: Planes, _ scratch: Scratch) {
        for index in 0..<6 { unsafe scratch.noise[index] = noise.linear[index] * 1.2 }
        for isGlobal in [true, false] {
            unsafe superResolutionPrecision(
                guide.colors(x - Self.margin, y - Self.margin), scratch.noise,
                Self.motionTolerance * Self.motionTolerance / 36, isGlobal ? Self.aliasedTexture : 0,
                isGlobal ? Self.aliasedColor : 0, scratch.precision(isGlobal))
        }
    }

    /// Computes for each quad the difference between a result and the reference's samples: the sum of four squares, in
    /// units of noise variance.
    func contradict(
        column: Int, row: Int, guide: Planes, result: Planes, _ errors: UnsafeMutablePointer<Float>,
        _ errorStride: Int, _ scratch: Scratch
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let frame = frames[0]
        _ = unsafe frame.load(x: x, y: y, scratch.linear, scratch.block)
        for index in 0..<6 { unsafe scratch.noise[index] = noise.linear[index] }
        unsafe superResolutionPrecision(
            guide.colors(x - Self.margin, y - Self.margin), scratch.noise, 0, 0, 0, scratch.precision(true))
        let red = frame.format.pattern.redOffset
        unsafe superResolutionDeviation(
            scratch.linear, result.colors(x, y), scratch.precision(true) + SuperResolutionTile.firstPrecision,
            (red.row ^ y) & 1, (red.column ^ x) & 1, errors, errorStride)
    }

    /// The position of a frame's samples around a tile; their residuals against the guide are in the scratch memory.
    private struct Samples {
        /// The sub-pixel part of the tile's motion.
        var fraction: SIMD2<Float>
        var redRow: Int
        var redColumn: Int
    }

    /// Loads a frame's samples around a tile and computes their residuals and agreement weights; nil if any sample may
    /// be clipped.
    private func compare(
        _ frame: SuperResolutionFrame, _ motion: SuperResolutionMotion, _ x: Int, _ y: Int, _ guide: Planes,
        isReference: Bool,
        _ scratch: Scratch
    ) -> Samples? {
        let whole = motion.shift.rounded(.toNearestOrEven)
        let fraction = motion.shift - whole
        let (left, top) = (x - Self.margin + Int(whole.x), y - Self.margin + Int(whole.y))
        if unsafe frame.load(x: left, y: top, scratch.linear, scratch.block) { return nil }
        let red = frame.format.pattern.redOffset
        let (redRow, redColumn) = ((red.row ^ top) & 1, (red.column ^ left) & 1)
        let base = (-fraction).rounded(.down)
        unsafe CubicWeights.set(-fraction.x - base.x, scratch.guideAcross)
        unsafe CubicWeights.set(-fraction.y - base.y, scratch.guideDown)
        // The first tap lies one pixel before the sample.
        let (tapX, tapY) = (x - Self.margin - 1 + Int(base.x), y - Self.margin - 1 + Int(base.y))
        unsafe superResolutionResidual(
            scratch.linear, guide.colors(tapX, tapY), scratch.guideAcross, scratch.guideDown, redRow, redColumn,
            scratch.kernelScratch)
        unsafe frame.clearOutside(x: left, y: top, scratch.linear)
        unsafe superResolutionAgreement(
            scratch.linear, scratch.precision(motion.isGlobal), redRow, redColumn, isReference, frame.trust,
            motion.isGlobal ? Self.residualTolerance : 0, scratch.reference, scratch.weights, scratch.counts,
            scratch.kernelScratch)
        return Samples(fraction: fraction, redRow: redRow, redColumn: redColumn)
    }

    /// Spreads the residuals to the pixels, or to positions at an offset from them.
    private func gather(
        _ samples: Samples, _ offset: SIMD2<Float>, _ kernelDeviation: Float, _ scratch: Scratch,
        _ sums: UnsafeMutablePointer<Float>
    ) {
        let shift = samples.fraction + offset
        unsafe Self.setKernel(shift.x, kernelDeviation, scratch.spreadAcross)
        unsafe Self.setKernel(shift.y, kernelDeviation, scratch.spreadDown)
        unsafe superResolutionAccumulate(
            scratch.linear, scratch.weights, scratch.spreadAcross, scratch.spreadDown, samples.redRow,
            samples.redColumn, sums)
    }

    /// Stores the kernel weights of the samples from two before to two after a pixel.
    private static func setKernel(_ shift: Float, _ kernelDeviation: Float, _ taps: UnsafeMutablePointer<Float>) {
        for tap in 0..<SuperResolutionTile.kernelTaps {
            let distance = Float(tap - margin) - shift
            unsafe taps[tap] = expf(-distance * distance / (2 * kernelDeviation * kernelDeviation))
        }
    }
}
