internal import PhotoMetadata

/// The boxes of a movie file (ISO 14496-12, and QuickTime's atoms, which have the same structure).
enum Box {
    /// Returns a box of a four-character type.
    static func plain(_ type: String, _ parts: [UInt8]...) -> [UInt8] { plain(type, parts) }

    /// Returns a box of a four-character type.
    static func plain(_ type: String, _ parts: [[UInt8]]) -> [UInt8] {
        let size = parts.reduce(8) { $0 + $1.count }
        return parts.reduce(into: UInt32(clamping: size).bigEndianBytes + Array(type.utf8)) { $0 += $1 }
    }

    /// Returns a full box, which has a version and flags.
    static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ parts: [UInt8]...) -> [UInt8] {
        plain(type, [(UInt32(version) << 24 | flags).bigEndianBytes] + parts)
    }

    /// Returns the numbers as 32-bit words.
    static func words(_ numbers: UInt32...) -> [UInt8] { numbers.flatMap(\.bigEndianBytes) }

    /// Returns the numbers as 16-bit words.
    static func halves(_ numbers: UInt16...) -> [UInt8] { numbers.flatMap(\.bigEndianBytes) }

    /// Returns a number as a 64-bit word.
    static func long(_ number: UInt64) -> [UInt8] { number.bigEndianBytes }

    /// A date, as that of creation and that of modification.
    static func dates(_ date: MovieDate) -> [UInt8] { words(date.seconds, date.seconds) }

    /// The identity matrix of a movie or a track, in 16.16 and 2.30 fixed point.
    static let identity = matrix((1, 0, 0, 1), 0, 0)

    /// Returns the matrix that shows the pictures of a track upright, for an Exif orientation of 1 to 8 and their width
    /// and height: x' = ax + cy + tx, y' = bx + dy + ty.
    static func matrix(orientation: Int, width: Int, height: Int) -> [UInt8] {
        switch orientation {
        case 2: matrix((-1, 0, 0, 1), width, 0)
        case 3: matrix((-1, 0, 0, -1), width, height)
        case 4: matrix((1, 0, 0, -1), 0, height)
        case 5: matrix((0, 1, 1, 0), 0, 0)
        case 6: matrix((0, 1, -1, 0), height, 0)
        case 7: matrix((0, -1, -1, 0), height, width)
        case 8: matrix((0, -1, 1, 0), 0, width)
        default: identity
        }
    }

    private static func matrix(_ turn: (a: Int32, b: Int32, c: Int32, d: Int32), _ tx: Int, _ ty: Int) -> [UInt8] {
        func fixed(_ number: Int32) -> UInt32 { UInt32(bitPattern: number << 16) }
        let (x, y) = (fixed(Int32(clamping: tx)), fixed(Int32(clamping: ty)))
        return words(fixed(turn.a), fixed(turn.b), 0, fixed(turn.c), fixed(turn.d), 0, x, y, 0x4000_0000)
    }
}
