internal import CZlib

/// Undoes deflate.
enum Inflater {
    /// The first `count` bytes that a zlib stream says.
    static func inflate(_ bytes: [UInt8], count: Int) throws(DNGError) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DNGError(.noMemory, "there is no memory to inflate with")
        }
        defer { unsafe inflateEnd(&stream) }
        var source = bytes
        var failure: String?
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            unsafe source.withUnsafeMutableBufferPointer { source in
                // Both are far below 4 GB: the caller bounds them by the file and by a strip's size.
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(clamping: source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(clamping: count)
                let result = unsafe CZlib.inflate(&stream, Z_FINISH)
                filled = count - Int(unsafe stream.avail_out)
                // A full target is enough, whatever more the stream would say.
                if filled < count {
                    let reason = unsafe stream.msg.map { unsafe ": " + String(cString: $0) } ?? ""
                    failure = "its deflated bytes give \(filled) of \(count) bytes (zlib says \(result)\(reason))"
                }
            }
        }
        if let failure { throw DNGError(.malformed, failure) }
        return output
    }
}
