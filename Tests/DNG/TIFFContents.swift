/// The directories of a TIFF file, read without the code under test.
struct TIFFContents {
    struct Value: Equatable {
        var type: UInt16
        var count: Int
        var bytes: [UInt8]
        /// The position of the bytes in the file.
        var offset: Int

        static func == (one: Value, other: Value) -> Bool {
            one.type == other.type && one.count == other.count && one.bytes == other.bytes
        }
    }

    private static let sizes = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

    let bytes: [UInt8]
    let isBigEndian: Bool
    let first: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isBigEndian = bytes[0] == 0x4D
        first = Self.number(bytes[4..<8], isBigEndian)
    }

    /// Returns the values of a directory by tag.
    func directory(at start: Int) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for entry in 0..<number(start, 2) {
            let at = start + 2 + 12 * entry
            let (type, count) = (number(at + 2, 2), number(at + 4, 4))
            let size = count * (type < Self.sizes.count ? Self.sizes[type] : 1)
            let offset = size > 4 ? number(at + 8, 4) : at + 8
            values[number(at, 2)] = Value(
                type: UInt16(type), count: count, bytes: Array(bytes[offset..<offset + size]), offset: offset)
        }
        return values
    }

    /// Returns a tag's integers.
    func integers(_ value: Value?) -> [Int] {
        guard let value else { return [] }
        let size = value.bytes.count / max(1, value.count)
        return (0..<value.count).map { Self.number(value.bytes[$0 * size..<($0 + 1) * size], isBigEndian) }
    }

    /// Returns the directory that a tag of another one points to.
    func child(_ tag: Int, of directory: [Int: Value], number: Int = 0) -> [Int: Value] {
        self.directory(at: integers(directory[tag])[number])
    }

    func number(_ offset: Int, _ size: Int) -> Int { Self.number(bytes[offset..<offset + size], isBigEndian) }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
        (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}
