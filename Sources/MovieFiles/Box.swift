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
    static let identity = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)
}
