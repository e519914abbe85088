internal import PhotoMetadata

/// The boxes of an encoded HEIF or AVIF file, to add the properties and references that libheif and libavif cannot
/// write.
///
/// Supports only the box versions that libheif and libavif write, with 32-bit box sizes and 16-bit item IDs; throws for
/// others.
struct HEIFBoxes {
    /// An auxiliary image of the primary image, such as a matte or depth map, which readers do not show.
    struct Companion {
        /// The item ID of the image.
        var identifier: Int
        /// The auxiliary type, as a URN.
        var kind: String
    }

    /// An item property of a HEIF file, such as the rotation of an image.
    struct Property: Hashable {
        /// The four-character type of the box.
        var name: String
        /// The payload of the box.
        var bytes: [UInt8]

        /// Returns the property (`auxC`) with the type of an auxiliary image.
        static func kind(_ kind: String) -> Property { Property(name: "auxC", bytes: [0, 0, 0, 0] + kind.utf8 + [0]) }

        /// Returns the property (`clli`) with the content light level of an image.
        static func levels(_ levels: ContentLightLevel) -> Property {
            Property(
                name: "clli",
                bytes: levels.whole.maxCLL.bigEndianBytes + levels.whole.maxFALL.bigEndianBytes)
        }

        /// Returns the properties with which readers show an image of an Exif orientation upright: `irot` in
        /// anticlockwise quarter turns, then `imir` with 0 for a top-bottom and 1 for a left-right flip.
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

        /// Whether readers that do not support the property must not show the image.
        var isEssential: Bool { name != "clli" }
    }

    /// A box: its four-character type and payload.
    private struct Box {
        var name: String
        var bytes: [UInt8]

        var whole: [UInt8] { UInt32(bytes.count + 8).bigEndianBytes + Array(name.utf8) + bytes }
    }

    private var boxes: [Box]

    init(_ file: [UInt8]) throws(PictureFileError) {
        boxes = try Self.boxes(file)
    }

    /// Opens a file that has the brand heic, and changes that to `brand`.
    init(_ file: [UInt8], brand: String) throws(PictureFileError) {
        boxes = try Self.boxes(file)
        guard let index = boxes.firstIndex(where: { $0.name == "ftyp" }) else {
            throw Self.unexpected("it has no ftyp box")
        }
        // The major brand, its version, and the compatible brands, of four bytes each.
        for offset in stride(from: 0, to: boxes[index].bytes.count - 3, by: 4)
        where boxes[index].bytes[offset..<offset + 4].elementsEqual("heic".utf8) {
            boxes[index].bytes.replaceSubrange(offset..<offset + 4, with: Array(brand.utf8))
        }
    }

    /// Returns the item ID of the primary image.
    func mainImage() throws(PictureFileError) -> Int {
        for part in try Self.boxes(Array(meta.bytes.dropFirst(4))) where part.name == "pitm" {
            return Self.number(part.bytes, at: 4, bytes: 2)
        }
        throw Self.unexpected("it has no primary item")
    }

    private var meta: Box { boxes.first { $0.name == "meta" } ?? Box(name: "meta", bytes: []) }

    /// Returns the whole file with properties added to items, and with the companions marked as hidden auxiliary images
    /// of the primary image.
    func with(
        _ properties: [(item: Int, property: Property)], _ companions: [Companion] = []
    ) throws(PictureFileError) -> [UInt8] {
        let added = properties + companions.map { ($0.identifier, .kind($0.kind)) }
        if added.isEmpty { return boxes.flatMap(\.whole) }
        guard let metaIndex = boxes.firstIndex(where: { $0.name == "meta" }), meta.bytes.count >= 4 else {
            throw Self.unexpected("it has no meta box")
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
        guard let table = parts.firstIndex(where: { $0.name == "iloc" }) else {
            throw Self.unexpected("it has no iloc box")
        }
        try Self.move(by: growth, in: &parts[table].bytes)
        result[metaIndex].bytes = head + parts.flatMap(\.whole)
        return result.flatMap(\.whole)
    }

    // MARK: Parsing boxes

    private static func boxes(_ bytes: [UInt8]) throws(PictureFileError) -> [Box] {
        var boxes: [Box] = []
        var at = 0
        while at + 8 <= bytes.count {
            let size = number(bytes, at: at, bytes: 4)
            guard size >= 8, at + size <= bytes.count else { throw unexpected("a box has the invalid size \(size)") }
            boxes.append(
                Box(
                    name: String(decoding: bytes[at + 4..<at + 8], as: UTF8.self),
                    bytes: Array(bytes[at + 8..<at + size])))
            at += size
        }
        return boxes
    }

    private static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> Int {
        guard offset + count <= bytes.count else { return 0 }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func unexpected(_ problem: String) -> PictureFileError {
        PictureFileError(.encoder, "cannot add properties to the HEIF file of a library: \(problem)")
    }

    // MARK: Changing boxes

    /// Returns the payload of an `iinf` box with the hidden flag set on the items of the companions.
    private static func hiding(_ companions: [Companion], in bytes: [UInt8]) throws(PictureFileError) -> [UInt8] {
        let headSize = bytes.first == 0 ? 6 : 8
        guard bytes.count >= headSize else { throw unexpected("unsupported iinf box") }
        var entries = try boxes(Array(bytes[headSize...]))
        for index in entries.indices {
            guard entries[index].name == "infe", entries[index].bytes.first == 2, entries[index].bytes.count > 6 else {
                throw unexpected("unsupported entry in the iinf box")
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

    /// Returns the payload of an `iprp` box with properties added to its container (`ipco`) and associated with items
    /// (`ipma`).
    private static func adding(
        _ added: [(item: Int, property: Property)], to bytes: [UInt8]
    ) throws(PictureFileError) -> [UInt8] {
        var parts = try boxes(bytes)
        guard let list = parts.firstIndex(where: { $0.name == "ipco" }),
            let table = parts.firstIndex(where: { $0.name == "ipma" })
        else { throw unexpected("unsupported iprp box") }
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
        guard bytes.count >= 8, bytes[0] == 0 else { throw unexpected("unsupported ipma box") }
        // Bit 0 of the flags makes property indices 16 bits long; the highest bit of an index marks it as essential.
        let size = bytes[3] & 1 == 1 ? 2 : 1
        let mark = size == 2 ? 0x8000 : 0x80
        guard named.allSatisfy({ $0.number < mark }) else { throw unexpected("too many properties") }
        var result = Array(bytes[..<8])
        var at = 8
        while at + 3 <= bytes.count {
            let end = at + 3 + Int(bytes[at + 2]) * size
            guard end <= bytes.count else { throw unexpected("unsupported ipma box") }
            var entry = Array(bytes[at..<end])
            for name in named where name.item == number(entry, at: 0, bytes: 2) {
                guard entry[2] < 255 else { throw unexpected("too many properties") }
                entry[2] += 1
                entry += UInt16(name.isEssential ? name.number | mark : name.number).bigEndianBytes.suffix(size)
            }
            result += entry
            at = end
        }
        return result
    }

    /// Adds `growth` bytes to the file offsets in the payload of an item location box (`iloc`).
    private static func move(by growth: Int, in bytes: inout [UInt8]) throws(PictureFileError) {
        guard bytes.count >= 8, bytes[0] <= 1 else { throw unexpected("unsupported iloc box") }
        let (offsetSize, lengthSize) = (Int(bytes[4] >> 4), Int(bytes[4] & 15))
        let (baseSize, indexSize) = (Int(bytes[5] >> 4), bytes[0] == 1 ? Int(bytes[5] & 15) : 0)
        var at = 8
        for _ in 0..<number(bytes, at: 6, bytes: 2) {
            at += 2
            let isInFile = bytes[0] == 0 || number(bytes, at: at, bytes: 2) & 15 == 0
            at += bytes[0] == 1 ? 4 : 2
            // An item's base offset applies to all its extents, so only the base offset is increased, unless it is 0:
            // then the offset of each extent is.
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
        _ value: Int, at offset: Int, bytes count: Int, in bytes: inout [UInt8]
    ) throws(PictureFileError) {
        let stored = UInt64(value).bigEndianBytes.suffix(count)
        guard offset + count <= bytes.count, stored.count == count, count == 8 || value >> (count * 8) == 0 else {
            throw unexpected("unsupported iloc box")
        }
        bytes.replaceSubrange(offset..<offset + count, with: stored)
    }
}
