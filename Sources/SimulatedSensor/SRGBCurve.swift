internal import Glibc

/// The transfer curve of sRGB.
enum SRGBCurve {
    /// Display value in 0…1 to linear light in 0…1.
    static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Display value in 8 bits to linear light in 16 bits.
    static let linear8 = table(255)
    /// Display value in 16 bits to linear light in 16 bits.
    static let linear16 = table(65_535)

    private static func table(_ last: Int) -> [UInt16] {
        (0...last).map { UInt16(linear(Double($0) / Double(last)) * 65_535 + 0.5) }
    }
}
