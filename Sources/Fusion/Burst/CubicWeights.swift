/// A cubic curve through four neighbours, read between the middle two.
enum CubicWeights {
    /// The neighbours' weights at a place from the second (0) to the third (1).
    static func at(_ t: Float) -> SIMD4<Float> {
        SIMD4(
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2, (t - 1) * t * t / 2
        )
    }

    /// Writes them to where a kernel reads them.
    static func set(_ t: Float, _ weights: UnsafeMutablePointer<Float>) {
        let four = at(t)
        for tap in 0..<4 { unsafe weights[tap] = four[tap] }
    }
}
