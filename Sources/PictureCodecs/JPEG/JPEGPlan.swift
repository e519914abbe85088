internal import RawImage

/// The division of a picture into bands and pieces for parallel encoding.
struct JPEGPlan {
    let width: Int
    let height: Int
    let quality: Int
    let chroma: JPEGCompressor.Chroma
    /// The number of rows of each piece except the last: a multiple of the MCU height.
    let pieceHeight: Int
    /// The range of rows of each band; its length is a multiple of `pieceHeight`, except in the last band.
    var bands: [Range<Int>] { shrinkingBands(rows: height, unit: pieceHeight) }

    /// The number of rows of a piece unless the picture is extremely wide: a piece fits a core's cache, and restart
    /// markers cost little.
    private static let usualHeight = 128

    init(width: Int, height: Int, quality: Int) {
        (self.width, self.height, self.quality) = (width, height, quality)
        chroma = JPEGCompressor.Chroma(quality: quality)
        // A piece is one restart interval. JPEG stores its number of MCUs in 16 bits, which limits the rows of a piece.
        let side = chroma.mcuSide
        let most = 65_535 / ((width + side - 1) / side) * side
        pieceHeight = max(16, min(Self.usualHeight, most) / 16 * 16)
    }

    /// The number of MCUs in a piece, which is the restart interval of the JPEG.
    var restartInterval: Int { (width + chroma.mcuSide - 1) / chroma.mcuSide * (pieceHeight / chroma.mcuSide) }
}
