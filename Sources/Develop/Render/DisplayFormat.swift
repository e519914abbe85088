internal import RawImage

/// The byte order of a display pixel, named as GStreamer's video formats.
public enum DisplayPixelFormat: String, Sendable, Hashable, CaseIterable {
    case rgb = "RGB"
    case bgr = "BGR"
    case rgbx = "RGBx"
    case bgrx = "BGRx"
    case rgba = "RGBA"
    case bgra = "BGRA"

    /// Bytes per pixel. A fourth byte is always 255: padding or opaque alpha.
    public var bytes: Int {
        switch self {
        case .rgb, .bgr: 3
        case .rgbx, .bgrx, .rgba, .bgra: 4
        }
    }

    /// Byte offsets of red, green and blue within a pixel.
    var offsets: (red: Int, green: Int, blue: Int) {
        switch self {
        case .rgb, .rgbx, .rgba: (0, 1, 2)
        case .bgr, .bgrx, .bgra: (2, 1, 0)
        }
    }
}

/// The memory layout of an 8-bit sRGB display picture.
public struct DisplayFormat: Sendable, Hashable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// The byte order of a pixel.
    public var layout: DisplayPixelFormat
    /// Bytes from the start of one row to the start of the next; at least a row's pixels.
    public var stride: Int

    /// Creates a format whose rows are contiguous unless `stride` is given.
    public init(width: Int, height: Int, layout: DisplayPixelFormat, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.layout = layout
        self.stride = stride ?? width &* layout.bytes
    }

    /// The minimum size of a buffer for this format, in bytes; the last row is not padded to the stride.
    public var byteCount: Int { height == 0 ? 0 : stride * (height - 1) + width * layout.bytes }

    /// Throws unless the dimensions and stride are valid and a buffer of `count` bytes is large enough.
    func check(count: Int) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw GscapError(
                .badOutput,
                "a display format of \(width)×\(height) is not within 1 to \(MosaicFormat.maximumSide) pixels a side")
        }
        guard stride >= width * layout.bytes, stride <= 8 * MosaicFormat.maximumSide else {
            throw GscapError(
                .badOutput, "a stride of \(stride) bytes does not suit rows of \(width) \(layout.rawValue) pixels")
        }
        guard count >= byteCount else {
            throw GscapError(
                .badOutput,
                "a buffer of \(count) bytes is too small: a \(width)×\(height) \(layout.rawValue) picture "
                    + "needs \(byteCount)")
        }
    }
}
