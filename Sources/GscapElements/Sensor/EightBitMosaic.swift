internal import GStreamer
internal import RawImage

/// The memory layout of 8-bit mosaics in GStreamer: one byte per pixel, rows padded to a multiple of 4 bytes.
enum EightBitMosaic {
    /// Returns the row stride in bytes.
    static func stride(width: Int) -> Int { (width + 3) & ~3 }

    /// Returns the size of a frame in bytes.
    static func size(_ format: MosaicFormat) -> Int { stride(width: format.width) * format.height }

    /// Calls `make` with an array for 16-bit codes without row padding, then stores the codes' low bytes in the buffer.
    static func fill<R>(
        _ buffer: inout Buffer, format: MosaicFormat, with make: (inout MutableSpan<UInt16>) throws -> R
    ) throws -> R {
        var codes = [UInt16](repeating: 0, count: format.width * format.height)
        var span = codes.mutableSpan
        let result = try make(&span)
        let stride = stride(width: format.width)
        buffer.withMutableValues(of: UInt8.self) { bytes in
            guard bytes.count >= stride * format.height else { return }
            for row in 0..<format.height {
                for column in format.width..<stride { bytes[row * stride + column] = 0 }
                for column in 0..<format.width {
                    bytes[row * stride + column] = UInt8(truncatingIfNeeded: codes[row * format.width + column])
                }
            }
        }
        return result
    }
}
