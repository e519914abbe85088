/// A JPEG stream with its coding process, which determines the decoder.
struct JPEGStream {
    /// The coding process, from the frame marker (SOF).
    enum Process: Equatable {
        /// Lossless prediction (SOF3).
        case lossless
        /// Discrete cosine transform (SOF0 to SOF2).
        case transform
        /// A process that DNG does not allow.
        case other(marker: UInt8)
    }

    let bytes: [UInt8]
    let process: Process

    /// Creates a stream with the shared JPEGTables inserted; throws if it has no frame header.
    init(_ bytes: [UInt8], tables: [UInt8]) throws(GscapError) {
        guard bytes.starts(with: [0xFF, 0xD8]) else {
            throw GscapError(.malformed, "it does not start with a JPEG SOI marker")
        }
        // JPEGTables is an abbreviated stream with its own SOI and EOI markers.
        let isStream = tables.count > 4 && tables.starts(with: [0xFF, 0xD8])
        self.bytes = isStream ? Array(tables.dropLast(2)) + bytes.dropFirst(2) : bytes
        process = try Self.process(of: self.bytes)
    }

    private static func process(of bytes: [UInt8]) throws(GscapError) -> Process {
        var position = 2
        while position + 4 <= bytes.count {
            guard bytes[position] == 0xFF else { break }
            let marker = bytes[position + 1]
            switch marker {
            // 0xFF fill bytes, then markers without a length (TEM, RSTn, SOI).
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD8: position += 2
            case 0xC3: return .lossless
            case 0xC0...0xC2: return .transform
            case 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return .other(marker: marker)
            case 0xD9, 0xDA: throw GscapError(.malformed, "its JPEG stream has no frame before the first scan")
            default: position += 2 + max(2, Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
            }
        }
        throw GscapError(.malformed, "its JPEG stream ends before the first frame")
    }
}
