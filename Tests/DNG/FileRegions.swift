/// The byte ranges of the parts of a big-endian DNG file, found without the module under test.
struct FileRegions {
    enum Part: String, CaseIterable {
        case raw, previews, tables, mattes, depth, original, directories
    }

    private(set) var ranges: [Part: [Range<Int>]] = [:]
    /// The values that are stored outside their directories, with the positions of their offsets.
    private(set) var values: [(offset: Int, range: Range<Int>)] = []
    private let bytes: [UInt8]

    /// The sizes in bytes of the TIFF types 1 to 13.
    private static let sizes = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
    /// Opcode lists, gain maps and LinearizationTable.
    private static let tables = [50_712, 51_008, 51_009, 51_022, 52_525, 52_544]
    /// OriginalRawFileData.
    private static let original = 50_828
    private static let headerSize = 8

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        ranges[.directories] = [0..<Self.headerSize]
        walk(number(at: 4, size: 4))
    }

    /// The number of bytes in all ranges of a part.
    func count(of part: Part) -> Int { ranges[part, default: []].reduce(0) { $0 + $1.count } }

    /// Returns the position in the file of a part's byte.
    func position(of part: Part, byte: Int) -> Int {
        var byte = byte
        for range in ranges[part, default: []] {
            if byte < range.count { return range.lowerBound + byte }
            byte -= range.count
        }
        return 0
    }

    private func number(at offset: Int, size: Int) -> Int {
        bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func walk(_ offset: Int) {
        let count = number(at: offset, size: 2)
        ranges[.directories, default: []].append(offset..<offset + 2 + 12 * count + 4)
        var values: [Int: [Int]] = [:]
        for entry in (0..<count).map({ offset + 2 + 12 * $0 }) {
            let (tag, type) = (number(at: entry, size: 2), number(at: entry + 2, size: 2))
            let (length, size) = (number(at: entry + 4, size: 4), Self.sizes[type - 1])
            let start = length * size > 4 ? number(at: entry + 8, size: 4) : entry + 8
            if type == 3 || type == 4 || type == 13 {
                values[tag] = (0..<length).map { number(at: start + $0 * size, size: size) }
            }
            guard length * size > 4 else { continue }
            let part: Part =
                tag == Self.original ? .original : Self.tables.contains(tag) ? .tables : .directories
            ranges[part, default: []].append(start..<start + length * size)
            self.values.append((entry + 8, start..<start + length * size))
        }
        let part: Part =
            switch (values[262]?.first, values[254]?.first) {
            case (52_527, _): .mattes
            case (51_177, _): .depth
            case (_, 1): .previews
            default: .raw
            }
        for (start, length) in zip(values[273] ?? values[324] ?? [], values[279] ?? values[325] ?? []) {
            ranges[part, default: []].append(start..<start + length)
        }
        for child in (values[330] ?? []) + (values[34_665] ?? []) + (values[34_853] ?? []) { walk(child) }
    }
}
