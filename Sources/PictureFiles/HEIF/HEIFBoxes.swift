internal import PhotoMetadata

/// The boxes of a HEIF or AVIF file, to say what libraries cannot: that an image is a companion of another, and properties.
///
/// Only what libheif and libavif write is understood, and checked as it is read: sizes of 32 bits and item numbers of 16.
struct HEIFBoxes {
    /// An image that belongs to the main one and is not shown.
    struct Companion {
        /// The image's number.
        var identifier: Int
        /// What it is, as a name of the internet.
        var kind: String
    }

    /// What is told of an image.
    struct Property: Hashable {
        /// The box's name.
        var name: String
        /// What is in it.
        var bytes: [UInt8]

        /// The property that says what an image is.
        static func kind(_ kind: String) -> Property { Property(name: "auxC", bytes: [0, 0, 0, 0] + kind.utf8 + [0]) }

        /// How bright an image gets.
        static func levels(_ levels: LightLevels) -> Property {
            Property(
                name: "clli",
                bytes: levels.whole.brightest.bigEndianBytes + levels.whole.average.bigEndianBytes)
        }

        /// What makes an image upright that has one of Exif's orientations: quarter turns to the left, and then mirroring,
        /// of top and bottom (0) or left and right (1).
        static func turns(from orientation: Int) -> [Property] {
            let (quarters, mirror): (UInt8, UInt8?) =
                switch orientation {
                case 2: (0, 1)
                case 3: (2, nil)
                case 4: (0, 0)
                case 5: (1, 0)
                case 6: (3, nil)
                case 7: (3, 0)
                case 8: (1, nil)
                default: (0, nil)
                }
            return (quarters == 0 ? [] : [Property(name: "irot", bytes: [quarters])])
                + (mirror.map { [Property(name: "imir", bytes: [$0])] } ?? [])
        }

        /// Whether readers that do not know it shall not show the image.
        var isEssential: Bool { name != "clli" }
    }

    /// A box: its name and what is in it.
    private struct Box {
        var name: String
        var bytes: [UInt8]

        var whole: [UInt8] { UInt32(bytes.count + 8).bigEndianBytes + Array(name.utf8) + bytes }
    }

    private var boxes: [Box]

    init(_ file: [UInt8]) throws(PictureFileError) {
        boxes = try Self.boxes(file)
    }

    /// The number of the image that is shown.
    func mainImage() throws(PictureFileError) -> Int {
        for part in try Self.boxes(Array(meta.bytes.dropFirst(4))) where part.name == "pitm" {
            return Self.number(part.bytes, at: 4, bytes: 2)
        }
        throw Self.unexpected("no main image")
    }

    private var meta: Box { boxes.first { $0.name == "meta" } ?? Box(name: "meta", bytes: []) }

    /// The file with properties added to images, and images that are companions of the main one.
    func with(
        _ properties: [(item: Int, property: Property)], _ companions: [Companion] = []
    ) throws(PictureFileError) -> [UInt8] {
        let added = properties + companions.map { ($0.identifier, .kind($0.kind)) }
        if added.isEmpty { return boxes.flatMap(\.whole) }
        guard let place = boxes.firstIndex(where: { $0.name == "meta" }), meta.bytes.count >= 4 else {
            throw Self.unexpected("no meta box")
        }
        let main = try mainImage()
        var result = boxes
        let head = Array(meta.bytes[..<4])
        var parts = try Self.boxes(Array(meta.bytes[4...]))
        if !companions.isEmpty, !parts.contains(where: { $0.name == "iref" }) {
            parts.append(Box(name: "iref", bytes: [0, 0, 0, 0]))
        }
        for index in parts.indices {
            switch parts[index].name {
            case "iinf": parts[index].bytes = try Self.hiding(companions, in: parts[index].bytes)
            case "iref": parts[index].bytes += companions.flatMap { Self.reference($0, to: main) }
            case "iprp": parts[index].bytes = try Self.adding(added, to: parts[index].bytes)
            default: break
            }
        }
        let growth = parts.reduce(4) { $0 + $1.bytes.count + 8 } - meta.bytes.count
        guard let table = parts.firstIndex(where: { $0.name == "iloc" }) else { throw Self.unexpected("no iloc box") }
        try Self.move(by: growth, in: &parts[table].bytes)
        result[place].bytes = head + parts.flatMap(\.whole)
        return result.flatMap(\.whole)
    }

    // MARK: Reading

    private static func boxes(_ bytes: [UInt8]) throws(PictureFileError) -> [Box] {
        var boxes: [Box] = []
        var at = 0
        while at + 8 <= bytes.count {
            let size = number(bytes, at: at, bytes: 4)
            guard size >= 8, at + size <= bytes.count else { throw unexpected("a box of \(size) bytes") }
            boxes.append(
                Box(
                    name: String(decoding: bytes[at + 4..<at + 8], as: UTF8.self),
                    bytes: Array(bytes[at + 8..<at + size])))
            at += size
        }
        return boxes
    }

    private static func number(_ bytes: [UInt8], at place: Int, bytes count: Int) -> Int {
        guard place + count <= bytes.count else { return 0 }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func unexpected(_ what: String) -> PictureFileError {
        PictureFileError(.encoder, "a library made a HEIF file that nothing can be added to: \(what)")
    }

    // MARK: Changes

    /// Marks images as not to be shown.
    private static func hiding(_ companions: [Companion], in bytes: [UInt8]) throws(PictureFileError) -> [UInt8] {
        let headSize = bytes.first == 0 ? 6 : 8
        guard bytes.count >= headSize else { throw unexpected("its iinf box") }
        var entries = try boxes(Array(bytes[headSize...]))
        for index in entries.indices {
            guard entries[index].name == "infe", entries[index].bytes.first == 2, entries[index].bytes.count > 6 else {
                throw unexpected("an entry of its iinf box")
            }
            let identifier = number(entries[index].bytes, at: 4, bytes: 2)
            if companions.contains(where: { $0.identifier == identifier }) { entries[index].bytes[3] |= 1 }
        }
        return bytes[..<headSize] + entries.flatMap(\.whole)
    }

    private static func reference(_ companion: Companion, to main: Int) -> [UInt8] {
        let numbers = [companion.identifier, 1, main].flatMap { UInt16(clamping: $0).bigEndianBytes }
        return Box(name: "auxl", bytes: numbers).whole
    }

    /// Adds properties to the list of all, and to the table of which image has which.
    private static func adding(
        _ added: [(item: Int, property: Property)], to bytes: [UInt8]
    ) throws(PictureFileError) -> [UInt8] {
        var parts = try boxes(bytes)
        guard let list = parts.firstIndex(where: { $0.name == "ipco" }),
            let table = parts.firstIndex(where: { $0.name == "ipma" })
        else { throw unexpected("its iprp box") }
        let first = try boxes(parts[list].bytes).count + 1
        var numbers: [Property: Int] = [:]
        for property in added.map(\.property) where numbers[property] == nil {
            numbers[property] = first + numbers.count
            parts[list].bytes += Box(name: property.name, bytes: property.bytes).whole
        }
        let named = added.map {
            (item: $0.item, number: numbers[$0.property] ?? 0, isEssential: $0.property.isEssential)
        }
        parts[table].bytes = try adding(named, toTable: parts[table].bytes)
        return parts.flatMap(\.whole)
    }

    private static func adding(
        _ named: [(item: Int, number: Int, isEssential: Bool)], toTable bytes: [UInt8]
    ) throws(PictureFileError) -> [UInt8] {
        guard bytes.count >= 8, bytes[0] == 0 else { throw unexpected("its ipma box") }
        // The last flag makes the numbers of properties 16 bits long; the highest bit says that readers must know them.
        let size = bytes[3] & 1 == 1 ? 2 : 1
        let mark = size == 2 ? 0x8000 : 0x80
        guard named.allSatisfy({ $0.number < mark }) else { throw unexpected("its many properties") }
        var result = Array(bytes[..<8])
        var at = 8
        while at + 3 <= bytes.count {
            let end = at + 3 + Int(bytes[at + 2]) * size
            guard end <= bytes.count else { throw unexpected("its ipma box") }
            var entry = Array(bytes[at..<end])
            for name in named where name.item == number(entry, at: 0, bytes: 2) {
                guard entry[2] < 255 else { throw unexpected("its many properties") }
                entry[2] += 1
                entry += UInt16(name.isEssential ? name.number | mark : name.number).bigEndianBytes.suffix(size)
            }
            result += entry
            at = end
        }
        return result
    }

    /// Moves the places in the file that the table of items names.
    private static func move(by growth: Int, in bytes: inout [UInt8]) throws(PictureFileError) {
        guard bytes.count >= 8, bytes[0] <= 1 else { throw unexpected("its iloc box") }
        let (offsetSize, lengthSize) = (Int(bytes[4] >> 4), Int(bytes[4] & 15))
        let (baseSize, indexSize) = (Int(bytes[5] >> 4), bytes[0] == 1 ? Int(bytes[5] & 15) : 0)
        var at = 8
        for _ in 0..<number(bytes, at: 6, bytes: 2) {
            at += 2
            let isInFile = bytes[0] == 0 || number(bytes, at: at, bytes: 2) & 15 == 0
            at += bytes[0] == 1 ? 4 : 2
            // A base counts for all parts of an item.
            let base = number(bytes, at: at, bytes: baseSize)
            if isInFile, base > 0 { try store(base + growth, at: at, bytes: baseSize, in: &bytes) }
            at += baseSize
            let parts = number(bytes, at: at, bytes: 2)
            at += 2
            for _ in 0..<parts {
                at += indexSize
                let offset = number(bytes, at: at, bytes: offsetSize)
                if isInFile, base == 0 { try store(offset + growth, at: at, bytes: offsetSize, in: &bytes) }
                at += offsetSize + lengthSize
            }
        }
    }

    private static func store(
        _ value: Int, at place: Int, bytes count: Int, in bytes: inout [UInt8]
    ) throws(PictureFileError) {
        let stored = UInt64(value).bigEndianBytes.suffix(count)
        guard place + count <= bytes.count, stored.count == count, count == 8 || value >> (count * 8) == 0 else {
            throw unexpected("its iloc box")
        }
        bytes.replaceSubrange(place..<place + count, with: stored)
    }
}
