internal import Glibc

/// The transfer curve of sRGB.
enum SRGBCurve {
    /// Display value in 0…1 to linear light in 0…1.
    static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
