internal import RawImage

/// How a raw picture is cut up: into the file's tiles, and into blocks of tiles that one core works on at a time.
///
/// A block is small enough for a core's cache, and eight fields of the digest wide, which are digested at once.
struct TilePlan: Sendable {
    let picture: StoredPicture
    /// Pixels to the side of a tile; the last ones are padded.
    let tileWidth: Int
    let tileHeight: Int

    private static let tilesInBlock = 4
    /// A block's rows are those of the digest's fields, and so are a tile's.
    static let fieldSide = 256

    init(_ picture: StoredPicture) {
        self.picture = picture
        // TIFF wants multiples of 16; a picture smaller than a tile needs no more padding than that.
        tileWidth = min(2 * Self.fieldSide, (picture.width + 15) / 16 * 16)
        tileHeight = min(Self.fieldSide, (picture.height + 15) / 16 * 16)
    }

    /// Tiles side by side, and one below the other.
    var tileColumns: Int { (picture.width + tileWidth - 1) / tileWidth }
    /// Rows of tiles.
    var tileRows: Int { (picture.height + tileHeight - 1) / tileHeight }

    /// Fields of the digest side by side.
    var fieldColumns: Int { (picture.width + Self.fieldSide - 1) / Self.fieldSide }
    /// Fields of the digest in all.
    var fieldCount: Int { fieldColumns * tileRows }

    private var blockWidth: Int { Self.tilesInBlock * tileWidth }
    private var blockColumns: Int { (picture.width + blockWidth - 1) / blockWidth }
    /// Blocks in all; in their order come the tiles of the file, row of tiles by row of tiles.
    var blockCount: Int { blockColumns * tileRows }

    /// A block's pixels in the picture.
    func area(ofBlock block: Int) -> Area {
        let (left, top) = (block % blockColumns * blockWidth, block / blockColumns * tileHeight)
        return Area(
            left: left, top: top, width: min(blockWidth, picture.width - left),
            height: min(tileHeight, picture.height - top))
    }

    /// The columns in a block, from its own first one, of pieces of a width.
    func pieces(of block: Area, width: Int) -> [Range<Int>] {
        stride(from: 0, to: block.width, by: width).map { $0..<min($0 + width, block.width) }
    }
}
