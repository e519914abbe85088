internal import RawImage

/// The division of a picture into bands and pieces for parallel encoding.
struct JPEGPlan {
    let width: Int
    let height: Int
    let quality: Int
    let chroma: JPEGCompressor.Chroma
    /// The rows of a piece: a multiple of the MCU height.
    let pieceHeight: Int
    /// The rows of each band, whole pieces each.
    var bands: [Range<Int>] { shrinkingBands(rows: height, unit: pieceHeight) }

    /// The usual rows of a piece: it fits a core's cache, and restart markers cost little.
    private static let usualHeight = 128

    init(width: Int, height: Int, quality: Int) {
        (self.width, self.height, self.quality) = (width, height, quality)
        chroma = JPEGCompressor.Chroma(quality: quality)
        // The restart interval counts MCUs in 16 bits.
        let side = chroma.mcuSide
        let most = 65_535 / ((width + side - 1) / side) * side
        pieceHeight = max(16, min(Self.usualHeight, most) / 16 * 16)
    }

    /// The MCUs of a piece: the restart interval.
    var restartInterval: Int { (width + chroma.mcuSide - 1) / chroma.mcuSide * (pieceHeight / chroma.mcuSide) }
}
