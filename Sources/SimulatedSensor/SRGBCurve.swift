internal import Glibc

/// The sRGB transfer function.
enum SRGBCurve {
    /// Returns the linear value of an sRGB-encoded value, both 0…1.
    static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Lookup table from sRGB-encoded 8-bit values to linear 16-bit values.
    static let linear8 = table(255)
    /// Lookup table from sRGB-encoded 16-bit values to linear 16-bit values.
    static let linear16 = table(65_535)

    private static func table(_ last: Int) -> [UInt16] {
        (0...last).map { UInt16(linear(Double($0) / Double(last)) * 65_535 + 0.5) }
    }
}
