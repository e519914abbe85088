/// A marker of JPEG: the byte that follows one of 255.
struct JPEGMarker: RawRepresentable, Hashable {
    var rawValue: UInt8

    static let losslessFrame = JPEGMarker(rawValue: 0xC3)
    static let huffmanTables = JPEGMarker(rawValue: 0xC4)
    static let startOfImage = JPEGMarker(rawValue: 0xD8)
    static let endOfImage = JPEGMarker(rawValue: 0xD9)
    static let startOfScan = JPEGMarker(rawValue: 0xDA)
    static let restartInterval = JPEGMarker(rawValue: 0xDD)

    /// The marker between restart intervals, which are counted modulo 8.
    static func restart(_ index: Int) -> JPEGMarker { JPEGMarker(rawValue: 0xD0 | UInt8(index & 7)) }

    /// Starts a frame of a kind that is not lossless, or not by Huffman codes.
    var isForeignFrame: Bool {
        0xC0...0xCF ~= rawValue && ![Self.losslessFrame, Self.huffmanTables].contains(self)
    }

    /// Has no length and no content.
    var standsAlone: Bool { rawValue == 0x01 || 0xD0...0xD7 ~= rawValue }
}
