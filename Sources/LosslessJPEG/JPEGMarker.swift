/// A JPEG marker code: the byte after 0xFF.
struct JPEGMarker: RawRepresentable, Hashable {
    var rawValue: UInt8

    static let losslessFrame = JPEGMarker(rawValue: 0xC3)
    static let huffmanTables = JPEGMarker(rawValue: 0xC4)
    static let startOfImage = JPEGMarker(rawValue: 0xD8)
    static let endOfImage = JPEGMarker(rawValue: 0xD9)
    static let startOfScan = JPEGMarker(rawValue: 0xDA)
    static let restartInterval = JPEGMarker(rawValue: 0xDD)

    /// Returns the restart marker (RST0 to RST7) after restart interval `index`, counted from 0.
    static func restart(_ index: Int) -> JPEGMarker { JPEGMarker(rawValue: 0xD0 | UInt8(index & 7)) }

    /// Whether the marker starts a frame (SOF) of a process other than lossless with Huffman coding (SOF3).
    var isForeignFrame: Bool {
        0xC0...0xCF ~= rawValue && ![Self.losslessFrame, Self.huffmanTables].contains(self)
    }

    /// Whether the marker has no length field and no segment (TEM, RST0 to RST7).
    var standsAlone: Bool { rawValue == 0x01 || 0xD0...0xD7 ~= rawValue }
}
