internal import GStreamer
internal import RawImage

/// Mosaics of 8 bits, one byte a pixel, rows rounded up to four bytes as GStreamer has them.
enum ByteMosaic {
    /// Bytes from row to row.
    static func stride(width: Int) -> Int { (width + 3) & ~3 }

    /// Bytes in a frame.
    static func size(_ format: MosaicFormat) -> Int { stride(width: format.width) * format.height }

    /// Lets `make` write codes without gaps between rows, and stores their low bytes in the buffer.
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
