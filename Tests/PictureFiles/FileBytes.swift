import Testing

/// The bytes of a file, with functions that decode its structure.
struct FileBytes {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Returns the integer of `count` bytes at a byte offset.
    func number(_ offset: Int, _ count: Int, bigEndian: Bool = false) throws -> Int {
        try #require(offset >= 0 && offset + count <= bytes.count)
        let part = bytes[offset..<offset + count]
        return (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns all byte offsets at which a text occurs in the file.
    func offsets(of words: String) -> [Int] {
        let words = Array(words.utf8)
        return bytes.indices.filter { bytes[$0...].starts(with: words) }
    }

    /// Returns the segments of a JPEG before its entropy-coded data: for each its marker, the offset and the size of
    /// its payload.
    func segments(from start: Int = 0) throws -> [(marker: Int, start: Int, count: Int)] {
        var segments: [(marker: Int, start: Int, count: Int)] = []
        var at = start + 2
        while try number(at, 1) == 0xFF {
            let marker = try number(at + 1, 1)
            let count = try number(at + 2, 2, bigEndian: true)
            segments.append((marker, at + 4, count - 2))
            if marker == 0xDA { break }
            at += 2 + count
        }
        return segments
    }

    /// Returns the entries of a little-endian TIFF directory by tag: type, count and offset of the values.
    func directory(_ offset: Int, base: Int = 0) throws -> [Int: (type: Int, count: Int, offset: Int)] {
        var entries: [Int: (type: Int, count: Int, offset: Int)] = [:]
        for entry in 0..<(try number(base + offset, 2)) {
            let at = base + offset + 2 + entry * 12
            let (type, count) = (try number(at + 2, 2), try number(at + 4, 4))
            let size = [0, 1, 1, 2, 4, 8, 1, 1][type] * count
            entries[try number(at, 2)] = (type, count, size <= 4 ? at + 8 : base + (try number(at + 8, 4)))
        }
        return entries
    }
}
