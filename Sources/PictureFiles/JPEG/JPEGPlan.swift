internal import RawImage

/// How a picture is cut into pieces and bands.
struct JPEGPlan {
    let width: Int
    let height: Int
    let quality: Int
    let chroma: JPEGCompressor.Chroma
    /// Rows of a piece: whole rows of coded blocks.
    let pieceHeight: Int
    /// Bands of whole pieces.
    var bands: [Range<Int>] { shrinkingBands(rows: height, unit: pieceHeight) }

    /// So many rows are coded well, and stay in a core's cache.
    private static let usualHeight = 128

    init(width: Int, height: Int, quality: Int) {
        (self.width, self.height, self.quality) = (width, height, quality)
        chroma = JPEGCompressor.Chroma(quality: quality)
        // A piece's blocks are counted in 16 bits.
        let side = chroma.blockSide
        let most = 65_535 / ((width + side - 1) / side) * side
        pieceHeight = max(16, min(Self.usualHeight, most) / 16 * 16)
    }

    /// Blocks of a piece.
    var blocks: Int { (width + chroma.blockSide - 1) / chroma.blockSide * (pieceHeight / chroma.blockSide) }
}
