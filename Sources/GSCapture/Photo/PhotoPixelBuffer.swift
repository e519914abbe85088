internal import GStreamer
internal import GscapElements
internal import RawImage

/// The pixels of an uncompressed photo.
///
/// The pixels are those of the pipeline's buffer: they are not copied, and the buffer is kept as long as this value.
public struct PhotoPixelBuffer: Sendable {
    /// The memory layout of a pixel, with GStreamer's name of the format.
    public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
        /// Red, green, blue; 8 bits per sample.
        case rgb = "RGB"
        /// Red, green, blue, one unused byte; 8 bits per sample.
        case rgbx = "RGBx"
        /// Blue, green, red, one unused byte; 8 bits per sample.
        case bgrx = "BGRx"
        /// Red, green, blue, alpha; 8 bits per sample.
        case rgba = "RGBA"
        /// Blue, green, red, alpha; 8 bits per sample.
        case bgra = "BGRA"
        /// Blue, green, red; 8 bits per sample.
        case bgr = "BGR"
        /// Red, green, blue, alpha; 16 bits per sample, little-endian.
        case rgba64 = "RGBA64_LE"

        /// The bytes of one pixel.
        public var bytesPerPixel: Int {
            switch self {
            case .rgb, .bgr: 3
            case .rgbx, .bgrx, .rgba, .bgra: 4
            case .rgba64: 8
            }
        }
    }

    /// The width in pixels.
    public let width: Int
    /// The height in rows.
    public let height: Int
    /// The memory layout of a pixel.
    public let pixelFormat: PixelFormat
    /// The distance between the starts of two rows, in bytes; a row may end with padding.
    public let bytesPerRow: Int
    /// The colour space, as GStreamer's colorimetry: a name such as "sRGB", or four numbers for range, matrix, transfer
    /// function and primaries.
    public let colorimetry: String

    private let sample: Sample

    /// Creates the pixels of a sample; nil if it is no RGB picture, or too small for the size in its caps.
    init?(_ sample: Sample) {
        guard let structure = sample.caps?.first, structure.name == "video/x-raw",
            let format = structure["format"]?.text.flatMap(PixelFormat.init),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer, width > 0, height > 0
        else { return nil }
        // GStreamer's default layout pads rows to a multiple of four bytes.
        let bytesPerRow = (width * format.bytesPerPixel + 3) & ~3
        guard (sample.buffer?.size ?? 0) >= bytesPerRow * (height - 1) + width * format.bytesPerPixel else {
            return nil
        }
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.sample = sample
        pixelFormat = format
        colorimetry = structure["colorimetry"]?.text ?? "sRGB"
    }

    /// Calls `body` with the bytes of all rows, without copying them. The span is empty if the memory cannot be mapped.
    public func withPixels<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        guard let buffer = sample.buffer else { return try body(RawSpan()) }
        return try buffer.withBytes(body)
    }

    /// Encodes the pixels as an uncompressed TIFF with the photo's metadata; `details` replaces the description in it.
    func tiff(details: DescriptiveMetadata? = nil) throws(CaptureError) -> [UInt8] {
        do {
            return try PictureFile.tiff(of: sample, details: details)
        } catch {
            throw CaptureError(.captureFailed, "the photo cannot be stored as TIFF: \(error)", cause: error)
        }
    }
}
