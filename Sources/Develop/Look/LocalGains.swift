internal import Glibc
internal import RawImage

/// Makes the gain table map of a recipe: shadows lifted, highlights held, both by the light around.
///
/// How a map works was measured on Adobe's SDK 1.7.1, whose render of a ramp over 14 stops this foretells to half a level
/// of 255: the weight of balanced linear RIMM light after BaselineExposure, cut at 1 and raised to gamma, times the length
/// is the place in a table, which ends at length − 1; gains between two places, and between tables, are joined by straight
/// lines, and the outermost tables reach to the edges. Light times gain ends at the sensor's white; then comes
/// BaselineExposure, which ends at the display's white, and then the tone curve. So gains brighten nothing beyond the
/// sensor's white, and a negative BaselineExposure would grey it: see `ExposurePlan`.
///
/// Weights are scaled here so that a table ends at the sensor's white: light above the display's white then has places of
/// its own, and bends instead of ending.
struct LocalGains {
    let tones: LocalTones
    let curve: BaseCurve
    /// EV that the sensor's white lies above the display's.
    let range: Float
    /// The brightest level there is, in EV against the display's white.
    let peak: Float
    /// Gains in a table.
    let length: Int

    /// Gains in a table of a photo that is kept, and of a live view.
    static let usualLength = 256
    static let liveLength = 64
    /// The least slope of the picture's brightness over the scene's, both in EV.
    private static let leastSlope: Float = 0.25
    /// The least and most gain.
    private static let bounds: ClosedRange<Float> = 0x1p-16...8
    /// Gains that differ less from 1 change nothing that can be seen.
    private static let visible: Float = 0.02

    /// The map; nil when there is nothing to do.
    func map() -> GainTableMap? {
        // Where the display's white would be at one of the first places, square roots give shadows more of them.
        let gamma: Float = range > 3 || length < Self.usualLength ? 0.5 : 1
        let lights = (0..<length).map { place in
            range.exponential * powf(max(0.25, Float(place)) / Float(length), 1 / gamma)
        }
        // The last stands for the brightest light there is.
        let levels = lights.map(log2f) + [peak]
        let own = levels.map { $0 - range }
        let alikeness = tones.alikeness(to: own)
        var gains = [Float](repeating: 1, count: tones.rows * tones.columns * length)
        unsafe gains.withUnsafeMutableBufferPointer { gains in
            // They stay in place until the last row is done, and each row writes tables of its own.
            nonisolated(unsafe) let gains = unsafe gains
            concurrentBands(rows: tones.rows, of: 1) { rows in
                for index in rows.lowerBound * tones.columns..<rows.upperBound * tones.columns {
                    let table = self.table(index, lights, levels, own, alikeness)
                    for place in 0..<length { unsafe gains[index * length + place] = table[place] }
                }
            }
        }
        guard gains.contains(where: { abs($0 - 1) > Self.visible }) else { return nil }
        let scale = (-range).exponential
        return try? GainTableMap(
            rows: tones.rows, columns: tones.columns, tableLength: length,
            weights: SceneLight.weights.map { $0 * scale }, gains: gains, gamma: gamma)
    }

    /// The gains of one table for lights in the display's measure; `own` are their levels in the sensor's.
    private func table(
        _ table: Int, _ lights: [Float], _ levels: [Float], _ own: [Float], _ alikeness: [Float]
    ) -> [Float] {
        let bases = tones.bases(at: table, of: own, alikeness: alikeness)
        var output = zip(levels, bases).map { $0 + curve.change(at: $1 + range) }
        let brightest = output.removeLast().exponential
        Self.rise(&output, levels)
        return Self.gains(lights, output.map { Shoulder.light($0.exponential, white: brightest) })
    }

    /// Lets levels rise with those they were made of everywhere, as near to where they are as can be: the mean of the
    /// lowest that do so above them and the highest below.
    private static func rise(_ output: inout [Float], _ levels: [Float]) {
        var (above, below) = (output, output)
        let places = output.indices.dropLast()
        for place in places {
            above[place + 1] = max(output[place + 1], above[place] + leastSlope * (levels[place + 1] - levels[place]))
        }
        for place in places.reversed() {
            below[place] = min(output[place], below[place + 1] - leastSlope * (levels[place + 1] - levels[place]))
        }
        output = zip(above, below).map { ($0 + $1) / 2 }
    }

    /// The gains from lights to lights, bounded. From one place to the next a gain falls no faster than light rises
    /// between them: a straight line between two such gains still makes more of more light.
    private static func gains(_ lights: [Float], _ output: [Float]) -> [Float] {
        var gains = zip(lights, output).map { max(bounds.lowerBound, min(bounds.upperBound, $1 / $0)) }
        for place in gains.indices.dropLast().reversed() {
            let (here, next) = (place == 0 ? 0 : lights[place], lights[place + 1])
            gains[place] = min(gains[place], gains[place + 1] * (next + 0.9 * (next - here)) / next)
        }
        return gains
    }
}

/// What becomes of the level of a base, in EV: shadows are lifted, highlights taken down, the middle stays.
struct BaseCurve {
    /// The level that stays, in EV against the display's white.
    static let middle: Float = -2.7

    /// How much of the way to the middle a shadow is lifted, at first.
    var shadowShare: Float
    /// The most that it is lifted, in EV.
    var mostLift: Float
    /// How much of the way to the middle a highlight is taken down, in the end.
    var highlightShare: Float

    /// EV to add.
    func change(at base: Float) -> Float {
        let distance = base - Self.middle
        // Both ends set in smoothly.
        let reach = distance * distance / (abs(distance) + 1)
        guard distance < 0 else { return -highlightShare * reach }
        return mostLift > 0 ? mostLift * (1 - expf(-shadowShare * reach / mostLift)) : 0
    }
}

/// The end of the brightness: light up to a knee stays, what is above bends so that the brightest becomes the display's
/// white.
enum Shoulder {
    private static let knee: Float = 0.75

    static func light(_ light: Float, white: Float) -> Float {
        guard light > knee, white > 1 else { return light }
        let (above, most) = ((light - knee) / (1 - knee), (white - knee) / (1 - knee))
        return knee + (1 - knee) * above * (1 + above / (most * most)) / (1 + above)
    }
}

extension Float {
    /// 2 to this power.
    var exponential: Float { exp2f(self) }
}
