internal import PhotoMetadata

/// The boxes of an encoded HEIF or AVIF file, to add the properties, items and references that libheif and libavif
/// cannot write.
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

    /// An item of a file: an image, or data from which an image is derived.
    struct Item {
        /// The four-character type of the item, such as "hvc1".
        var type: String
        /// The data of the item.
        var bytes: [UInt8]
        var properties: [HEIFBox]
        /// Whether readers do not show the item by itself.
        var isHidden = false
        /// The images from which the item is derived, such as the tiles of a grid.
        var inputs: [Item] = []
    }

    private let file: [UInt8]
    /// The boxes of the file. The payload of the meta box is replaced by `parts` at the end.
    private var boxes: [HEIFBox]
    /// The boxes in the meta box. The payloads of `iloc` and `iprp` are replaced at the end.
    private var parts: [HEIFBox]
    private var locations: HEIFItemLocations
    private var properties: HEIFItemProperties
    private var added: [(item: Int, bytes: [UInt8])] = []

    /// Opens a file. With `brand`, that replaces the brand heic.
    init(_ file: [UInt8], brand: String? = nil) throws(GscapError) {
        self.file = file
        boxes = try HEIFBox.boxes(file)
        guard let meta = boxes.first(where: { $0.name == "meta" }), meta.bytes.count >= 4 else {
            throw HEIFBox.unexpected("it has no meta box")
        }
        parts = try HEIFBox.boxes(meta.bytes[4...])
        guard let table = parts.first(where: { $0.name == "iloc" }),
            let list = parts.first(where: { $0.name == "iprp" })
        else { throw HEIFBox.unexpected("it has no iloc or iprp box") }
        locations = try HEIFItemLocations(table.bytes)
        properties = try HEIFItemProperties(list.bytes)
        if let brand { try replaceBrand(with: brand) }
    }

    /// Returns the item ID of the primary image.
    func mainImage() throws(GscapError) -> Int {
        guard let box = parts.first(where: { $0.name == "pitm" }) else {
            throw HEIFBox.unexpected("it has no primary item")
        }
        return HEIFBox.number(box.bytes, at: 4, bytes: 2)
    }

    /// Returns the primary image with its data, properties and inputs. libheif makes pictures of odd size grids of one
    /// tile.
    func mainItem() throws(GscapError) -> Item {
        let main = try mainImage()
        var item = try item(main)
        for input in try inputs(of: main) { item.inputs.append(try self.item(input)) }
        return item
    }

    private func item(_ identifier: Int) throws(GscapError) -> Item {
        guard let entry = try itemEntries().entries.first(where: { Self.identifier($0) == identifier }),
            entry.bytes.count >= 12
        else { throw HEIFBox.unexpected("the iinf box has no item \(identifier)") }
        return Item(
            type: String(decoding: entry.bytes[8..<12], as: UTF8.self),
            bytes: try locations.data(of: identifier, in: file, part("idat") ?? []),
            properties: properties.properties(of: identifier), isHidden: entry.bytes[3] & 1 == 1)
    }

    /// Returns the IDs of the items from which an item is derived (`dimg`).
    private func inputs(of item: Int) throws(GscapError) -> [Int] {
        for box in try HEIFBox.boxes((part("iref") ?? []).dropFirst(4))
        where box.name == "dimg" && HEIFBox.number(box.bytes, at: 0, bytes: 2) == item {
            let count = HEIFBox.number(box.bytes, at: 2, bytes: 2)
            return (0..<count).map { HEIFBox.number(box.bytes, at: 4 + $0 * 2, bytes: 2) }
        }
        return []
    }

    // MARK: Adding

    /// Adds properties to an item, after those that it has.
    mutating func add(_ added: [HEIFBox], to item: Int) throws(GscapError) {
        for property in added { try properties.add(property, to: item) }
    }

    /// Marks images as hidden auxiliary images of the primary image.
    mutating func add(_ companions: [Companion]) throws(GscapError) {
        let main = try mainImage()
        for companion in companions {
            try hide(companion.identifier)
            addReference("auxl", from: companion.identifier, to: [main])
            try add([.kind(companion.kind)], to: companion.identifier)
        }
    }

    /// Adds an item after its inputs and returns its ID, the greatest one.
    mutating func add(_ item: Item) throws(GscapError) -> Int {
        var inputs: [Int] = []
        for input in item.inputs { inputs.append(try add(input)) }
        var (head, entries) = try itemEntries()
        let identifier = (entries.map(Self.identifier).max() ?? 0) + 1
        // After the version, flags, ID and protection index: the type and an empty name.
        let bytes = [2, 0, 0, 0] + UInt16(clamping: identifier).bigEndianBytes + [0, 0] + Array(item.type.utf8) + [0]
        entries.append(HEIFBox(name: "infe", bytes: bytes))
        head.replaceSubrange(4..., with: UInt32(entries.count).bigEndianBytes.suffix(head.count - 4))
        setPart("iinf", head + entries.flatMap(\.whole))
        if item.isHidden { try hide(identifier) }
        try add(item.properties, to: identifier)
        if !inputs.isEmpty { addReference("dimg", from: identifier, to: inputs) }
        added.append((identifier, item.bytes))
        return identifier
    }

    /// Adds a reference of a four-character type from an item to others.
    mutating func addReference(_ type: String, from item: Int, to others: [Int]) {
        let numbers = [item, others.count] + others
        let box = HEIFBox(name: type, bytes: numbers.flatMap { UInt16(clamping: $0).bigEndianBytes })
        setPart("iref", (part("iref") ?? [0, 0, 0, 0]) + box.whole)
    }

    /// Adds a group of items that are alternatives to each other, the preferred one first (`altr`).
    mutating func addAlternatives(_ items: [Int]) throws(GscapError) {
        // The ID of the group must differ from those of all items.
        let group = (try itemEntries().entries.map(Self.identifier).max() ?? 0) + 1
        let numbers = [0, group, items.count] + items
        let box = HEIFBox(name: "altr", bytes: numbers.flatMap { UInt32(clamping: $0).bigEndianBytes })
        setPart("grpl", (part("grpl") ?? []) + box.whole)
    }

    /// Adds a compatible brand.
    mutating func add(brand: String) throws(GscapError) {
        boxes[try brands()].bytes += Array(brand.utf8)
    }

    private mutating func replaceBrand(with brand: String) throws(GscapError) {
        let index = try brands()
        // The major brand, its version, and the compatible brands, of four bytes each.
        for offset in stride(from: 0, to: boxes[index].bytes.count - 3, by: 4)
        where boxes[index].bytes[offset..<offset + 4].elementsEqual("heic".utf8) {
            boxes[index].bytes.replaceSubrange(offset..<offset + 4, with: Array(brand.utf8))
        }
    }

    private func brands() throws(GscapError) -> Int {
        guard let index = boxes.firstIndex(where: { $0.name == "ftyp" }) else {
            throw HEIFBox.unexpected("it has no ftyp box")
        }
        return index
    }

    // MARK: The finished file

    /// Returns the whole file with what was added.
    func finish() throws(GscapError) -> [UInt8] {
        var (boxes, parts, locations) = (boxes, parts, locations)
        var all = locations
        all.entries += added.map { .init(item: $0.item, extents: [(0, 0, 0)]) }
        for index in parts.indices {
            if parts[index].name == "iprp" { parts[index].bytes = properties.bytes }
            // The table is complete in size only: its offsets depend on the size of the meta box.
            if parts[index].name == "iloc" { parts[index].bytes = [UInt8](repeating: 0, count: all.size) }
        }
        let metaSize = 4 + parts.reduce(0) { $0 + $1.size }
        let size = boxes.reduce(0) { $0 + ($1.name == "meta" ? metaSize + 8 : $1.size) }
        // The boxes before the media data have grown.
        locations.move(by: size - file.count)
        // The data of the added items is in a media data box of its own, at the end of the file.
        var end = size + 8
        for (item, bytes) in added {
            locations.entries.append(.init(item: item, extents: [(0, end, bytes.count)]))
            end += bytes.count
        }
        for index in parts.indices where parts[index].name == "iloc" { parts[index].bytes = try locations.bytes() }
        for index in boxes.indices where boxes[index].name == "meta" {
            boxes[index].bytes = boxes[index].bytes[..<4] + parts.flatMap(\.whole)
        }
        if !added.isEmpty { boxes.append(HEIFBox(name: "mdat", bytes: added.flatMap(\.bytes))) }
        return boxes.flatMap(\.whole)
    }

    // MARK: Parts of the meta box

    private func part(_ name: String) -> [UInt8]? { parts.first { $0.name == name }?.bytes }

    private mutating func setPart(_ name: String, _ bytes: [UInt8]) {
        if let index = parts.firstIndex(where: { $0.name == name }) {
            parts[index].bytes = bytes
        } else {
            parts.append(HEIFBox(name: name, bytes: bytes))
        }
    }

    /// Returns the head of the item information box (`iinf`) and its entries.
    private func itemEntries() throws(GscapError) -> (head: [UInt8], entries: [HEIFBox]) {
        let bytes = part("iinf") ?? []
        let headSize = bytes.first == 0 ? 6 : 8
        guard bytes.count >= headSize else { throw HEIFBox.unexpected("unsupported iinf box") }
        let entries = try HEIFBox.boxes(bytes[headSize...])
        guard entries.allSatisfy({ $0.name == "infe" && $0.bytes.first == 2 && $0.bytes.count > 6 }) else {
            throw HEIFBox.unexpected("unsupported entry in the iinf box")
        }
        return (Array(bytes[..<headSize]), entries)
    }

    private static func identifier(_ entry: HEIFBox) -> Int { HEIFBox.number(entry.bytes, at: 4, bytes: 2) }

    /// Sets the hidden flag of an item.
    private mutating func hide(_ item: Int) throws(GscapError) {
        var (head, entries) = try itemEntries()
        for index in entries.indices where Self.identifier(entries[index]) == item { entries[index].bytes[3] |= 1 }
        setPart("iinf", head + entries.flatMap(\.whole))
    }
}
