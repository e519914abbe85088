internal import PhotoMetadata

/// The item properties box (`iprp`) of a HEIF file: a list of properties (`ipco`), and the items that each describes
/// (`ipma`).
struct HEIFItemProperties {
    /// The properties of an item, as numbers from 1 in the list.
    private struct Entry {
        let item: Int
        var properties: [(number: Int, isEssential: Bool)] = []
    }

    private var list: [HEIFBox]
    private var entries: [Entry] = []

    init(_ bytes: [UInt8]) throws(GscapError) {
        let parts = try HEIFBox.boxes(bytes)
        guard parts.map(\.name) == ["ipco", "ipma"] else { throw HEIFBox.unexpected("unsupported iprp box") }
        list = try HEIFBox.boxes(parts[0].bytes)
        let table = parts[1].bytes
        guard table.count >= 8, table[0] == 0 else { throw HEIFBox.unexpected("unsupported ipma box") }
        // Bit 0 of the flags makes property numbers 16 bits long; the highest bit of a number marks it as essential.
        let size = table[3] & 1 == 1 ? 2 : 1
        let mark = size == 2 ? 0x8000 : 0x80
        var at = 8
        while at + 3 <= table.count {
            var entry = Entry(item: HEIFBox.number(table, at: at, bytes: 2))
            let count = Int(table[at + 2])
            at += 3
            guard at + count * size <= table.count else { throw HEIFBox.unexpected("unsupported ipma box") }
            for position in 0..<count {
                let word = HEIFBox.number(table, at: at + position * size, bytes: size)
                entry.properties.append((word & ~mark, word & mark != 0))
            }
            entries.append(entry)
            at += count * size
        }
    }

    /// Returns the properties of an item.
    func properties(of item: Int) -> [HEIFBox] {
        let numbers = entries.first { $0.item == item }?.properties.map(\.number) ?? []
        return numbers.filter { list.indices.contains($0 - 1) }.map { list[$0 - 1] }
    }

    /// Adds a property to an item, a description before the transformations. Items with equal properties have them in
    /// common.
    mutating func add(_ property: HEIFBox, to item: Int) throws(GscapError) {
        let position = list.firstIndex(of: property) ?? list.count
        if position == list.count { list.append(property) }
        let entry = entries.firstIndex { $0.item == item } ?? entries.count
        if entry == entries.count { entries.append(Entry(item: item)) }
        guard list.count < 0x8000, entries[entry].properties.count < 255 else {
            throw HEIFBox.unexpected("too many properties")
        }
        let present = entries[entry].properties
        let transformation = present.firstIndex {
            list.indices.contains($0.number - 1) && list[$0.number - 1].isTransformation
        }
        let place = property.isTransformation ? present.count : transformation ?? present.count
        entries[entry].properties.insert((position + 1, property.isEssentialProperty), at: place)
    }

    /// The payload of the box.
    var bytes: [UInt8] {
        let (size, mark) = list.count < 0x80 ? (1, 0x80) : (2, 0x8000)
        var table: [UInt8] = [0, 0, 0, size == 2 ? 1 : 0] + UInt32(entries.count).bigEndianBytes
        // ISO/IEC 23008-12: the entries are in the order of the item IDs.
        for entry in entries.sorted(by: { $0.item < $1.item }) {
            table += UInt16(clamping: entry.item).bigEndianBytes + [UInt8(clamping: entry.properties.count)]
            for (number, isEssential) in entry.properties {
                table += UInt16(isEssential ? number | mark : number).bigEndianBytes.suffix(size)
            }
        }
        return HEIFBox(name: "ipco", bytes: list.flatMap(\.whole)).whole + HEIFBox(name: "ipma", bytes: table).whole
    }
}
