internal import RawImage

/// The division of a raw picture into the file's tiles, and into the 256×256 fields of NewRawImageDigest.
struct TileLayout: Sendable {
    let picture: RawPictureFormat
    /// The width of tiles in pixels, a multiple of 16; tiles at the right edge are padded to it.
    let tileWidth: Int
    /// The height of tiles in pixels, a multiple of 16; tiles at the bottom edge are padded to it.
    let tileHeight: Int

    /// The side of a digest field in pixels, from the DNG specification (NewRawImageDigest).
    static let fieldSide = 256
    /// The greatest number of adjacent digest fields in a block, whose MD5 digests are computed together, one per SIMD
    /// element.
    private static let fieldsInBlock = 16

    /// Divides a picture. With `isInterleaved`, tiles are fitted to half its width and height, those of each plane of
    /// its 2×2 cells.
    init(_ picture: RawPictureFormat, isInterleaved: Bool = false) {
        self.picture = picture
        if isInterleaved {
            tileWidth = Self.side(dividing: (picture.width + 1) / 2, about: 512)
            tileHeight = Self.side(dividing: (picture.height + 1) / 2, about: 384)
            return
        }
        // LibRaw reads two side-by-side tiles as one if together they span a mosaic's width exactly: avoid that size.
        let excluded = picture.isMosaic && picture.width % 2 == 0 ? picture.width / 2 : 0
        // Lossless JPEG stores an X-Trans mosaic with three components.
        tileWidth = Self.side(
            dividing: picture.width, about: 512, excluding: excluded, step: picture.cell?.side == 6 ? 48 : 16)
        tileHeight = Self.side(dividing: picture.height, about: 384)
    }

    /// Returns a tile side, a multiple of `step`, which is one of 16 as TIFF requires: the one with the least padding,
    /// then the one nearest to `about`, which suits a core's cache. A padding pixel costs about half the bits of a
    /// picture's pixel.
    private static func side(
        dividing length: Int, about target: Int, excluding excluded: Int = 0, step: Int = 16
    ) -> Int {
        let sides = stride(from: 240, through: 640, by: step).filter { $0 < length && $0 != excluded }
        func padding(_ side: Int) -> Int { (side - length % side) % side }
        return sides.min { (padding($0), abs($0 - target)) < (padding($1), abs($1 - target)) }
            ?? (length + step - 1) / step * step
    }

    // MARK: Tiles

    private var tileColumns: Int { (picture.width + tileWidth - 1) / tileWidth }
    /// The total number of tiles.
    var tileCount: Int { tileColumns * ((picture.height + tileHeight - 1) / tileHeight) }

    /// Returns the area in the picture of a tile, clipped to the picture.
    func area(ofTile tile: Int) -> PixelRectangle {
        area(column: tile % tileColumns, row: tile / tileColumns, width: tileWidth, height: tileHeight)
    }

    // MARK: Digest fields

    private var fieldColumns: Int { (picture.width + Self.fieldSide - 1) / Self.fieldSide }
    private var fieldRows: Int { (picture.height + Self.fieldSide - 1) / Self.fieldSide }
    /// The total number of digest fields.
    var fieldCount: Int { fieldColumns * fieldRows }

    private var blockColumns: Int { (fieldColumns + Self.fieldsInBlock - 1) / Self.fieldsInBlock }
    /// The total number of blocks; a block is up to `fieldsInBlock` digest fields side by side.
    var blockCount: Int { blockColumns * fieldRows }

    /// Returns the area in the picture of a block of digest fields, clipped to the picture.
    func area(ofBlock block: Int) -> PixelRectangle {
        area(
            column: block % blockColumns, row: block / blockColumns, width: Self.fieldsInBlock * Self.fieldSide,
            height: Self.fieldSide)
    }

    /// Returns the digest fields of a block: their row-major indices in the picture, and their columns relative to the
    /// block.
    func fields(ofBlock block: Int) -> [(field: Int, columns: Range<Int>)] {
        let area = area(ofBlock: block)
        let first = area.top / Self.fieldSide * fieldColumns + area.left / Self.fieldSide
        return stride(from: 0, to: area.width, by: Self.fieldSide).enumerated().map { index, left in
            (first + index, left..<min(left + Self.fieldSide, area.width))
        }
    }

    /// The scratch memory that a tile (all planes) or a row of a block of fields (one plane) needs at most, in samples.
    var maximumSamples: Int {
        max(tileWidth * tileHeight * picture.samples, min(Self.fieldsInBlock * Self.fieldSide, picture.width))
    }

    private func area(column: Int, row: Int, width: Int, height: Int) -> PixelRectangle {
        let (left, top) = (column * width, row * height)
        return PixelRectangle(
            left: left, top: top, width: min(width, picture.width - left), height: min(height, picture.height - top))
    }
}
