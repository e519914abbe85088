internal import Glibc

// White points as photographers set them: a correlated colour temperature along the Planckian locus, and a tint
// perpendicular to it in the CIE 1960 UCS diagram.

extension Chromaticity {
    /// Creates the chromaticity of a white point from its temperature in kelvin and its tint: positive tints are
    /// magenta, negative ones green; 3000 would be a distance of 1 in the CIE 1960 diagram.
    package init(temperature: Double, tint: Double) {
        let nearest = Self.blackBody(temperature)
        let tangent = Self.blackBody(temperature * 1.001) - nearest
        let length = (tangent * tangent).sum().squareRoot()
        let normal = SIMD2(-tangent.y, tangent.x) / length
        self.init(uv: nearest + normal * (tint / Self.tintScale))
    }

    /// The white point's correlated colour temperature in kelvin, and its tint: 3000 times the distance from the
    /// Planckian locus in the CIE 1960 diagram, positive for magenta.
    package var temperatureAndTint: (temperature: Double, tint: Double) {
        let point = uv
        func distance(_ mired: Double) -> Double {
            let difference = Self.blackBody(1e6 / mired) - point
            return (difference * difference).sum()
        }
        // Golden-section search from 20 to 1000 mired (50,000 K to 1000 K), where the distance to the locus has a
        // single minimum.
        var (low, high) = (20.0, 1000.0)
        while high - low > 1e-6 {
            let (first, second) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
            if distance(first) < distance(second) { high = second } else { low = first }
        }
        let temperature = 1e6 / ((low + high) / 2)
        let nearest = Self.blackBody(temperature)
        let tangent = Self.blackBody(temperature * 1.001) - nearest
        let length = (tangent * tangent).sum().squareRoot()
        let offset = point - nearest
        return (temperature, (offset.y * tangent.x - offset.x * tangent.y) / length * Self.tintScale)
    }

    /// Units of tint per unit of distance in the CIE 1960 UCS diagram (u, v).
    private static let tintScale = 3000.0

    /// Returns CIE 1960 u, v of a black body at `temperature` kelvin, by Krystek's approximation (1985).
    private static func blackBody(_ temperature: Double) -> SIMD2<Double> {
        let t = temperature
        return SIMD2(
            (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
                / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
            (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
                / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t))
    }

    /// The coordinates u and v of this chromaticity in the CIE 1960 UCS diagram.
    private var uv: SIMD2<Double> {
        SIMD2(4 * x, 6 * y) / (-2 * x + 12 * y + 3)
    }

    private init(uv: SIMD2<Double>) {
        let sum = 2 * uv.x - 8 * uv.y + 4
        self.init(x: 3 * uv.x / sum, y: 2 * uv.y / sum)
    }
}
