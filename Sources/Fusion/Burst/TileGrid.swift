/// How a plane is cut into tiles of 16×16 that overlap by half, so that each pixel lies in four.
///
/// The first and the last tiles reach half their size beyond the plane.
struct TileGrid: Sendable, Hashable {
    /// Pixels to the side of a tile.
    static let tile = 16
    /// Pixels from tile to tile.
    static let step = 8

    /// The plane's size.
    let width: Int
    let height: Int

    /// Tiles in a row.
    var columns: Int { (width + Self.step - 1) / Self.step + 1 }
    /// Rows of tiles.
    var rows: Int { (height + Self.step - 1) / Self.step + 1 }
    /// All tiles.
    var count: Int { columns * rows }

    /// Where a tile starts, which may be outside.
    static func start(_ index: Int) -> Int { (index - 1) * step }

    /// The number of the tile at a place, or of the nearest one.
    func nearest(column: Int, row: Int) -> Int {
        row.clamped(to: 0...rows - 1) * columns + column.clamped(to: 0...columns - 1)
    }

    /// Whether a tile and a pixel around it fit in the plane at all: else there is nothing to align.
    var canAlign: Bool { min(width, height) >= Self.tile + 2 }

    /// Where the tile starts that alignment looks at: inside, with a pixel around it for gradients.
    func alignmentStart(column: Int, row: Int) -> (x: Int, y: Int) {
        (
            min(max(Self.start(column), 1), width - Self.tile - 1),
            min(max(Self.start(row), 1), height - Self.tile - 1)
        )
    }

    /// The shifts at which such a tile still lies in a plane of the same size, with a pixel around it.
    func reach(from start: (x: Int, y: Int)) -> (right: ClosedRange<Int>, down: ClosedRange<Int>) {
        (
            right: (1 - start.x)...(width - Self.tile - 1 - start.x),
            down: (1 - start.y)...(height - Self.tile - 1 - start.y)
        )
    }
}
