internal import Glibc

/// The tone curve of sRGB as a table: linear light in 16,384 steps to 8 bits.
///
/// So many steps that two neighbours never skip a level, in 16 KiB that stay in a core's nearest cache.
enum DisplayCurve {
    /// The index of full light.
    static let maximum = 16_383

    /// The table, made once.
    static let table: [UInt8] = (0...maximum).map { index in
        UInt8((255 * encoded(Double(index) / Double(maximum))).rounded())
    }

    /// The sRGB encoding of linear light, both 0…1.
    static func encoded(_ light: Double) -> Double {
        light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
