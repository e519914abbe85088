import Develop
import Glibc
import RawImage
import SimulatedSensor
import Testing

/// Tests the simulated sensor's colour chart under three illuminants: rendered colours match the chart's.
@Suite struct ChartColorTests {
    @Test(arguments: [2850.0, 5000, 6500]) func theChartsColoursComeOut(_ temperature: Double) throws {
        var settings = SensorSettings()
        (settings.width, settings.height, settings.truth, settings.vignetting) = (1008, 756, true, 0)
        settings.colorTemperature = temperature
        let format = settings.format()
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        var span = codes.mutableSpan
        let metadata = try SimulatedSensor(settings).read(
            frame: 0, controls: settings.controls, into: &span, stride: format.stride)
        let mosaic = try Mosaic(format: format, metadata: metadata, codes: codes)
        var recipe = Recipe(sharpness: 0)
        recipe.boost = 0
        let picture = try Renderer(mosaic: mosaic, recipe: recipe).picture(
            Renderer.Output(color: PictureColor(.sRGB, .linear), depth: .half))
        var differences: [Double] = []
        // The brightness of the whole chart sets the scale between rendered and true values.
        var (seen, there) = (0.0, 0.0)
        var means: [SIMD3<Double>] = []
        for patch in settings.chartPatches {
            var sum = SIMD3<Double>()
            for row in patch.rows { for column in patch.columns { sum += picture.color(row, column) } }
            means.append(sum / Double(patch.rows.count * patch.columns.count))
            seen += means[means.count - 1].y
            there += patch.color.y
        }
        for (patch, mean) in zip(settings.chartPatches, means) {
            let (found, wanted) = (Lab(mean * there / seen), Lab(patch.color))
            differences.append(found.difference(wanted))
            if ["white", "neutral 8", "neutral 6.5", "neutral 5", "neutral 3.5"].contains(patch.name) {
                let (a, b) = (found.a - wanted.a, found.b - wanted.b)
                #expect((a * a + b * b).squareRoot() < 0.5, "\(patch.name) is not grey")
            }
        }
        let mean: Double = differences.reduce(0, +) / 24
        #expect(mean <= 1.5)
        #expect(differences.max() ?? 99 <= 4)
    }
}

/// A CIE 1976 L*a*b* colour relative to D65.
struct Lab {
    let l: Double
    let a: Double
    let b: Double

    /// Converts a linear sRGB colour to L*a*b*.
    init(_ color: SIMD3<Double>) {
        let xyz = TestCamera.xyzFromLinearSRGB * color
        let white = TestCamera.xyzFromLinearSRGB * SIMD3(repeating: 1)
        func root(_ t: Double) -> Double { t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116 }
        let (x, y, z) = (root(xyz.x / white.x), root(xyz.y / white.y), root(xyz.z / white.z))
        (l, a, b) = (116 * y - 16, 500 * (x - y), 200 * (y - z))
    }

    /// Returns the CIEDE2000 difference from another colour.
    func difference(_ other: Lab) -> Double {
        let (c1, c2) = (hypot(a, b), hypot(other.a, other.b))
        let power = pow((c1 + c2) / 2, 7)
        let g = 0.5 * (1 - (power / (power + pow(25, 7))).squareRoot())
        let (a1, a2) = (a * (1 + g), other.a * (1 + g))
        let (d1, d2) = (hypot(a1, b), hypot(a2, other.b))
        func angle(_ b: Double, _ a: Double) -> Double {
            let angle = atan2(b, a) * 180 / .pi
            return a == 0 && b == 0 ? 0 : angle < 0 ? angle + 360 : angle
        }
        let (h1, h2) = (angle(b, a1), angle(other.b, a2))
        var turn = h2 - h1
        if d1 * d2 == 0 { turn = 0 } else if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        let dH = 2 * (d1 * d2).squareRoot() * sin(turn / 2 * .pi / 180)
        var hue = h1 + h2
        if d1 * d2 != 0 {
            if abs(h1 - h2) <= 180 { hue /= 2 } else { hue = hue < 360 ? (hue + 360) / 2 : (hue - 360) / 2 }
        }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let t =
            1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6)
            - 0.2 * cosine(4 * hue - 63)
        let (meanL, meanD) = ((l + other.l) / 2, (d1 + d2) / 2)
        let square = (meanL - 50) * (meanL - 50)
        let sL = 1 + 0.015 * square / (20 + square).squareRoot()
        let (sC, sH) = (1 + 0.045 * meanD, 1 + 0.015 * meanD * t)
        let seventh = pow(meanD, 7)
        let bend = -2 * (seventh / (seventh + pow(25, 7))).squareRoot()
        let rotation = bend * sin(60 * exp(-pow((hue - 275) / 25, 2)) * .pi / 180)
        let (dL, dC, dh) = ((other.l - l) / sL, (d2 - d1) / sC, dH / sH)
        return (dL * dL + dC * dC + dh * dh + rotation * dC * dh).squareRoot()
    }
}
