import Testing

/// The items of a HEIF file, read as ISO/IEC 23008-12 specifies.
struct HEIFStructure {
    struct Item {
        var type = ""
        var isHidden = false
        var bytes: [UInt8] = []
        /// The properties' types and payloads.
        var properties: [(name: String, bytes: [UInt8], isEssential: Bool)] = []

        func property(_ name: String) -> [UInt8]? { properties.first { $0.name == name }?.bytes }

        /// The width and height before rotation. Encoders that need even sizes add a column or row, which a clean
        /// aperture cuts off.
        var size: [Int] {
            func numbers(_ name: String, _ indices: [Int]) -> [Int]? {
                guard let bytes = property(name) else { return nil }
                return indices.map { index in bytes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | Int($1) } }
            }
            if let aperture = numbers("clap", [0, 1, 2, 3]) {
                return [aperture[0] / aperture[1], aperture[2] / aperture[3]]
            }
            return numbers("ispe", [1, 2]) ?? []
        }
    }

    private(set) var brands: [String] = []
    private(set) var main = 0
    private(set) var items: [Int: Item] = [:]
    /// The references from an item to others, by type.
    private(set) var references: [(type: String, from: Int, to: [Int])] = []
    /// The groups of items, by type.
    private(set) var groups: [(type: String, identifier: Int, items: [Int])] = []

    /// The offset of the data in the meta box (`idat`).
    private var inner = 0

    init(_ bytes: [UInt8]) throws {
        let file = FileBytes(bytes)
        let boxes = try Self.boxes(file, 0..<bytes.count)
        let start = try #require(boxes.first { $0.name == "ftyp" }).range
        brands = stride(from: start.lowerBound + 8, to: start.upperBound, by: 4).map { Self.text(bytes, $0) }
        let meta = try #require(boxes.first { $0.name == "meta" }).range
        let parts = try Self.boxes(file, meta.lowerBound + 4..<meta.upperBound)
        inner = parts.first { $0.name == "idat" }?.range.lowerBound ?? 0
        for box in parts {
            let at = box.range.lowerBound
            switch box.name {
            case "pitm": main = try file.number(at + 4, 2, bigEndian: true)
            case "iinf": try readItems(file, box.range)
            case "iloc": try readData(file, at)
            case "iprp": try readProperties(file, box.range)
            case "iref":
                for reference in try Self.boxes(file, at + 4..<box.range.upperBound) {
                    let numbers = try Self.numbers(file, reference.range, size: 2)
                    #expect(numbers[1] == numbers.count - 2)
                    references.append((reference.name, numbers[0], Array(numbers[2...])))
                }
            case "grpl":
                for group in try Self.boxes(file, box.range) {
                    let numbers = try Self.numbers(file, group.range, size: 4)
                    #expect(numbers[0] == 0 && numbers[2] == numbers.count - 3)
                    groups.append((group.name, numbers[1], Array(numbers[3...])))
                }
            default: break
            }
        }
    }

    /// Returns the IDs of the items of a type.
    func items(_ type: String) -> [Int] { items.filter { $0.value.type == type }.map(\.key).sorted() }

    private mutating func readItems(_ file: FileBytes, _ range: Range<Int>) throws {
        for entry in try Self.boxes(file, range.lowerBound + 6..<range.upperBound) {
            let at = entry.range.lowerBound
            let item = try file.number(at + 4, 2, bigEndian: true)
            items[item, default: Item()].type = Self.text(file.bytes, at + 8)
            items[item]?.isHidden = file.bytes[at + 3] & 1 == 1
        }
    }

    private mutating func readData(_ file: FileBytes, _ start: Int) throws {
        let version = file.bytes[start]
        let (offsetSize, lengthSize) = (Int(file.bytes[start + 4] >> 4), Int(file.bytes[start + 4] & 15))
        let baseSize = Int(file.bytes[start + 5] >> 4)
        var at = start + 6
        func next(_ count: Int) throws -> Int {
            defer { at += count }
            return count == 0 ? 0 : try file.number(at, count, bigEndian: true)
        }
        for _ in 0..<(try next(2)) {
            let item = try next(2)
            // The construction method, 1 for data in the meta box, then the data reference index.
            let isInner = try version > 0 && next(2) == 1
            _ = try next(2)
            let base = try next(baseSize) + (isInner ? inner : 0)
            for _ in 0..<(try next(2)) {
                let first = base + (try next(offsetSize))
                let count = try next(lengthSize)
                try #require(first + count <= file.bytes.count)
                items[item, default: Item()].bytes += file.bytes[first..<first + count]
            }
        }
    }

    private mutating func readProperties(_ file: FileBytes, _ range: Range<Int>) throws {
        let parts = try Self.boxes(file, range)
        let list = try Self.boxes(file, #require(parts.first { $0.name == "ipco" }).range)
        var at = try #require(parts.first { $0.name == "ipma" }).range.lowerBound
        let size = file.bytes[at + 3] & 1 == 1 ? 2 : 1
        let count = try file.number(at + 4, 4, bigEndian: true)
        at += 8
        var previous = 0
        for _ in 0..<count {
            let item = try file.number(at, 2, bigEndian: true)
            #expect(item > previous, "the entries of ipma are in order")
            previous = item
            for position in 0..<Int(file.bytes[at + 2]) {
                let word = try file.number(at + 3 + position * size, size, bigEndian: true)
                let mark = size == 2 ? 0x8000 : 0x80
                let box = try #require(list.indices.contains(word & ~mark - 1) ? list[word & ~mark - 1] : nil)
                items[item, default: Item()].properties.append(
                    (box.name, Array(file.bytes[box.range]), word & mark != 0))
            }
            at += 3 + Int(file.bytes[at + 2]) * size
        }
    }

    private static func boxes(_ file: FileBytes, _ range: Range<Int>) throws -> [(name: String, range: Range<Int>)] {
        var boxes: [(name: String, range: Range<Int>)] = []
        var at = range.lowerBound
        while at < range.upperBound {
            let size = try file.number(at, 4, bigEndian: true)
            try #require(size >= 8 && at + size <= range.upperBound)
            boxes.append((text(file.bytes, at + 4), at + 8..<at + size))
            at += size
        }
        return boxes
    }

    private static func numbers(_ file: FileBytes, _ range: Range<Int>, size: Int) throws -> [Int] {
        try stride(from: range.lowerBound, to: range.upperBound, by: size).map {
            try file.number($0, size, bigEndian: true)
        }
    }

    private static func text(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
}
