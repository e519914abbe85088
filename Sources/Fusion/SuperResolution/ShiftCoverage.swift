internal import Glibc

/// Tests whether the shifts of a burst's frames bring samples of each colour to every pixel.
struct ShiftCoverage {
    /// For each of the four pixels of a 2×2 cell, the number of frames that bring a red sample near it, each weighted
    /// by its nearness. The same frames bring blue samples to the opposite pixels.
    private var weights = SIMD4<Float>.zero

    /// Adds a frame by its motion in mosaic pixels.
    mutating func add(_ motion: SIMD2<Float>) {
        let (x, y) = (Self.nearness(motion.x), Self.nearness(motion.y))
        weights += SIMD4(x.near * y.near, x.far * y.near, x.near * y.far, x.far * y.far)
    }

    /// Whether every pixel of the cell is close to a sample.
    var isWhole: Bool { weights.min() > 0.1 * weights.sum() / 4 }

    /// Returns how near a shift is to an even and to an odd number of pixels.
    private static func nearness(_ shift: Float) -> (near: Float, far: Float) {
        let distance = abs(shift - 2 * (shift / 2).rounded())
        func weight(_ distance: Float) -> Float { expf(-distance * distance / 0.32) }
        return (weight(distance), weight(1 - distance))
    }
}
