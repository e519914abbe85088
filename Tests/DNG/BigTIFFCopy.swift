/// The rewriting of a classic TIFF file as BigTIFF: the same bytes behind a longer header, then directories with 64-bit
/// offsets and counts.
struct BigTIFFCopy {
    private let source: [UInt8]
    private let isBigEndian: Bool
    private var bytes: [UInt8]

    /// The bytes by which a BigTIFF header is longer.
    private static let shift = 8
    /// The tags whose values are offsets of pixels, and of directories.
    private static let (pixels, directories) = ([273, 324], [330, 34_665, 34_853])
    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]

    /// Returns the file as BigTIFF.
    static func of(_ source: [UInt8]) -> [UInt8] {
        var copy = BigTIFFCopy(source)
        let first = copy.directory(at: copy.number(4, 4))
        copy.bytes.replaceSubrange(8..<16, with: copy.ordered(first, 8))
        return copy.bytes
    }

    private init(_ source: [UInt8]) {
        self.source = source
        isBigEndian = source[0] == 0x4D
        bytes = []
        bytes = Array(source.prefix(2)) + ordered(43, 2) + ordered(8, 2) + ordered(0, 2) + ordered(0, 8)
        bytes += source.dropFirst(8)
    }

    /// Appends the directory, and those that it names; returns its offset.
    private mutating func directory(at offset: Int) -> Int {
        var entries: [UInt8] = []
        let count = number(offset, 2)
        for index in 0..<count {
            let start = offset + 2 + 12 * index
            let (tag, type, values) = (number(start, 2), number(start + 2, 2), number(start + 4, 4))
            let size = (Self.sizes[type] ?? 1) * values
            let place = size <= 4 ? start + 8 : number(start + 8, 4)
            var (kind, data) = (type, Array(source[place..<place + size]))
            if (Self.pixels + Self.directories).contains(tag) {
                let isDirectory = Self.directories.contains(tag)
                kind = isDirectory ? 18 : 16
                data = (0..<values).flatMap { value -> [UInt8] in
                    let old = number(place + value * size / values, size / values)
                    return ordered(isDirectory ? directory(at: old) : old + Self.shift, 8)
                }
            }
            if data.count > 8 {
                let at = bytes.count
                bytes += data
                data = ordered(at, 8)
            }
            data += [UInt8](repeating: 0, count: 8 - data.count)
            entries += ordered(tag, 2) + ordered(kind, 2) + ordered(values, 8) + data
        }
        let next = number(offset + 2 + 12 * count, 4)
        let link = next == 0 ? 0 : directory(at: next)
        let start = bytes.count
        bytes += ordered(count, 8) + entries + ordered(link, 8)
        return start
    }

    private func number(_ offset: Int, _ size: Int) -> Int {
        let bytes = source[offset..<offset + size]
        let sum = { (sum: Int, byte: UInt8) in sum << 8 | Int(byte) }
        return isBigEndian ? bytes.reduce(0, sum) : bytes.reversed().reduce(0, sum)
    }

    private func ordered(_ number: Int, _ size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}
