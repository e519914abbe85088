internal import PhotoMetadata

/// The Multi-Picture index (CIPA DC-007) of a file of two JPEGs, stored in the first.
struct MultiPicture {
    /// The size in bytes of the second JPEG, the gain map.
    let mapSize: Int
    /// The size of the first JPEG in bytes, including this index.
    let primarySize: Int
    /// The offset of the index's segment in the file.
    let offset: Int

    /// The identifier at the start of the index's segment.
    static let identifier: [UInt8] = Array("MPF".utf8) + [0]

    /// The size in bytes of the index's APP2 segment, including its marker and length.
    static var segmentSize: Int { 4 + MultiPicture(mapSize: 0, primarySize: 0, offset: 0).bytes.count }

    /// The payload of the index's segment: the identifier and a TIFF directory.
    var bytes: [UInt8] {
        // The index counts offsets from the end of its identifier, not from the start of the file.
        let mapOffset = primarySize - (offset + 4 + Self.identifier.count)
        var block = ExifDirectoryEncoder()
        block[0xB000] = .undefined(Array("0100".utf8))
        block[0xB001] = .longs([2])
        // Each entry has attributes (0x030000 is the primary picture), size, offset and two dependents (none).
        let entries = [0x03_0000, primarySize, 0, 0, 0, mapSize, mapOffset, 0]
        block[0xB002] = .undefined(entries.flatMap { UInt32(clamping: $0).littleEndianBytes })
        return Self.identifier + block.bytes
    }
}
