/// Looks at directories before libtiff does.
///
/// libtiff copies every value of a directory, also of tags it does not know. A small file could make it copy its own
/// bytes thousands of times, so a directory whose values are more than the file is refused. What remains costs
/// memory in proportion to the file.
struct DirectoryCheck {
    private let source: ByteSource
    private let isBigEndian: Bool
    /// Where the first directory lies.
    let first: Int

    /// Bytes of a value of each type, from 1 on.
    private static let sizes = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
    /// No camera writes more tags into one directory.
    private static let mostEntries = 4096

    init(_ source: ByteSource) throws(DNGError) {
        self.source = source
        guard let header = source.bytes(at: 0, count: 8) else {
            throw DNGError(.malformed, "\(source.count) bytes are too few for a DNG file")
        }
        switch (header[0], header[1]) {
        case (0x4D, 0x4D): isBigEndian = true
        case (0x49, 0x49): isBigEndian = false
        default: throw DNGError(.malformed, "this is not a DNG file: it starts with neither II nor MM")
        }
        switch Self.number(header[2..<4], isBigEndian) {
        case 42: first = Self.number(header[4..<8], isBigEndian)
        case 43: throw DNGError(.unsupported, "this is a BigTIFF file; only classic TIFF containers are read")
        case let magic: throw DNGError(.malformed, "this is not a DNG file: its mark is \(magic), not 42")
        }
    }

    /// Checks the directory at `offset`; returns where the next one of the chain lies, 0 at the end.
    func next(after offset: Int) throws(DNGError) -> Int {
        guard let head = source.bytes(at: offset, count: 2) else {
            throw DNGError(.malformed, "a directory should lie at byte \(offset), but the file has \(source.count)")
        }
        let count = Self.number(head[0..<2], isBigEndian)
        guard (1...Self.mostEntries).contains(count) else {
            throw DNGError(.malformed, "the directory at byte \(offset) has \(count) entries")
        }
        guard let entries = source.bytes(at: offset + 2, count: count * 12) else {
            throw DNGError(.malformed, "the file ends within the directory at byte \(offset)")
        }
        var total = 0
        for start in stride(from: 0, to: entries.count, by: 12) {
            total += try size(of: entries[start..<start + 12], directory: offset)
        }
        guard total <= source.count else {
            throw DNGError(.malformed, "the values of the directory at byte \(offset) are more than the whole file")
        }
        // Some writers leave out the last link.
        return source.bytes(at: offset + 2 + count * 12, count: 4).map { Self.number($0[0..<4], isBigEndian) } ?? 0
    }

    /// How many bytes outside the directory an entry's values take.
    private func size(of entry: ArraySlice<UInt8>, directory: Int) throws(DNGError) -> Int {
        let start = entry.startIndex
        let type = Self.number(entry[start + 2..<start + 4], isBigEndian)
        guard (1...Self.sizes.count).contains(type) else { return 0 }
        let bytes = Self.number(entry[start + 4..<start + 8], isBigEndian) * Self.sizes[type - 1]
        if bytes <= 4 { return 0 }
        let offset = Self.number(entry[start + 8..<start + 12], isBigEndian)
        guard offset <= source.count, bytes <= source.count - offset else {
            let tag = Self.number(entry[start..<start + 2], isBigEndian)
            throw DNGError(
                .malformed,
                "tag \(tag) of the directory at byte \(directory) points outside the file; it may be cut off")
        }
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
        let sum = { (sum: Int, byte: UInt8) in sum << 8 | Int(byte) }
        return isBigEndian ? bytes.reduce(0, sum) : bytes.reversed().reduce(0, sum)
    }
}
