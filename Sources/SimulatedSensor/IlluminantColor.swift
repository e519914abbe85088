internal import RawImage

/// Colours of illuminants, and chromatic adaptation to D50.
enum IlluminantColor {
    /// CIE XYZ of D50 at Y = 1.
    static let d50 = SIMD3(0.9642, 1.0, 0.8249)

    /// Converts linear sRGB to CIE XYZ adapted to D50; white becomes `d50`.
    static let sRGBToD50 = Matrix3(
        SIMD3(0.4360747, 0.3850649, 0.1430604), SIMD3(0.2225045, 0.7168786, 0.0606169),
        SIMD3(0.0139322, 0.0971045, 0.7138633))

    /// Returns CIE XYZ at Y = 1 of an illuminant: a black body below 4000 K, CIE daylight above 5000 K, and a mixture
    /// between.
    static func white(temperature: Double) -> SIMD3<Double> {
        let weight = min(max((temperature - 4000) / 1000, 0), 1)
        let (body, day) = (blackBody(temperature), daylight(max(temperature, 4000)))
        let x = body.x + (day.x - body.x) * weight
        let y = body.y + (day.y - body.y) * weight
        return SIMD3(x / y, 1, (1 - x - y) / y)
    }

    /// Returns the Bradford matrix that adapts XYZ from the white point `white` to D50.
    static func adaptationToD50(from white: SIMD3<Double>) -> Matrix3 {
        let cones = Matrix3(
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
        let scale = Matrix3(diagonal: (cones * d50) / (cones * white))
        return (cones.inverse ?? .identity) * scale * cones
    }

    /// Returns the CIE 1931 x and y of a black body at a temperature in kelvin, by the cubic approximation of Kim et
    /// al.
    private static func blackBody(_ temperature: Double) -> (x: Double, y: Double) {
        let t = 1000 / temperature
        let x =
            temperature < 4000
            ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
            : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
        let y =
            if temperature < 2222 {
                ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
            } else if temperature < 4000 {
                ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
            } else {
                ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483
            }
        return (x, y)
    }

    /// Returns the CIE 1931 x and y of CIE daylight at a temperature of at least 4000 K.
    private static func daylight(_ temperature: Double) -> (x: Double, y: Double) {
        let t = 1000 / temperature
        let x =
            temperature <= 7000
            ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
            : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
        return (x, (-3 * x + 2.870) * x - 0.275)
    }
}
