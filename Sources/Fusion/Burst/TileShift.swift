internal import Glibc

/// A sub-pixel shift along one axis: the weights of cubic interpolation, and the power that interpolation leaves at
/// each frequency.
struct TileShift: Sendable {
    /// The weights of the samples at -1, 0, 1 and 2 from the shifted position.
    let weights: SIMD4<Float>
    /// The fraction of the power that interpolation leaves at each of the sixteen frequencies of a tile.
    let power: SIMD16<Float>
    /// The fraction of the power of white noise that interpolation leaves.
    let energy: Float

    /// The number of sub-pixel phases.
    static let steps = 64

    /// Splits a motion into whole samples and the nearest sub-pixel shift.
    static func at(_ motion: Float) -> (whole: Int, shift: TileShift) {
        let phase = Int((motion * Float(steps)).rounded())
        return (phase >> 6, all[phase & (steps - 1)])
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
