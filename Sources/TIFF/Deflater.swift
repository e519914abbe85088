internal import CZlib

/// Compression to zlib streams (Compression 8, deflate).
package enum Deflater {
    /// Returns the bytes as a zlib stream.
    package static func deflate(_ bytes: [UInt8]) throws(GscapError) -> [UInt8] {
        var status = Z_OK
        let capacity = Int(compressBound(UInt(bytes.count)))
        let output = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, filled in
            var count = UInt(capacity)
            status = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe compress2(target.baseAddress, &count, bytes.baseAddress, UInt(bytes.count), 6)
            }
            filled = status == Z_OK ? Int(count) : 0
        }
        guard status == Z_OK else { throw GscapError(.noMemory, "zlib cannot compress (status \(status))") }
        return output
    }
}
