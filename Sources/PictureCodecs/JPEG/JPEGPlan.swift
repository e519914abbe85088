internal import RawImage

/// The division of a picture into bands and pieces for parallel encoding.
struct JPEGPlan {
    let quality: Int
    let chroma: JPEGCompressor.Chroma
    /// The memory layout of the pixels.
    let layout: PixelLayout
    /// The number of rows of each piece except the last: a multiple of the MCU height.
    let pieceHeight: Int
    /// The range of rows of each band; its length is a multiple of `pieceHeight`, except in the last band.
    var bands: [Range<Int>] { shrinkingBands(rows: height, unit: pieceHeight) }

    /// The number of rows of a piece unless the picture is extremely wide: a piece fits a core's cache, and restart
    /// markers cost little.
    private static let usualHeight = 128

    var width: Int { layout.width }
    var height: Int { layout.height }

    /// Plans the encoding of red, green and blue bytes without row padding.
    init(width: Int, height: Int, quality: Int) {
        self.init(PixelLayout(width: width, height: height, order: .rgb), quality: quality)
    }

    init(_ layout: PixelLayout, quality: Int) {
        (self.layout, self.quality) = (layout, quality)
        chroma = JPEGCompressor.Chroma(quality: quality)
        // A piece is one restart interval. JPEG stores its number of MCUs in 16 bits, which limits the rows of a piece.
        let side = chroma.mcuSide
        let most = 65_535 / ((layout.width + side - 1) / side) * side
        pieceHeight = max(16, min(Self.usualHeight, most) / 16 * 16)
    }

    /// The number of MCUs in a piece, which is the restart interval of the JPEG.
    var restartInterval: Int { (width + chroma.mcuSide - 1) / chroma.mcuSide * (pieceHeight / chroma.mcuSide) }
}
