/// Maker notes: the camera maker's own part of Exif, mostly directories whose offsets count from the start of the file
/// and are wrong as soon as the note is elsewhere.
package enum MakerNote {
    /// The beginnings of the notes whose offsets count from a position within the note: Nikon's third kind, Olympus and
    /// OM System, Fujifilm, Pentax, Apple.
    private static let movableHeads = [
        Array("Nikon\0".utf8) + [2], Array("OLYMPUS\0".utf8), Array("OM SYSTEM\0".utf8), Array("FUJIFILM".utf8),
        Array("PENTAX \0".utf8), Array("Apple iOS\0".utf8),
    ]

    /// Whether readers understand a note at another position of a file and in a file of another byte order.
    package static func isMovable(_ note: some Collection<UInt8>) -> Bool {
        movableHeads.contains { note.starts(with: $0) }
    }

    /// Returns DNGPrivateData with a note, its byte order and its position in the camera's file, as Adobe's converter
    /// stores it and readers of maker notes know it.
    package static func privateData(_ note: [UInt8], isBigEndian: Bool, position: Int) -> [UInt8] {
        let order = Array((isBigEndian ? "MM" : "II").utf8)
        let content = order + UInt32(clamping: position).bigEndianBytes + note
        // The numbers are big-endian in files of both byte orders. Blocks have an even number of bytes.
        return Array("Adobe\0MakN".utf8) + UInt32(clamping: content.count).bigEndianBytes + content
            + [UInt8](repeating: 0, count: content.count % 2)
    }
}
