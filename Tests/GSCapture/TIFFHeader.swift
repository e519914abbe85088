import Testing

/// The first directory of a little-endian TIFF file.
struct TIFFHeader {
    private let bytes: [UInt8]
    /// The type, the count and the offset of the values of each tag.
    private let entries: [Int: (type: Int, count: Int, offset: Int)]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        try #require(bytes.starts(with: [0x49, 0x49, 42, 0]))
        let start = try Self.number(bytes, 4, 4)
        var entries: [Int: (type: Int, count: Int, offset: Int)] = [:]
        for entry in 0..<(try Self.number(bytes, start, 2)) {
            let at = start + 2 + entry * 12
            let (type, count) = (try Self.number(bytes, at + 2, 2), try Self.number(bytes, at + 4, 4))
            let size = (Self.sizes[type] ?? 8) * count
            entries[try Self.number(bytes, at, 2)] = (
                type, count, size <= 4 ? at + 8 : try Self.number(bytes, at + 8, 4)
            )
        }
        self.entries = entries
    }

    /// The bytes of a value, by TIFF type.
    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4]

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) throws -> Int {
        try #require(offset >= 0 && offset + count <= bytes.count)
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the first number of a tag.
    func number(_ tag: Int) throws -> Int {
        let entry = try #require(entries[tag])
        return try Self.number(bytes, entry.offset, Self.sizes[entry.type] ?? 4)
    }

    /// Returns the text of a tag.
    func text(_ tag: Int) throws -> String {
        let entry = try #require(entries[tag])
        try #require(entry.offset + entry.count <= bytes.count)
        return String(decoding: bytes[entry.offset..<entry.offset + entry.count], as: UTF8.self)
    }

    /// Returns the first `count` bytes of the picture.
    func pixels(_ count: Int) throws -> [UInt8] {
        let start = try number(273)
        try #require(start + count <= bytes.count)
        return Array(bytes[start..<start + count])
    }
}
