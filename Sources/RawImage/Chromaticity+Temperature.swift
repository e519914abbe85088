internal import Glibc

// The scale of lights that photographers know: a temperature along the colours of glowing bodies, and a tint across.

extension Chromaticity {
    /// The light of a temperature in kelvin; a tint above 0 leans to the magenta, below to the green.
    package init(temperature: Double, tint: Double) {
        let spot = Self.glow(temperature)
        let ahead = Self.glow(temperature * 1.001)
        let along = ahead - spot
        let length = (along * along).sum().squareRoot()
        let across = SIMD2(-along.y, along.x) / length
        self.init(uniform: spot + across * (tint / Self.tintScale))
    }

    /// The temperature in kelvin of the glowing body whose colour is nearest, and the tint beside it.
    package var temperatureAndTint: (temperature: Double, tint: Double) {
        let spot = uniform
        func distance(_ mired: Double) -> Double {
            let difference = Self.glow(1e6 / mired) - spot
            return (difference * difference).sum()
        }
        // The distance has one valley.
        var (low, high) = (20.0, 1000.0)
        while high - low > 1e-6 {
            let (first, second) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
            if distance(first) < distance(second) { high = second } else { low = first }
        }
        let temperature = 1e6 / ((low + high) / 2)
        let (nearest, ahead) = (Self.glow(temperature), Self.glow(temperature * 1.001))
        let along = ahead - nearest
        let length = (along * along).sum().squareRoot()
        let offset = spot - nearest
        return (temperature, (offset.y * along.x - offset.x * along.y) / length * Self.tintScale)
    }

    /// Steps of tint in a unit of the uniform chart of 1960.
    private static let tintScale = 3000.0

    /// The colour of a glowing body in the uniform chart, after Krystek.
    private static func glow(_ temperature: Double) -> SIMD2<Double> {
        let t = temperature
        return SIMD2(
            (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
                / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
            (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
                / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t))
    }

    private var uniform: SIMD2<Double> {
        SIMD2(4 * x, 6 * y) / (-2 * x + 12 * y + 3)
    }

    private init(uniform spot: SIMD2<Double>) {
        let sum = 2 * spot.x - 8 * spot.y + 4
        self.init(x: 3 * spot.x / sum, y: 2 * spot.y / sum)
    }
}
