internal import Demosaic
internal import PixelMemory
internal import RawImage

/// Multi-frame super-resolution: a demosaic in which each colour uses the samples of all frames, at the sub-pixel
/// positions that camera shake gave them.
///
/// The demosaic of the merged mosaic is the guide. Each pixel gets the guide's value plus a mean of the residuals
/// (sample less guide) of the samples around it, weighted by a narrow kernel and by each frame's agreement with the
/// guide. This regression runs twice; then the remaining noise is removed block by block. The guide is used unchanged
/// where frames disagree, where their shifts do not cover the cell, or where the result contradicts the reference's own
/// samples.
struct SuperResolutionFusion {
    /// The retained frames, the reference first.
    let frames: [SuperResolutionFrame]
    let cores: Int?
    let latch: CancelLatch

    /// The most frames used; the limit bounds the memory.
    static let mostFrames = 16

    /// Returns the photo, and the fraction of it that the frames' shifts cover. `variances` has for each tile of the
    /// merged mosaic its noise variance relative to that of the reference. A `denoising` of 1 removes the usual amount
    /// of noise, 0 none.
    func photo(
        of mosaic: Mosaic, variances: [Float], reference: FrameMetadata, scale: SuperResolutionScale,
        denoising: Double
    ) throws(GscapError) -> (image: LinearImage, coveredFraction: Double) {
        let guide = try SuperResolutionGuide(mosaic, reference: reference, cores: cores, latch: latch)
        let grid = TileGrid(width: (guide.width + 1) / 2, height: (guide.height + 1) / 2)
        let isCovered = coverage(grid)
        let noise = SuperResolutionNoise(reference, scale: Double(scale.fineness), denoising: denoising)
        let tiles = SuperResolutionTiles(
            frames: frames, noise: noise, isCovered: isCovered, grid: grid, guideVariances: variances)
        let output = LinearFormat(width: scale.pixels(guide.width), height: scale.pixels(guide.height))
        var values = [UInt16](repeating: 0, count: output.valueCount)
        let side = SuperResolutionPatches.side(scale)
        let columns = (guide.width + side - 1) / side
        let rows = (guide.height + side - 1) / side
        let lowFrequencies = LowFrequencyNoise(noise, guide.sensitivity, output, scale)
        values.withMutableView { pixels in
            // Each patch covers different pixels of the photo. Four consecutive patches reuse one scratch memory.
            concurrentBands(rows: rows * columns, of: 4, cores: cores) { band in
                var patches = SuperResolutionPatches(tiles: tiles, guide: guide, scale: scale)
                for index in band where !latch.isCancelled {
                    patches.make(column: index % columns, row: index / columns, into: pixels, output, lowFrequencies)
                }
            }
            if denoising > 0 { lowFrequencies.remove(from: pixels, cores: cores, latch: latch) }
        }
        var metadata = Demosaic.linearMetadata(for: mosaic.metadata, of: mosaic.format.pattern)
        metadata.lens.shading = metadata.lens.shading.map { $0.enlarged(by: scale.factor) }
        return (
            try LinearImage(format: output, metadata: metadata, values: values),
            Double(isCovered.count { $0 }) / Double(isCovered.count)
        )
    }

    /// Returns for each tile whether the samples of the agreeing frames cover it.
    private func coverage(_ grid: TileGrid) -> [Bool] {
        (0..<grid.count).map { tile in
            var coverage = ShiftCoverage()
            for frame in frames {
                guard let motion = frame.motion(column: tile % grid.columns, row: tile / grid.columns) else { continue }
                coverage.add(motion.shift)
            }
            return coverage.isWhole
        }
    }
}
