internal import CZlib

/// Decompression of zlib streams (Compression 8, deflate).
package enum Inflater {
    /// Returns the first `count` bytes of a decompressed zlib stream; throws if the stream has fewer.
    package static func inflate(_ bytes: [UInt8], count: Int) throws(GscapError) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw GscapError(.noMemory, "zlib has no memory to inflate with")
        }
        defer { unsafe inflateEnd(&stream) }
        var source = bytes
        var failure: String?
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            unsafe source.withUnsafeMutableBufferPointer { source in
                // zlib counts input and output bytes in 32 bits. The strips and tiles of real files are far below 4 GB;
                // larger sizes are clamped.
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(clamping: source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(clamping: count)
                let result = unsafe CZlib.inflate(&stream, Z_FINISH)
                filled = count - Int(unsafe stream.avail_out)
                // A full target suffices: surplus data or a missing checksum at the stream's end is ignored.
                if filled < count {
                    let reason = unsafe stream.msg.map { unsafe ": " + String(cString: $0) } ?? ""
                    failure =
                        "its deflated data yields only \(filled) of \(count) bytes (zlib status \(result)\(reason))"
                }
            }
        }
        if let failure { throw GscapError(.malformed, failure) }
        return output
    }
}
