/// The division of a plane into tiles of 16×16 pixels that overlap by half, so that each pixel lies in four tiles.
///
/// The first and last tiles extend half a tile beyond the plane.
struct TileGrid: Sendable, Hashable {
    /// The width and height of a tile in pixels.
    static let tile = 16
    /// The distance between neighbouring tiles in pixels.
    static let step = 8

    /// The width and height of the plane in pixels.
    let width: Int
    let height: Int

    /// The number of tiles in a row.
    var columns: Int { (width + Self.step - 1) / Self.step + 1 }
    /// The number of rows of tiles.
    var rows: Int { (height + Self.step - 1) / Self.step + 1 }
    /// The number of all tiles.
    var count: Int { columns * rows }

    /// Returns the first pixel of a tile along one axis, which may lie outside the plane.
    static func start(_ index: Int) -> Int { (index - 1) * step }

    /// Returns the index of the tile at a column and row, clamped to the grid.
    func nearest(column: Int, row: Int) -> Int {
        row.clamped(to: 0...rows - 1) * columns + column.clamped(to: 0...columns - 1)
    }

    /// Whether a tile and the one-pixel border of its gradients fit into the plane; a smaller plane cannot be aligned.
    var canAlign: Bool { min(width, height) >= Self.tile + 2 }

    /// Returns the first pixel of the tile used for alignment: moved inside, with one pixel around it for gradients.
    func alignmentStart(column: Int, row: Int) -> (x: Int, y: Int) {
        (
            min(max(Self.start(column), 1), width - Self.tile - 1),
            min(max(Self.start(row), 1), height - Self.tile - 1)
        )
    }

    /// Returns the shifts in pixels at which the tile whose first pixel is `start`, with a border of one pixel, stays
    /// inside a plane of this size.
    func reach(from start: (x: Int, y: Int)) -> (right: ClosedRange<Int>, down: ClosedRange<Int>) {
        (
            right: (1 - start.x)...(width - Self.tile - 1 - start.x),
            down: (1 - start.y)...(height - Self.tile - 1 - start.y)
        )
    }
}
