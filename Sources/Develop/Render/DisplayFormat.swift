internal import RawImage

/// The order of bytes in a pixel of a display picture, named as GStreamer names it.
public enum PixelLayout: String, Sendable, Hashable, CaseIterable {
    case rgb = "RGB"
    case bgr = "BGR"
    case rgbx = "RGBx"
    case bgrx = "BGRx"
    case rgba = "RGBA"
    case bgra = "BGRA"

    /// Bytes in a pixel. A fourth is 255, an opaque alpha.
    public var bytes: Int {
        switch self {
        case .rgb, .bgr: 3
        case .rgbx, .bgrx, .rgba, .bgra: 4
        }
    }

    /// Where red, green and blue stand in a pixel.
    var offsets: (red: Int, green: Int, blue: Int) {
        switch self {
        case .rgb, .rgbx, .rgba: (0, 1, 2)
        case .bgr, .bgrx, .bgra: (2, 1, 0)
        }
    }
}

/// The shape of a display picture: 8 bits a colour in sRGB.
public struct DisplayFormat: Sendable, Hashable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The order of bytes in a pixel.
    public var layout: PixelLayout
    /// Bytes from the start of one row to the start of the next.
    public var stride: Int

    /// A picture whose rows follow each other without a gap unless `stride` says otherwise.
    public init(width: Int, height: Int, layout: PixelLayout, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.layout = layout
        self.stride = stride ?? width &* layout.bytes
    }

    /// How many bytes a buffer must hold for this shape.
    public var byteCount: Int { height == 0 ? 0 : stride * (height - 1) + width * layout.bytes }

    /// Throws unless the numbers make sense and a buffer of `count` bytes holds the picture.
    func check(count: Int) throws(DevelopError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw DevelopError(
                .badOutput, "a size of \(width)×\(height) is not between 1 and \(MosaicFormat.maximumSide)")
        }
        guard stride >= width * layout.bytes, stride <= 8 * MosaicFormat.maximumSide else {
            throw DevelopError(
                .badOutput, "a stride of \(stride) bytes does not suit \(width) pixels of \(layout.rawValue)")
        }
        guard count >= byteCount else {
            throw DevelopError(
                .badOutput,
                "\(count) bytes given, a \(width)×\(height) picture of \(layout.rawValue) needs \(byteCount)")
        }
    }
}
