internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The tile-wise regression of the samples of all frames against a guide.
struct SuperResolutionTiles {
    let frames: [SuperResolutionFrame]
    let noise: SuperResolutionNoise
    /// For each tile of the reference, row by row, whether the frames' shifts bring samples of each colour to every
    /// pixel.
    let isCovered: [Bool]
    let grid: TileGrid
    /// For each tile the noise variance of the guide relative to a single frame; empty if it is one frame.
    let guideVariances: [Float]

    /// The width and height of a tile in mosaic pixels.
    static let side = SuperResolutionTile.side
    /// The number of pixels around a tile from which samples contribute to it.
    private static let margin = SuperResolutionTile.margin
    /// The standard deviation, in mosaic pixels, of the Gaussian kernel that weights the samples around a pixel.
    private static let kernelDeviation: Float = 0.6
    /// The standard deviation, in mosaic pixels, of the Gaussian kernel that weights the samples around a pixel of a
    /// photo of twice the mosaic's size.
    private static let fineKernelDeviation: Float = 0.5
    /// The sum of weights at which residuals are applied by half.
    private static let halvingWeight: Float = 0.25
    /// The tolerated error of a motion, in mosaic pixels.
    private static let motionTolerance: Float = 0.2
    /// The fraction of the guide's texture that may be aliasing of finer texture.
    private static let aliasedTexture: Float = 0.5
    /// The fraction of the guide's colour contrast that may be aliasing.
    private static let aliasedColor: Float = 0.1
    /// The fraction of the guide's texture, and of its colour contrast, by which a result may deviate from the
    /// reference's samples: finer texture than the guide's, such as thin lines of strong colours.
    private static let unresolvedTexture: Float = 0.005
    /// The extra tolerance for the mean residual of other frames where even the reference's samples deviate from the
    /// guide, as a multiple of the energy by which these exceed noise.
    private static let residualTolerance: Float = 6
    /// The mean squared difference from the reference's samples, in units of its noise variance, up to which a result
    /// is fully trusted.
    static let tolerance: Float = 0.9
    /// The square of the mean difference from the reference's samples, in units of that mean's noise variance, up to
    /// which a result is fully trusted. Faint structure of something that moved hides in the squares of the samples,
    /// but shifts their means.
    static let shiftTolerance: Float = 1.2
    /// The ratio of noise, averaged over all frames, to signal at which the second and third regression are applied by
    /// half.
    static let restraint: Float = 0.12

    /// Three planes of linear values, with the picture position of their first value.
    struct Planes {
        /// The memory of the planes, which are `size` values apart.
        let start: MutableMemoryView<Float>
        /// The column of the first value in the picture; `y` is its row.
        let x: Int
        let y: Int
        static let stride = 320
        static let size = 320 * 320

        func at(_ x: Int, _ y: Int, color: Int = 0) -> MutableMemoryView<Float> {
            start + (color * Self.size + (y - self.y) * Self.stride + x - self.x)
        }

        /// Returns pointers to a position in the three planes for a kernel that reads the offsets `range` from there.
        func colors(_ x: Int, _ y: Int, _ range: Range<Int>) -> ColorPlanes {
            unsafe ColorPlanes(
                red: at(x, y).pointer(range), green: at(x, y, color: 1).pointer(range),
                blue: at(x, y, color: 2).pointer(range), stride: Self.stride)
        }

        /// Returns the offsets of a block of a plane.
        static func block(columns: Int, rows: Int) -> Range<Int> { 0..<(rows - 1) * stride + columns }
    }

    /// The scratch memory of one tile.
    struct Scratch: ~Copyable {
        private typealias Tile = SuperResolutionTile
        private let memory = OwnedMemory<Float>(repeating: 0, count: Self.end)
        private let blockMemory = OwnedMemory<UInt16>(uninitialized: Tile.sampleCount)

        // The offsets of the parts of the memory.
        private static let linearStart = 0
        private static let kernelStart = linearStart + Tile.sampleCount
        private static let kernelCount = max(Tile.guideCount, Tile.agreementCount, Tile.count)
        private static let precisionStart = kernelStart + kernelCount
        private static let referenceStart = precisionStart + 2 * Tile.precisionCount
        private static let weightStart = referenceStart + Tile.quadCount
        private static let countStart = weightStart + Tile.weightCount
        private static let tapStart = countStart + Tile.quadCount
        private static let spreadStart = tapStart + 2 * Tile.guideTaps
        private static let noiseStart = spreadStart + 2 * Tile.kernelTaps
        private static let betweenStart = noiseStart + 6
        private static let sumStart = betweenStart + 3 * Tile.count
        private static let end = sumStart + 4 * Tile.sumCount

        private func part(_ start: Int, _ count: Int) -> MutableMemoryView<Float> {
            memory.view.part(start, count: count)
        }

        /// The codes of a frame around a tile.
        var block: MutableMemoryView<UInt16> { blockMemory.view }
        /// The samples of a frame as linear values, then their residuals.
        var linear: MutableMemoryView<Float> { part(Self.linearStart, Tile.sampleCount) }
        /// The scratch memory of the kernels.
        var kernelScratch: MutableMemoryView<Float> { part(Self.kernelStart, Self.kernelCount) }
        /// Returns the reciprocal standard deviations that are expected of residuals, for tiles that move with the
        /// whole frame or for the others.
        func precision(_ isGlobal: Bool) -> MutableMemoryView<Float> {
            part(Self.precisionStart + (isGlobal ? 0 : Tile.precisionCount), Tile.precisionCount)
        }
        /// The energy of the reference frame's residuals in each quad.
        var reference: MutableMemoryView<Float> { part(Self.referenceStart, Tile.quadCount) }
        /// How well each quad of a frame agrees with the guide, 0…1, stored for each of its two columns.
        var weights: MutableMemoryView<Float> { part(Self.weightStart, Tile.weightCount) }
        /// The sum of the weights over the frames, for each quad.
        var counts: MutableMemoryView<Float> { part(Self.countStart, Tile.quadCount) }
        /// The taps that interpolate the guide along a row; `guideDown` interpolates along columns.
        var guideAcross: MutableMemoryView<Float> { part(Self.tapStart, Tile.guideTaps) }
        var guideDown: MutableMemoryView<Float> { part(Self.tapStart + Tile.guideTaps, Tile.guideTaps) }
        /// The taps along a row of the kernel that weights the residuals around a pixel; `spreadDown` has those along
        /// columns.
        var spreadAcross: MutableMemoryView<Float> { part(Self.spreadStart, Tile.kernelTaps) }
        var spreadDown: MutableMemoryView<Float> { part(Self.spreadStart + Tile.kernelTaps, Tile.kernelTaps) }
        /// The shot and read terms of the noise variance, in pairs: for red, green and blue.
        var noise: MutableMemoryView<Float> { part(Self.noiseStart, 6) }
        /// A tile of the guide interpolated between pixels: red, then green, then blue.
        var between: MutableMemoryView<Float> { part(Self.betweenStart, 3 * Tile.count) }
        /// The sums of residuals and weights of a tile; for a photo of twice the size, one set for each of the four
        /// pixels that cover a mosaic pixel.
        var sums: MutableMemoryView<Float> { part(Self.sumStart, 4 * Tile.sumCount) }
    }

    /// Returns the noise variance of the guide at a tile, relative to a single frame.
    func guideVariance(column: Int, row: Int) -> Float {
        guideVariances.isEmpty ? 1 : guideVariances[grid.nearest(column: column, row: row)]
    }

    /// Computes one tile of the result; afterwards `scratch.counts` holds the number of agreeing frames for each quad.
    ///
    /// A `restraint` of 0 applies the residuals in full, whatever the noise.
    func merge(
        column: Int, row: Int, guide: Planes, restraint: Float, into result: Planes, _ scratch: borrowing Scratch
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let isCovered = isCovered[grid.nearest(column: column, row: row)]
        prepare(x, y, guide, scratch)
        scratch.sums.update(repeating: 0, count: SuperResolutionTile.sumCount)
        for (index, frame) in frames.enumerated() {
            guard let motion = frame.motion(column: column, row: row),
                let samples = compare(frame, motion, x, y, guide, isReference: index == 0, scratch), isCovered
            else { continue }
            gather(samples, .zero, Self.kernelDeviation, scratch, scratch.sums)
        }
        for color in 0..<3 {
            let block = Planes.block(columns: Self.side, rows: Self.side)
            unsafe superResolutionResolve(
                guide.at(x, y, color: color).pointer(block), guide.at(x, y, color: 1).pointer(block), Planes.stride,
                (scratch.sums + SuperResolutionTile.count * color).pointer(Self.resolvedSums), Self.halvingWeight,
                noise.linear[2], noise.linear[3], restraint, result.at(x, y, color: color).pointer(block),
                Planes.stride)
        }
    }

    /// The number of sums that `superResolutionResolve` reads across: the residuals of a colour and their weights, with
    /// the sums of other colours between them.
    private static let resolvedSums = SuperResolutionTile.weightSums + SuperResolutionTile.count

    /// Computes one tile at twice the size, as `merge` does; `result` is in pixels of that size.
    ///
    /// Samples of frames other than the reference are weighted by the `trust` of their quad.
    func enlarge(
        column: Int, row: Int, guide: Planes, restraint: Float, trust: MutableMemoryView<Float>, _ trustStride: Int,
        into result: Planes, _ scratch: borrowing Scratch
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let isCovered = isCovered[grid.nearest(column: column, row: row)]
        prepare(x, y, guide, scratch)
        scratch.sums.update(repeating: 0, count: 4 * SuperResolutionTile.sumCount)
        for (index, frame) in frames.enumerated() {
            guard let motion = frame.motion(column: column, row: row),
                let samples = compare(frame, motion, x, y, guide, isReference: index == 0, scratch), isCovered
            else { continue }
            if index > 0 {
                unsafe superResolutionScaleWeights(
                    scratch.weights.pointer(SuperResolutionTile.weightCount),
                    trust.pointer(
                        columns: SuperResolutionTile.quads, rows: SuperResolutionTile.quads, stride: trustStride),
                    trustStride)
            }
            for quarter in 0..<4 {
                gather(
                    samples, Self.offset(quarter), Self.fineKernelDeviation, scratch,
                    scratch.sums + SuperResolutionTile.sumCount * quarter)
            }
        }
        for quarter in 0..<4 {
            let offset = Self.offset(quarter)
            let base = offset.rounded(.down)
            CubicWeights.set(offset.x - base.x, scratch.guideAcross)
            CubicWeights.set(offset.y - base.y, scratch.guideDown)
            let plane = SuperResolutionTile.count
            for color in 0..<3 {
                let reach = Self.side + SuperResolutionTile.guideTaps - 1
                unsafe superResolutionInterpolate(
                    guide.at(x - 1 + Int(base.x), y - 1 + Int(base.y), color: color)
                        .pointer(Planes.block(columns: reach, rows: reach)),
                    Planes.stride, scratch.guideAcross.pointer(SuperResolutionTile.guideTaps),
                    scratch.guideDown.pointer(SuperResolutionTile.guideTaps),
                    (scratch.between + plane * color).pointer(plane))
            }
            for color in 0..<3 {
                unsafe superResolutionResolve(
                    (scratch.between + plane * color).pointer(plane), (scratch.between + plane).pointer(plane),
                    Self.side,
                    (scratch.sums + (SuperResolutionTile.sumCount * quarter + plane * color))
                        .pointer(Self.resolvedSums),
                    Self.halvingWeight, noise.linear[2], noise.linear[3], restraint,
                    scratch.kernelScratch.pointer(plane), Self.side)
                let start = result.at(2 * x + quarter & 1, 2 * y + quarter >> 1, color: color)
                unsafe superResolutionInterleave(
                    scratch.kernelScratch.pointer(plane),
                    start.pointer(Planes.block(columns: 2 * Self.side - 1, rows: 2 * Self.side - 1)), Planes.stride)
            }
        }
    }

    /// Returns the offset to the right and down, in mosaic pixels, of one of the four pixels (0 to 3, at twice the
    /// size) that cover a mosaic pixel from that pixel's centre.
    private static func offset(_ quarter: Int) -> SIMD2<Float> {
        SIMD2(Float(quarter & 1), Float(quarter >> 1)) / 2 - 0.25
    }

    /// The offsets from a tile's first sample at which `superResolutionPrecision` reads the guide: the samples with
    /// their padding, and two rows more above and one more below.
    private static let precisionReach =
        -2 * Planes.stride..<SuperResolutionTile.sampleRows * Planes.stride + SuperResolutionTile.sampleStride

    /// Computes how far the samples of a tile may differ from the guide.
    private func prepare(_ x: Int, _ y: Int, _ guide: Planes, _ scratch: borrowing Scratch) {
        for index in 0..<6 { scratch.noise[index] = noise.linear[index] * 1.2 }
        for isGlobal in [true, false] {
            unsafe superResolutionPrecision(
                guide.colors(x - Self.margin, y - Self.margin, Self.precisionReach), scratch.noise.pointer(6),
                Self.motionTolerance * Self.motionTolerance / 36, isGlobal ? Self.aliasedTexture : 0,
                isGlobal ? Self.aliasedColor : 0,
                scratch.precision(isGlobal).pointer(SuperResolutionTile.precisionCount))
        }
    }

    /// Computes for each quad how a result deviates from the reference's samples, in units of noise: the four maps of
    /// `superResolutionDeviation`, `plane` values apart.
    func contradict(
        column: Int, row: Int, guide: Planes, result: Planes, _ deviations: MutableMemoryView<Float>,
        stride: Int, plane: Int, _ scratch: borrowing Scratch
    ) {
        let (x, y) = (Self.side * column - 8, Self.side * row - 8)
        let frame = frames[0]
        _ = frame.load(x: x, y: y, scratch.linear, scratch.block)
        for index in 0..<6 { scratch.noise[index] = noise.linear[index] }
        unsafe superResolutionPrecision(
            guide.colors(x - Self.margin, y - Self.margin, Self.precisionReach), scratch.noise.pointer(6), 0,
            Self.unresolvedTexture, Self.unresolvedTexture,
            scratch.precision(true).pointer(SuperResolutionTile.precisionCount))
        let red = frame.format.pattern.redOffset
        let precision = scratch.precision(true) + SuperResolutionTile.firstPrecision
        unsafe superResolutionDeviation(
            scratch.linear.pointer(SuperResolutionTile.sampleStride * Self.side),
            result.colors(x, y, Planes.block(columns: Self.side, rows: Self.side)),
            precision.pointer(SuperResolutionTile.precisionCount - SuperResolutionTile.firstPrecision),
            (red.row ^ y) & 1, (red.column ^ x) & 1,
            deviations.pointer(3 * plane + (SuperResolutionTile.quads - 1) * stride + SuperResolutionTile.quads),
            stride, plane)
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
        _ scratch: borrowing Scratch
    ) -> Samples? {
        let whole = motion.shift.rounded(.toNearestOrEven)
        let fraction = motion.shift - whole
        let (left, top) = (x - Self.margin + Int(whole.x), y - Self.margin + Int(whole.y))
        if frame.load(x: left, y: top, scratch.linear, scratch.block) { return nil }
        let red = frame.format.pattern.redOffset
        let (redRow, redColumn) = ((red.row ^ top) & 1, (red.column ^ left) & 1)
        let base = (-fraction).rounded(.down)
        CubicWeights.set(-fraction.x - base.x, scratch.guideAcross)
        CubicWeights.set(-fraction.y - base.y, scratch.guideDown)
        // The first tap lies one pixel before the sample.
        let (tapX, tapY) = (x - Self.margin - 1 + Int(base.x), y - Self.margin - 1 + Int(base.y))
        let reach = Planes.block(
            columns: SuperResolutionTile.sampleStride + SuperResolutionTile.guideTaps - 1,
            rows: SuperResolutionTile.guideRows)
        unsafe superResolutionResidual(
            scratch.linear.pointer(SuperResolutionTile.sampleCount), guide.colors(tapX, tapY, reach),
            scratch.guideAcross.pointer(SuperResolutionTile.guideTaps),
            scratch.guideDown.pointer(SuperResolutionTile.guideTaps), redRow, redColumn,
            scratch.kernelScratch.pointer(SuperResolutionTile.guideCount))
        frame.clearOutside(x: left, y: top, scratch.linear)
        unsafe superResolutionAgreement(
            scratch.linear.pointer(SuperResolutionTile.sampleCount),
            scratch.precision(motion.isGlobal).pointer(SuperResolutionTile.precisionCount), redRow, redColumn,
            isReference, frame.trust, motion.isGlobal ? Self.residualTolerance : 0,
            scratch.reference.pointer(SuperResolutionTile.quadCount),
            scratch.weights.pointer(SuperResolutionTile.weightCount),
            scratch.counts.pointer(SuperResolutionTile.quadCount),
            scratch.kernelScratch.pointer(SuperResolutionTile.agreementCount))
        return Samples(fraction: fraction, redRow: redRow, redColumn: redColumn)
    }

    /// Adds to `sums`, for each pixel of a tile, the weighted residuals of a frame's samples around it and their
    /// weights. A sample's weight is the agreement of its frame times a Gaussian of its distance from the pixel's
    /// centre or, for a photo of twice the size, from the position `offset` away from the centre.
    private func gather(
        _ samples: Samples, _ offset: SIMD2<Float>, _ kernelDeviation: Float, _ scratch: borrowing Scratch,
        _ sums: MutableMemoryView<Float>
    ) {
        let shift = samples.fraction + offset
        Self.setKernel(shift.x, kernelDeviation, scratch.spreadAcross)
        Self.setKernel(shift.y, kernelDeviation, scratch.spreadDown)
        unsafe superResolutionAccumulate(
            scratch.linear.pointer(SuperResolutionTile.sampleCount),
            scratch.weights.pointer(SuperResolutionTile.weightCount),
            scratch.spreadAcross.pointer(SuperResolutionTile.kernelTaps),
            scratch.spreadDown.pointer(SuperResolutionTile.kernelTaps), samples.redRow, samples.redColumn,
            sums.pointer(SuperResolutionTile.sumCount))
    }

    /// Stores the Gaussian weights, along one axis, of five samples that lie one pixel apart; the Gaussian is centred
    /// `shift` pixels after the third.
    private static func setKernel(_ shift: Float, _ kernelDeviation: Float, _ taps: MutableMemoryView<Float>) {
        for tap in 0..<SuperResolutionTile.kernelTaps {
            let distance = Float(tap - margin) - shift
            taps[tap] = expf(-distance * distance / (2 * kernelDeviation * kernelDeviation))
        }
    }
}
