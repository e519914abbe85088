internal import Glibc

/// The tone curve of sRGB as a table: linear light to 8 bits.
///
/// Its steps are those of the kernels' index: 256 to each doubling of the light and 1/256, so that half a step is less
/// than a fifth of a level anywhere, and the table stays in a core's nearest cache.
enum DisplayCurve {
    /// The table, made once.
    static let table = bytes { $0 }

    /// The table in each byte of a word, byte after byte; the fourth byte is an opaque alpha in the second.
    static let words = words(table)

    /// The table of light that a tone curve changes first.
    static func bytes(_ tone: (Double) -> Double) -> [UInt8] {
        (0...8 * 256 + 1).map { index in
            let start = UInt32(0x3B80_0000 + index << 15)
            let middle = Double(Float(bitPattern: start + 1 << 14)) - 0x1p-8
            return UInt8((255 * encoded(max(0, min(1, tone(min(middle, 1)))))).rounded())
        }
    }

    /// A table in each byte of a word.
    static func words(_ table: [UInt8]) -> [UInt32] {
        (0..<3).flatMap { byte in
            table.map { UInt32($0) << UInt32(8 * byte) | (byte == 1 ? 0xFF00_0000 : 0) }
        }
    }

    /// The sRGB encoding of linear light, both 0…1.
    static func encoded(_ light: Double) -> Double {
        light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// The light of an sRGB encoding, both 0…1.
    static func decoded(_ code: Double) -> Double {
        code <= 0.040_45 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }
}
