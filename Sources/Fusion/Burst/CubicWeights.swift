internal import PixelMemory

/// The weights of cubic (Catmull-Rom) interpolation between the middle two of four neighbouring samples.
enum CubicWeights {
    /// Returns the four weights at a fraction from 0 (the second sample) to 1 (the third).
    static func at(_ t: Float) -> SIMD4<Float> {
        SIMD4(
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2, (t - 1) * t * t / 2
        )
    }

    /// Stores the four weights at the start of `weights`, where a kernel reads them.
    static func set(_ t: Float, _ weights: MutableMemoryView<Float>) {
        let four = at(t)
        for tap in 0..<4 { weights[tap] = four[tap] }
    }
}
