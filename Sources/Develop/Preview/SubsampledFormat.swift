internal import RawImage

/// The memory layout of an 8-bit picture of luma and chroma for video encoders: GStreamer's I420, with the matrix of
/// BT.709 and limited range.
///
/// Chroma has half the width and height of luma, rounded up. Its samples lie at pixels of even columns, halfway
/// between two rows, as H.264 assumes.
public struct SubsampledFormat: Sendable, Hashable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// Creates the format of a picture, with the strides and offsets that GStreamer gives it.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Width of the chroma planes.
    var chromaWidth: Int { (width + 1) / 2 }
    /// Height of the chroma planes.
    var chromaHeight: Int { (height + 1) / 2 }
    /// Bytes from the start of one row of luma to the start of the next.
    var stride: Int { (width + 3) & ~3 }
    /// Bytes from the start of one row of chroma to the start of the next.
    var chromaStride: Int { (chromaWidth + 3) & ~3 }
    /// The offsets of the two chroma planes, first the blue difference.
    var chromaOffsets: (blue: Int, red: Int) {
        let first = stride * 2 * chromaHeight
        return (first, first + chromaStride * chromaHeight)
    }

    /// The size of a picture in bytes.
    public var byteCount: Int { chromaOffsets.red + chromaStride * chromaHeight }

    /// Throws unless the dimensions are valid and a buffer of `count` bytes is large enough.
    func check(count: Int) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw GscapError(
                .badOutput,
                "a picture of \(width)×\(height) is not within 1 to \(MosaicFormat.maximumSide) pixels a side")
        }
        guard count >= byteCount else {
            throw GscapError(
                .badOutput,
                "a buffer of \(count) bytes is too small: a \(width)×\(height) I420 picture needs \(byteCount)")
        }
    }
}
