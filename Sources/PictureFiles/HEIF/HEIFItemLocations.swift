internal import PhotoMetadata

/// The item location box (`iloc`) of a HEIF file: the parts of the file that contain the data of each item.
struct HEIFItemLocations {
    /// The location of an item's data.
    struct Entry {
        let item: Int
        /// The construction method: 0 if the offsets count from the start of the file, 1 from that of the box `idat`.
        var method = 0
        /// The data reference index and, if the box has them, the base offset and the extents' indices.
        var source = 0
        var base = 0
        var extents: [(index: Int, offset: Int, count: Int)]
    }

    var entries: [Entry] = []
    private let version: UInt8
    /// The sizes in bytes of offsets, lengths, base offsets and extent indices.
    private let sizes: (offset: Int, length: Int, base: Int, index: Int)

    init(_ bytes: [UInt8]) throws(GscapError) {
        guard bytes.count >= 8, bytes[0] <= 1 else { throw HEIFBox.unexpected("unsupported iloc box") }
        version = bytes[0]
        let (first, second) = (Int(bytes[4]), Int(bytes[5]))
        sizes = (first >> 4, first & 15, second >> 4, version == 1 ? second & 15 : 0)
        var at = 6
        func next(_ count: Int) -> Int {
            defer { at += count }
            return HEIFBox.number(bytes, at: at, bytes: count)
        }
        for _ in 0..<next(2) {
            let item = next(2)
            let method = version == 1 ? next(2) & 15 : 0
            let (source, base) = (next(2), next(sizes.base))
            let extents = (0..<next(2)).map { _ in (next(sizes.index), next(sizes.offset), next(sizes.length)) }
            entries.append(Entry(item: item, method: method, source: source, base: base, extents: extents))
        }
        guard at <= bytes.count else { throw HEIFBox.unexpected("the iloc box is too short") }
    }

    /// The size of the box's payload in bytes.
    var size: Int {
        let extent = sizes.index + sizes.offset + sizes.length
        let head = (version == 1 ? 8 : 6) + sizes.base
        return 8 + entries.reduce(0) { $0 + head + $1.extents.count * extent }
    }

    /// Adds `growth` bytes to the file offsets of the items.
    mutating func move(by growth: Int) {
        for entry in entries.indices where entries[entry].method == 0 {
            // An item's base offset applies to all its extents, so only the base offset is increased, unless it is 0:
            // then the offset of each extent is.
            if entries[entry].base > 0 {
                entries[entry].base += growth
            } else {
                for extent in entries[entry].extents.indices { entries[entry].extents[extent].offset += growth }
            }
        }
    }

    /// Returns the data of an item, from the file or from the payload of its box `idat`.
    func data(of item: Int, in file: [UInt8], _ idat: [UInt8]) throws(GscapError) -> [UInt8] {
        guard let entry = entries.first(where: { $0.item == item }), entry.method <= 1 else {
            throw HEIFBox.unexpected("the data of an image are in other items")
        }
        let source = entry.method == 0 ? file : idat
        var data: [UInt8] = []
        for extent in entry.extents {
            let start = entry.base + extent.offset
            guard start + extent.count <= source.count else { throw HEIFBox.unexpected("the file is too short") }
            data += source[start..<start + extent.count]
        }
        return data
    }

    /// Returns the payload of the box; throws if an offset exceeds the size that the library chose for offsets.
    func bytes() throws(GscapError) -> [UInt8] {
        var bytes: [UInt8] = [version, 0, 0, 0, UInt8(sizes.offset << 4 | sizes.length)]
        bytes += [UInt8(sizes.base << 4 | sizes.index)] + UInt16(clamping: entries.count).bigEndianBytes
        for entry in entries {
            bytes += UInt16(clamping: entry.item).bigEndianBytes
            if version == 1 { bytes += UInt16(clamping: entry.method).bigEndianBytes }
            bytes += UInt16(clamping: entry.source).bigEndianBytes
            bytes += try Self.stored(entry.base, sizes.base)
            bytes += UInt16(clamping: entry.extents.count).bigEndianBytes
            for extent in entry.extents {
                bytes += try Self.stored(extent.index, sizes.index)
                bytes += try Self.stored(extent.offset, sizes.offset)
                bytes += try Self.stored(extent.count, sizes.length)
            }
        }
        return bytes
    }

    private static func stored(_ value: Int, _ count: Int) throws(GscapError) -> [UInt8] {
        let stored = UInt64(value).bigEndianBytes.suffix(count)
        guard stored.count == count, count == 8 || value >> (count * 8) == 0 else {
            throw HEIFBox.unexpected("an offset exceeds its \(count) bytes in the iloc box")
        }
        return Array(stored)
    }
}
