/// Apple's maker note, as far as Live Photos need it. Readers recognize it by its header, whatever the camera's make.
package enum AppleMakerNote {
    /// The header: the name, version 1, and the byte order, big-endian.
    private static let header = Array("Apple iOS".utf8) + [0, 0, 1] + Array("MM".utf8)
    /// The number of the tag with the content identifier.
    private static let identifierTag: UInt16 = 0x11

    /// Returns the maker note with the content identifier of a Live Photo, by which still and movie belong together.
    package static func bytes(contentIdentifier: String) -> [UInt8] {
        let text: [UInt8] = Array(contentIdentifier.utf8.filter { $0 != 0 }) + [0]
        // A directory with one entry of type ASCII; offsets count from the start of the header.
        let directory: UInt32 = UInt32(header.count)
        let values = directory + 2 + 12 + 4
        let count = UInt32(clamping: text.count)
        let entry: [UInt8] = identifierTag.bigEndianBytes + UInt16(2).bigEndianBytes + count.bigEndianBytes
        // A text of at most four bytes stands in the entry itself.
        let isInside = text.count <= 4
        let value = isInside ? text + [UInt8](repeating: 0, count: 4 - text.count) : values.bigEndianBytes
        let next: [UInt8] = [0, 0, 0, 0]
        let outside: [UInt8] = isInside ? [] : text
        return header + UInt16(1).bigEndianBytes + entry + value + next + outside
    }

    /// Returns a maker note of this size without entries.
    package static func empty(size: Int) -> [UInt8] {
        let note = header + [UInt8](repeating: 0, count: 2 + 4)
        return note + [UInt8](repeating: 0, count: max(0, size - note.count))
    }
}
