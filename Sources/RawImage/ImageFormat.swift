/// The shape of a canonical mosaic: one 16-bit code a pixel, low bits used, in native byte order.
public struct MosaicFormat: Sendable, Hashable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The order of colours at the origin.
    public var pattern: BayerPattern
    /// How many low bits of each code carry signal, 8…16.
    public var bitDepth: Int
    /// Codes from the start of one row to the start of the next; at least `width`.
    public var stride: Int

    /// A mosaic whose rows follow each other without a gap unless `stride` says otherwise.
    public init(width: Int, height: Int, pattern: BayerPattern, bitDepth: Int, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.pattern = pattern
        self.bitDepth = bitDepth
        self.stride = stride ?? width
    }

    /// How many codes a buffer must hold for this shape.
    public var codeCount: Int { height == 0 ? 0 : stride * (height - 1) + width }
}

/// The shape of a linear photo: red, green, blue and an opaque alpha, 16 bits each, as in GStreamer's `RGBA64_LE`.
///
/// Colours are the camera's own, before white balance; `FrameMetadata` tells black and white.
public struct LinearFormat: Sendable, Hashable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// 16-bit values from the start of one row to the start of the next; at least `4 * width`.
    public var stride: Int

    /// Values in a pixel.
    public static let channels = 4

    /// A photo whose rows follow each other without a gap unless `stride` says otherwise.
    public init(width: Int, height: Int, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.stride = stride ?? width * Self.channels
    }

    /// How many 16-bit values a buffer must hold for this shape.
    public var valueCount: Int { height == 0 ? 0 : stride * (height - 1) + width * Self.channels }
}
