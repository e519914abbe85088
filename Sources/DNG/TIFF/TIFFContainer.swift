/// A classic TIFF file opened for reading: its byte order and access to its directories (IFDs).
///
/// Offsets and counts are validated: a directory is returned only if the values of all its entries lie in the file and
/// their total size is at most the file's, so memory use stays proportional to the file.
struct TIFFContainer: Sendable {
    let source: ByteSource
    let isBigEndian: Bool
    /// The offset of the first directory (IFD0).
    let first: Int

    /// The maximum number of entries accepted in a directory, far above what any camera writes.
    private static let mostEntries = 4096

    init(_ source: ByteSource) throws(DNGError) {
        self.source = source
        guard let header = source.bytes(at: 0, count: 8) else {
            throw DNGError(.malformed, "a DNG file has at least 8 bytes, but this one has \(source.count)")
        }
        switch (header[0], header[1]) {
        case (0x4D, 0x4D): isBigEndian = true
        case (0x49, 0x49): isBigEndian = false
        default: throw DNGError(.malformed, "this is not a DNG file: it starts with neither II nor MM")
        }
        var reader = ByteReader(header, isBigEndian: isBigEndian, start: 2)
        switch try reader.uint16() {
        case 42: first = Int(try reader.uint32())
        case 43: throw DNGError(.unsupported, "this is a BigTIFF file; only classic TIFF files are supported")
        case let magic: throw DNGError(.malformed, "this is not a DNG file: its TIFF magic number is \(magic), not 42")
        }
    }

    /// Reads the directory at a byte offset; throws unless it and its values lie in the file.
    func directory(at offset: Int) throws(DNGError) -> TIFFDirectory {
        guard let head = source.bytes(at: offset, count: 2) else {
            throw DNGError(
                .malformed, "a directory should start at byte \(offset), but the file has \(source.count) bytes")
        }
        var reader = ByteReader(head, isBigEndian: isBigEndian)
        let count = Int(try reader.uint16())
        guard (1...Self.mostEntries).contains(count) else {
            throw DNGError(
                .malformed, "the directory at byte \(offset) has \(count) entries, not 1 to \(Self.mostEntries)")
        }
        guard let bytes = source.bytes(at: offset + 2, count: count * 12) else {
            throw DNGError(.malformed, "the file ends within the directory at byte \(offset)")
        }
        let entries = try entries(of: bytes, directory: offset)
        // Some encoders omit the last directory's link; treat it as 0, the end of the chain.
        var next = 0
        if let link = source.bytes(at: offset + 2 + count * 12, count: 4) {
            var reader = ByteReader(link, isBigEndian: isBigEndian)
            next = Int(try reader.uint32())
        }
        return TIFFDirectory(offset: offset, next: next, container: self, entries: entries)
    }

    private func entries(of bytes: [UInt8], directory: Int) throws(DNGError) -> [TIFFTag: TIFFDirectory.Entry] {
        var entries: [TIFFTag: TIFFDirectory.Entry] = [:]
        var total = 0
        var reader = ByteReader(bytes, isBigEndian: isBigEndian)
        while reader.remaining > 0 {
            let inlineOffset = directory + 2 + reader.position + 8
            let tag = TIFFTag(UInt32(try reader.uint16()))
            let type = TIFFType(rawValue: try reader.uint16())
            let (count, link) = (Int(try reader.uint32()), Int(try reader.uint32()))
            // TIFF 6.0, section 2: readers skip entries of unknown types.
            guard let type else { continue }
            let size = count * type.size
            let isOutside = size > 4
            guard !isOutside || (link <= source.count && size <= source.count - link) else {
                throw DNGError(
                    .malformed,
                    "\(tag) of the directory at byte \(directory) points outside the file; it may be cut off")
            }
            total += isOutside ? size : 0
            // When a tag occurs twice, the first entry is used.
            if entries[tag] == nil {
                entries[tag] = TIFFDirectory.Entry(type: type, count: count, offset: isOutside ? link : inlineOffset)
            }
        }
        guard total <= source.count else {
            throw DNGError(.malformed, "the values of the directory at byte \(directory) are more than the whole file")
        }
        return entries
    }
}
