internal import RawImage

/// How a raw picture is cut up: into the tiles of the file, and into blocks of the digest's fields.
struct TilePlan: Sendable {
    let picture: StoredPicture
    /// Pixels to the side of a tile; the last ones are padded.
    let tileWidth: Int
    let tileHeight: Int

    /// The side of the digest's fields.
    static let fieldSide = 256
    /// As many fields as are digested at once.
    private static let fieldsInBlock = 8

    init(_ picture: StoredPicture) {
        self.picture = picture
        // LibRaw takes two tiles side by side for one when they fill a mosaic's row exactly.
        let misread = picture.pattern != nil && picture.width % 2 == 0 ? picture.width / 2 : 0
        tileWidth = Self.side(dividing: picture.width, about: 512, butNot: misread)
        tileHeight = Self.side(dividing: picture.height, about: 384)
    }

    /// The side of a tile, a multiple of 16 as TIFF wants it: the one that needs least padding, and of those the one nearest
    /// to what suits a core's cache. Padding costs about half as many bits as pixels.
    private static func side(dividing length: Int, about usual: Int, butNot misread: Int = 0) -> Int {
        let sides = stride(from: 240, through: 640, by: 16).filter { $0 < length && $0 != misread }
        func padding(_ side: Int) -> Int { (side - length % side) % side }
        return sides.min { (padding($0), abs($0 - usual)) < (padding($1), abs($1 - usual)) }
            ?? (length + 15) / 16 * 16
    }

    // MARK: Tiles

    private var tileColumns: Int { (picture.width + tileWidth - 1) / tileWidth }
    /// Tiles in all.
    var tileCount: Int { tileColumns * ((picture.height + tileHeight - 1) / tileHeight) }

    /// The pixels of a tile that the picture has.
    func area(ofTile tile: Int) -> PixelRectangle {
        area(column: tile % tileColumns, row: tile / tileColumns, width: tileWidth, height: tileHeight)
    }

    // MARK: The digest's fields

    private var fieldColumns: Int { (picture.width + Self.fieldSide - 1) / Self.fieldSide }
    private var fieldRows: Int { (picture.height + Self.fieldSide - 1) / Self.fieldSide }
    /// Fields in all.
    var fieldCount: Int { fieldColumns * fieldRows }

    private var blockColumns: Int { (fieldColumns + Self.fieldsInBlock - 1) / Self.fieldsInBlock }
    /// Blocks of fields side by side, in all.
    var blockCount: Int { blockColumns * fieldRows }

    /// The pixels of a block of fields.
    func area(ofBlock block: Int) -> PixelRectangle {
        area(
            column: block % blockColumns, row: block / blockColumns, width: Self.fieldsInBlock * Self.fieldSide,
            height: Self.fieldSide)
    }

    /// The fields of a block: their numbers in the picture, and their columns from the block's own first one.
    func fields(ofBlock block: Int) -> [(field: Int, columns: Range<Int>)] {
        let area = area(ofBlock: block)
        let first = area.top / Self.fieldSide * fieldColumns + area.left / Self.fieldSide
        return stride(from: 0, to: area.width, by: Self.fieldSide).enumerated().map { index, left in
            (first + index, left..<min(left + Self.fieldSide, area.width))
        }
    }

    /// The most samples that a tile has, or one plane of a block.
    var mostSamples: Int {
        max(
            tileWidth * tileHeight * picture.samples,
            min(Self.fieldsInBlock * Self.fieldSide, picture.width) * Self.fieldSide)
    }

    private func area(column: Int, row: Int, width: Int, height: Int) -> PixelRectangle {
        let (left, top) = (column * width, row * height)
        return PixelRectangle(
            left: left, top: top, width: min(width, picture.width - left), height: min(height, picture.height - top))
    }
}
