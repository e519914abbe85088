internal import Glibc

/// A shift by a fraction of a sample along one axis, as weights of four neighbours (a cubic curve through the samples),
/// and what it does to noise.
struct TileShift: Sendable {
    /// Weights of the samples before, at, after and second after the place.
    let weights: SIMD4<Float>
    /// What is left of the power of each of the sixteen frequencies of a tile.
    let power: SIMD16<Float>
    /// What is left of the power of white noise.
    let energy: Float

    /// Fractions of a sample that are told apart.
    static let steps = 64

    /// Where a sample `motion` away is found: so many whole samples, and the shift for the rest.
    static func at(_ motion: Float) -> (whole: Int, shift: TileShift) {
        let place = Int((motion * Float(steps)).rounded())
        return (place >> 6, all[place & (steps - 1)])
    }

    private static let all = (0..<steps).map { TileShift(Float($0) / Float(steps)) }

    private init(_ t: Float) {
        weights = CubicWeights.at(t)
        energy = (weights * weights).sum()
        var power = SIMD16<Float>.zero
        for frequency in 0..<16 {
            let angle = Float(frequency) * .pi / 8
            var (re, im) = (Float(0), Float(0))
            for tap in 0..<4 {
                re += weights[tap] * cosf(angle * Float(tap))
                im += weights[tap] * sinf(angle * Float(tap))
            }
            power[frequency] = re * re + im * im
        }
        self.power = power
    }
}
