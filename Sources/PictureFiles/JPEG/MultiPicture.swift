internal import PhotoMetadata

/// The index of a file of two JPEGs (CIPA DC-007), which stands in the first.
struct MultiPicture {
    /// Bytes of the second JPEG.
    let mapSize: Int
    /// Bytes of the first, with this index.
    let primarySize: Int
    /// Where the index's segment begins.
    let place: Int

    /// The mark in front of the index.
    private static let identifier: [UInt8] = Array("MPF".utf8) + [0]

    /// How long the index's segment is, with its marker.
    static var segmentSize: Int { 4 + MultiPicture(mapSize: 0, primarySize: 0, place: 0).bytes.count }

    /// What the segment holds.
    var bytes: [UInt8] {
        // Offsets count from behind the mark.
        let offset = primarySize - (place + 4 + Self.identifier.count)
        var block = TIFFBlock()
        block[0xB000] = .undefined(Array("0100".utf8))
        block[0xB001] = .longs([2])
        // The kind (0x030000 is the primary picture), size, place, and no dependents.
        let entries = [0x03_0000, primarySize, 0, 0, 0, mapSize, offset, 0]
        block[0xB002] = .undefined(entries.flatMap { UInt32(clamping: $0).littleEndianBytes })
        return Self.identifier + block.bytes
    }
}
