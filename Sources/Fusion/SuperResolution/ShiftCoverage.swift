internal import Glibc

/// Whether the shifts of a burst's frames bring samples of each colour to every pixel.
struct ShiftCoverage {
    /// The weight of frames near each of the four pixels of a cell, as they see red (or blue, which moves alike).
    private var weights = SIMD4<Float>.zero

    /// Adds a frame by its motion.
    mutating func add(_ motion: SIMD2<Float>) {
        let (x, y) = (Self.nearness(motion.x), Self.nearness(motion.y))
        weights += SIMD4(x.near * y.near, x.far * y.near, x.near * y.far, x.far * y.far)
    }

    /// Whether no pixel of the cell is far from all samples.
    var isWhole: Bool { weights.min() > 0.1 * weights.sum() / 4 }

    /// How near a shift comes to an even and to an odd whole number.
    private static func nearness(_ shift: Float) -> (near: Float, far: Float) {
        let distance = abs(shift - 2 * (shift / 2).rounded())
        func weight(_ distance: Float) -> Float { expf(-distance * distance / 0.32) }
        return (weight(distance), weight(1 - distance))
    }
}
