internal import CZlib

/// Deflates bytes: the C-facing side of PNG, TIFF and OpenEXR.
enum Deflater {
    /// What is deflated, and so how much work it is worth.
    enum Content {
        /// Filtered pixels. Their low bits are noise in which nothing comes twice: looking for what does takes three times as
        /// long, and makes files of photos larger. Bytes that stay the same are found.
        case pixels
        /// What is small or smooth, and repeats itself.
        case others

        fileprivate var level: Int32 { self == .pixels ? 1 : 9 }
        fileprivate var strategy: Int32 { self == .pixels ? Z_RLE : Z_DEFAULT_STRATEGY }
    }

    /// A stream of its own, with head and checksum.
    static func stream(_ bytes: [UInt8], _ content: Content) throws(PictureFileError) -> [UInt8] {
        try deflate(bytes, content, windowBits: 15, flush: Z_FINISH)
    }

    /// A part of a longer stream, without head and checksum. It refers to nothing before it and ends with a byte; only the
    /// last part says that there is no more.
    static func part(_ bytes: [UInt8], isLast: Bool, _ content: Content) throws(PictureFileError) -> [UInt8] {
        try deflate(bytes, content, windowBits: -15, flush: isLast ? Z_FINISH : Z_SYNC_FLUSH)
    }

    /// The checksum of a zlib stream.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: unsafe adler32_z(1, bytes, bytes.count))
    }

    /// The checksum of bytes and `count` more that have one of their own.
    static func checksum(_ first: UInt32, then second: UInt32, count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: adler32_combine(UInt(first), UInt(second), count))
    }

    /// The cyclic checksum that PNG has.
    static func cyclicChecksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: unsafe crc32_z(0, bytes.baseAddress, bytes.count))
        }
    }

    private static func deflate(
        _ bytes: [UInt8], _ content: Content, windowBits: Int32, flush: Int32
    ) throws(PictureFileError) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard
            unsafe deflateInit2_(
                &stream, content.level, Z_DEFLATED, windowBits, 9, content.strategy, ZLIB_VERSION, size) == Z_OK
        else { throw PictureFileError(.noMemory, "there is no memory to deflate with") }
        defer { unsafe deflateEnd(&stream) }
        // A flush adds an empty block.
        let most = Int(unsafe deflateBound(&stream, UInt(bytes.count))) + 16
        var isWhole = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: most) { target, filled in
            unsafe bytes.withUnsafeBufferPointer { source in
                // Bands are far below 4 GB. zlib only reads the source.
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(clamping: most)
                let status = unsafe CZlib.deflate(&stream, flush)
                isWhole = unsafe stream.avail_in == 0 && status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK)
                filled = most - Int(unsafe stream.avail_out)
            }
        }
        guard isWhole else { throw PictureFileError(.encoder, "zlib did not deflate \(bytes.count) bytes") }
        return result
    }
}
