import Testing

/// Bytes of a file, to look numbers up in.
struct FileBytes {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// A number that starts at a place.
    func number(_ place: Int, _ count: Int, bigEndian: Bool = false) throws -> Int {
        try #require(place >= 0 && place + count <= bytes.count)
        let part = bytes[place..<place + count]
        return (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where words begin, all of them.
    func places(of words: String) -> [Int] {
        let words = Array(words.utf8)
        return bytes.indices.filter { bytes[$0...].starts(with: words) }
    }

    /// The segments of a JPEG up to its pixels: marker, start and length of what is in it.
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

    /// The entries of a TIFF directory, low byte first: type, count and where the values lie.
    func directory(_ place: Int, base: Int = 0) throws -> [Int: (type: Int, count: Int, place: Int)] {
        var entries: [Int: (type: Int, count: Int, place: Int)] = [:]
        for entry in 0..<(try number(base + place, 2)) {
            let at = base + place + 2 + entry * 12
            let (type, count) = (try number(at + 2, 2), try number(at + 4, 4))
            let size = [0, 1, 1, 2, 4, 8, 1, 1][type] * count
            entries[try number(at, 2)] = (type, count, size <= 4 ? at + 8 : base + (try number(at + 8, 4)))
        }
        return entries
    }
}
