/// A rectangle of whole pixels.
public struct PixelRectangle: Sendable, Hashable, Codable {
    /// The first column.
    public var left: Int
    /// The first row.
    public var top: Int
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A rectangle.
    public init(left: Int, top: Int, width: Int, height: Int) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }
}
