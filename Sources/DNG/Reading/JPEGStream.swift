/// The markers of a JPEG stream, as far as a reader must know them before it chooses a decoder.
struct JPEGStream {
    /// How the picture is coded.
    enum Process: Equatable {
        /// By prediction, without loss.
        case lossless
        /// By cosine transform: what displays expect.
        case transform
        /// In one of the ways that DNG does not have.
        case other(marker: UInt8)
    }

    let bytes: [UInt8]
    let process: Process

    /// A stream; the tables that strips or tiles share are put into it.
    init(_ bytes: [UInt8], tables: [UInt8]) throws(DNGError) {
        guard bytes.starts(with: [0xFF, 0xD8]) else {
            throw DNGError(.malformed, "it does not start as a JPEG stream")
        }
        // The tables are a stream of their own, with a start and an end.
        let isStream = tables.count > 4 && tables.starts(with: [0xFF, 0xD8])
        self.bytes = isStream ? Array(tables.dropLast(2)) + bytes.dropFirst(2) : bytes
        process = try Self.process(of: self.bytes)
    }

    private static func process(of bytes: [UInt8]) throws(DNGError) -> Process {
        var position = 2
        while position + 4 <= bytes.count {
            guard bytes[position] == 0xFF else { break }
            let marker = bytes[position + 1]
            switch marker {
            // Bytes that fill up, and markers without a length.
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD8: position += 2
            case 0xC3: return .lossless
            case 0xC0...0xC2: return .transform
            case 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return .other(marker: marker)
            case 0xD9, 0xDA: throw DNGError(.malformed, "its JPEG stream has no frame before the first scan")
            default: position += 2 + max(2, Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
            }
        }
        throw DNGError(.malformed, "its JPEG stream ends before the first frame")
    }
}
