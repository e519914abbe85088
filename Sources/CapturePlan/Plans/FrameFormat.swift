/// The pixels of the frames that an output delivers for analysis.
public enum FrameFormat: Sendable, Hashable {
    /// The camera's Bayer mosaic, one 16-bit value per pixel.
    case raw
    /// Rendered pictures: red, green and blue, 8 bits each, in the camera's aspect ratio, at most this large and
    /// at most 1920×1080 pixels.
    case rgb(width: Int, height: Int)
}
