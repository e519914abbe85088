internal import Glibc

/// The sRGB transfer function as a table from linear values to 8 bits.
///
/// The table is indexed as the kernels compute it: 256 steps per doubling of the value + 1/256. Half a step is less
/// than a fifth of an 8-bit level everywhere, and the table fits a core's L1 cache.
enum DisplayCurve {
    /// The table of the sRGB transfer function alone.
    static let table = bytes { $0 }

    /// Three copies of the table, one after the other, with the values in the lowest, second and third byte of a 32-bit
    /// word; the second copy also sets the highest byte to 255, an opaque alpha.
    static let words = words(table)

    /// Tabulates `tone` followed by the sRGB transfer function.
    static func bytes(_ tone: (Double) -> Double) -> [UInt8] {
        (0...8 * 256 + 1).map { index in
            let start = UInt32(0x3B80_0000 + index << 15)
            let middle = Double(Float(bitPattern: start + 1 << 14)) - 0x1p-8
            return UInt8((255 * encoded(max(0, min(1, tone(min(middle, 1)))))).rounded())
        }
    }

    /// Returns three copies of a table with the values in the lowest, second and third byte of a word, as in `words`.
    static func words(_ table: [UInt8]) -> [UInt32] {
        (0..<3).flatMap { (byte: Int) -> [UInt32] in
            let alpha: UInt32 = byte == 1 ? 0xFF00_0000 : 0
            return table.map { (value: UInt8) -> UInt32 in UInt32(value) << UInt32(8 * byte) | alpha }
        }
    }

    /// Encodes a linear value in 0...1 to an sRGB signal in 0...1.
    static func encoded(_ linear: Double) -> Double {
        linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }

    /// Decodes an sRGB signal in 0...1 to a linear value in 0...1.
    static func decoded(_ signal: Double) -> Double {
        signal <= 0.040_45 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }
}
