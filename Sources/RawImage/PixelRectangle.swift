/// A rectangle with integer pixel coordinates.
public struct PixelRectangle: Sendable, Hashable, Codable {
    /// The rectangle's first column of pixels, counted from 0 at the image's left edge.
    public var left: Int
    /// The rectangle's first row of pixels, counted from 0 at the image's top edge.
    public var top: Int
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// Creates a rectangle from its top left pixel and its size.
    public init(left: Int, top: Int, width: Int, height: Int) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }
}
