/// A TIFF file (classic or BigTIFF) opened for reading: its byte order and access to its directories (IFDs).
///
/// Offsets and counts are validated: a directory is returned only if the values of all its entries lie in the file and
/// their total size is at most the file's, so memory use stays proportional to the file.
package struct TIFFContainer: Sendable {
    /// The file's bytes.
    package let source: ByteSource
    /// Whether numbers are big-endian.
    package let isBigEndian: Bool
    /// The sizes of the numbers in directories.
    package let layout: TIFFLayout
    /// The offset of the first directory (IFD0).
    package let first: Int

    /// Opens a file. The number after its byte order is one of `magics`: 42 in TIFF, others in formats with TIFF's
    /// structure.
    package init(_ source: ByteSource, magics: Set<UInt16>) throws(GscapError) {
        self.source = source
        guard let header = source.bytes(at: 0, count: 8) else {
            throw GscapError(.malformed, "a DNG file has at least 8 bytes, but this one has \(source.count)")
        }
        let head = source.bytes(at: 0, count: min(16, source.count)) ?? header
        switch (header[0], header[1]) {
        case (0x4D, 0x4D): isBigEndian = true
        case (0x49, 0x49): isBigEndian = false
        default: throw GscapError(.malformed, "this is not a DNG file: it starts with neither II nor MM")
        }
        var reader = ByteReader(header, isBigEndian: isBigEndian, start: 2)
        switch try reader.uint16() {
        case let magic where magics.contains(magic): (layout, first) = (.classic, Int(try reader.uint32()))
        case 43: (layout, first) = (.big, try Self.firstOfBigTIFF(head, isBigEndian: isBigEndian))
        case let other:
            throw GscapError(.malformed, "this is not a DNG file: its TIFF magic number is \(other), not 42 or 43")
        }
    }

    /// Returns the offset of the first directory from the header of a BigTIFF file, which has 16 bytes.
    private static func firstOfBigTIFF(_ head: [UInt8], isBigEndian: Bool) throws(GscapError) -> Int {
        guard head.count >= 16 else {
            throw GscapError(.malformed, "a BigTIFF file has at least 16 bytes, but this one has \(head.count)")
        }
        var reader = ByteReader(head, isBigEndian: isBigEndian, start: 4)
        let (size, zero) = (try reader.uint16(), try reader.uint16())
        guard size == 8, zero == 0 else {
            throw GscapError(.malformed, "the BigTIFF header has offsets of \(size) bytes; they must have 8")
        }
        return try TIFFLayout.big.link(&reader)
    }
}
