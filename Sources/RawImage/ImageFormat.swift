/// The format of an unpacked mosaic: one 16-bit code per pixel in native byte order, using the low `bitDepth` bits.
public struct MosaicFormat: Sendable, Hashable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// The Bayer pattern at the image origin.
    public var pattern: BayerPattern
    /// Whether the camera has no colour filters. The pattern then numbers the positions of a 2×2 cell, whose pixels
    /// have the same colour.
    public var isMonochrome = false
    /// Significant bits in each code, 8…16.
    public var bitDepth: Int
    /// Distance between the starts of two rows, in codes; at least `width`.
    public var stride: Int

    /// Creates a mosaic format; without a `stride` the rows have no padding.
    public init(width: Int, height: Int, pattern: BayerPattern, bitDepth: Int, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.pattern = pattern
        self.bitDepth = bitDepth
        self.stride = stride ?? width
    }

    /// Number of codes in a buffer of this format; the last row needs no padding.
    public var codeCount: Int { height == 0 ? 0 : stride * (height - 1) + width }

    /// The name of the Bayer pattern; `mono` for a camera without colour filters.
    package var colorName: String { isMonochrome ? "mono" : pattern.rawValue }

    /// Returns the format of the same mosaic without row padding, with another bit depth unless that is nil.
    package func unpadded(bitDepth: Int? = nil) -> MosaicFormat {
        var format = self
        format.stride = width
        format.bitDepth = bitDepth ?? self.bitDepth
        return format
    }
}

/// The format of a linear photo: 16-bit red, green, blue and opaque alpha samples, as in GStreamer's `RGBA64_LE`.
///
/// The colours are camera-native, before white balance; `FrameMetadata` has the black and white levels.
public struct LinearFormat: Sendable, Hashable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Distance between the starts of two rows, in 16-bit samples; at least `4 * width`.
    public var stride: Int

    /// Samples per pixel.
    public static let channels = 4

    /// Creates a photo format; without a `stride` the rows have no padding.
    public init(width: Int, height: Int, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.stride = stride ?? width * Self.channels
    }

    /// Number of 16-bit samples in a buffer of this format; the last row needs no padding.
    public var valueCount: Int { height == 0 ? 0 : stride * (height - 1) + width * Self.channels }
}
