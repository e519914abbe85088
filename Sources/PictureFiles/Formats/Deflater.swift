internal import CZlib

/// Deflate compression and checksums (zlib) for PNG, TIFF and OpenEXR.
enum Deflater {
    /// The kind of data to compress, which determines zlib's level and strategy.
    enum Content {
        /// Filtered pixels. Their low bits are noise without repetitions, so only runs of equal bytes are searched: a
        /// full search takes three times as long and makes photos larger.
        case pixels
        /// Other data: small, smooth or repetitive.
        case others

        fileprivate var level: Int32 { self == .pixels ? 1 : 9 }
        fileprivate var strategy: Int32 { self == .pixels ? Z_RLE : Z_DEFAULT_STRATEGY }
    }

    /// Compresses bytes to a complete zlib stream: header, Deflate data and checksum.
    static func stream(_ bytes: [UInt8], _ content: Content) throws(GscapError) -> [UInt8] {
        try deflate(bytes, content, windowBits: 15, flush: Z_FINISH)
    }

    /// Compresses bytes to a part of a raw Deflate stream, without header and checksum. A part does not refer to
    /// earlier parts and ends at a byte boundary; only the last one has the final-block flag.
    static func part(_ bytes: [UInt8], isLast: Bool, _ content: Content) throws(GscapError) -> [UInt8] {
        try deflate(bytes, content, windowBits: -15, flush: isLast ? Z_FINISH : Z_SYNC_FLUSH)
    }

    /// Returns the Adler-32 checksum of uncompressed bytes, with which a zlib stream ends.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: unsafe adler32_z(1, bytes, bytes.count))
    }

    /// Returns the Adler-32 checksum of two consecutive byte sequences, computed from their own checksums; `count` is
    /// the length of the second.
    static func checksum(_ first: UInt32, then second: UInt32, count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: adler32_combine(UInt(first), UInt(second), count))
    }

    /// Returns the CRC-32 checksum of a PNG chunk's type and data.
    static func cyclicChecksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: unsafe crc32_z(0, bytes.baseAddress, bytes.count))
        }
    }

    private static func deflate(
        _ bytes: [UInt8], _ content: Content, windowBits: Int32, flush: Int32
    ) throws(GscapError) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard
            unsafe deflateInit2_(
                &stream, content.level, Z_DEFLATED, windowBits, 9, content.strategy, ZLIB_VERSION, size) == Z_OK
        else { throw GscapError(.noMemory, "not enough memory for Deflate") }
        defer { unsafe deflateEnd(&stream) }
        // `deflateBound` does not count the few bytes of the empty block that ends a sync flush.
        let most = Int(unsafe deflateBound(&stream, UInt(bytes.count))) + 16
        var isWhole = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: most) { target, filled in
            unsafe bytes.withUnsafeBufferPointer { source in
                // Bands are far below 4 GB, the limit of `avail_in`. zlib does not modify the source.
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(clamping: most)
                let status = unsafe CZlib.deflate(&stream, flush)
                isWhole = unsafe stream.avail_in == 0 && status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK)
                filled = most - Int(unsafe stream.avail_out)
            }
        }
        guard isWhole else { throw GscapError(.encoder, "zlib failed to deflate \(bytes.count) bytes") }
        return result
    }
}
