internal import Demosaic
internal import RawImage

/// The super-resolved demosaic: each colour from its own samples of all frames at the places between pixels where the
/// shake of the hand brought them.
///
/// The demosaic of the merged mosaic is the guide. What each frame's samples show beyond it is spread by a narrow kernel
/// to the pixels around, as far as the frame agrees with the guide there; twice, and then the noise that is left is
/// taken out, block by block. Where frames do not agree, their shifts do not cover the cell, or what came out is not what
/// the reference's own samples say, the guide remains.
struct DetailFusion {
    /// The reference first.
    let frames: [DetailFrame]
    let cores: Int?
    let latch: CancelLatch

    /// Frames that are read; more would need more memory.
    static let mostFrames = 8

    /// The photo of a burst's merged mosaic, and the share of it that the frames' shifts cover.
    func photo(
        of mosaic: Mosaic, reference: FrameMetadata, scale: DetailScale
    ) throws(RawImageError) -> (image: LinearImage, coveredShare: Double) {
        let guide = try DetailGuide(mosaic, reference: reference, cores: cores, latch: latch)
        let grid = TileGrid(width: (guide.width + 1) / 2, height: (guide.height + 1) / 2)
        let isCovered = coverage(grid)
        let tiles = DetailTiles(
            frames: frames, noise: DetailNoise(reference, scale: Double(scale.fineness)), isCovered: isCovered,
            grid: grid)
        let output = LinearFormat(width: scale.pixels(guide.width), height: scale.pixels(guide.height))
        var values = [UInt16](repeating: 0, count: output.valueCount)
        let side = DetailChunks.side(scale)
        let columns = (guide.width + side - 1) / side
        let rows = (guide.height + side - 1) / side
        unsafe values.withUnsafeMutableBufferPointer { values in
            guard let pixels = values.baseAddress else { return }
            // Chunks write pixels of their own. Some one after the other share memory.
            concurrentBands(rows: rows * columns, of: 4, cores: cores) { band in
                var chunks = DetailChunks(tiles: tiles, guide: guide, scale: scale)
                for index in band where !latch.isCancelled {
                    unsafe chunks.make(column: index % columns, row: index / columns, into: pixels, output)
                }
            }
        }
        let metadata = Demosaic.linearMetadata(for: mosaic.metadata)
        return (
            try LinearImage(format: output, metadata: metadata, values: values),
            Double(isCovered.count { $0 }) / Double(isCovered.count)
        )
    }

    /// The share of a picture's tiles where the shifts of the frames bring samples of each colour to every pixel.
    func coveredShare(of format: MosaicFormat) -> Double {
        let isCovered = coverage(TileGrid(width: (format.width + 1) / 2, height: (format.height + 1) / 2))
        return Double(isCovered.count { $0 }) / Double(isCovered.count)
    }

    /// For each tile whether the samples of the frames that agree there cover it.
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
