/// The size of a picture in pixels.
public struct PhotoDimensions: Sendable, Hashable, CustomStringConvertible {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size in the form "4032×3024".
    public var description: String { "\(width)×\(height)" }

    /// The longer side.
    package var longestSide: Int { max(width, height) }
}
