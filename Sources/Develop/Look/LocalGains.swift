internal import Glibc
internal import PixelMemory
internal import RawImage

/// Computes a recipe's gain table map, which lifts shadows and compresses highlights according to the brightness
/// around them.
///
/// How converters apply a map was measured on Adobe's DNG SDK 1.7.1, whose rendering of a 14-stop ramp this model
/// predicts to half an 8-bit step. The weighted sum of white-balanced linear RIMM values after BaselineExposure,
/// clipped at 1 and raised to gamma, times the table length is the index into a table; it ends at length − 1. Gains
/// are interpolated linearly between entries and between tables, and the outermost tables extend to the edges. The
/// value times the gain is clipped at the sensor's white; BaselineExposure, clipped at the display's white, and the
/// tone curve follow. Therefore gains cannot brighten beyond the sensor's white, and a negative BaselineExposure
/// would turn white grey: see `ExposurePlan`.
///
/// The weights are scaled so that a table ends at the sensor's white: values above the display's white then have
/// their own entries and roll off instead of clipping.
struct LocalGains {
    let grid: BilateralGrid
    let curve: BaseCurve
    /// The sensor's white relative to the display's white, in EV.
    let range: Float
    /// The brightest level in the scene, in EV relative to the display's white.
    let peak: Float
    /// Gains per table.
    let length: Int

    /// Gains per table for a stored photo.
    static let usualLength = 256
    /// Gains per table for a live view.
    static let liveLength = 64
    /// The minimum local contrast: the slope of output over scene brightness, both in EV.
    private static let leastSlope: Float = 0.25
    /// The range to which gains, linear factors, are clamped.
    private static let bounds: ClosedRange<Float> = 0x1p-16...8
    /// The largest deviation from gain 1 that is invisible.
    private static let visible: Float = 0.02

    /// Returns the map; nil if all gains are invisibly close to 1.
    func map() -> GainTableMap? {
        // With the sensor's white far above the display's, or in a short table, shadows would have few entries:
        // square-root spacing (gamma 0.5) gives them more.
        let gamma: Float = range > 3 || length < Self.usualLength ? 0.5 : 1
        let values = (0..<length).map { entry in
            range.exponential * powf(max(0.25, Float(entry)) / Float(length), 1 / gamma)
        }
        // One level more than the table has entries: the scene's peak, whose output level determines the highlight
        // shoulder.
        let levels = values.map(log2f) + [peak]
        let sensorLevels = levels.map { $0 - range }
        let similarity = grid.similarity(to: sensorLevels)
        var gains = [Float](repeating: 1, count: grid.rows * grid.columns * length)
        gains.withMutableView { gains in
            // No two rows write the same tables.
            concurrentBands(rows: grid.rows, of: 1) { rows in
                for index in rows.lowerBound * grid.columns..<rows.upperBound * grid.columns {
                    let table = self.table(index, values, levels, sensorLevels, similarity)
                    for entry in 0..<length { gains[index * length + entry] = table[entry] }
                }
            }
        }
        guard gains.contains(where: { abs($0 - 1) > Self.visible }) else { return nil }
        let scale = (-range).exponential
        return try? GainTableMap(
            rows: grid.rows, columns: grid.columns, tableLength: length,
            weights: SceneLevels.weights.map { $0 * scale }, gains: gains, gamma: gamma)
    }

    /// Returns the gains of one table. `values` are the linear values of its entries and `levels` the same in EV, both
    /// relative to the display's white, with the scene's peak as an additional last level; `sensorLevels` are the
    /// levels relative to the sensor's white.
    private func table(
        _ table: Int, _ values: [Float], _ levels: [Float], _ sensorLevels: [Float], _ similarity: [Float]
    ) -> [Float] {
        let bases = grid.bases(at: table, of: sensorLevels, similarity: similarity)
        var output = zip(levels, bases).map { curve.output(of: $0, base: $1 + range, white: range) }
        let brightest = output.removeLast().exponential
        Self.makeIncreasing(&output, levels)
        return Self.gains(values, output.map { Shoulder.value($0.exponential, white: brightest) })
    }

    /// Makes the output levels increase with the input everywhere, with minimum slope `leastSlope` and the least
    /// change: the mean of the lowest such curve that is nowhere below the output and the highest that is nowhere above
    /// it.
    private static func makeIncreasing(_ output: inout [Float], _ levels: [Float]) {
        var (above, below) = (output, output)
        let entries = output.indices.dropLast()
        for entry in entries {
            above[entry + 1] = max(output[entry + 1], above[entry] + leastSlope * (levels[entry + 1] - levels[entry]))
        }
        for entry in entries.reversed() {
            below[entry] = min(output[entry], below[entry + 1] - leastSlope * (levels[entry + 1] - levels[entry]))
        }
        output = zip(above, below).map { ($0 + $1) / 2 }
    }

    /// Returns the ratio of output to input, clamped to `bounds`. Gains that fall too fast from one entry to the next
    /// are reduced, so that a value times its linearly interpolated gain always increases with the value.
    private static func gains(_ values: [Float], _ output: [Float]) -> [Float] {
        var gains = zip(values, output).map { max(bounds.lowerBound, min(bounds.upperBound, $1 / $0)) }
        for entry in gains.indices.dropLast().reversed() {
            let (here, next) = (entry == 0 ? 0 : values[entry], values[entry + 1])
            gains[entry] = min(gains[entry], gains[entry + 1] * (next + 0.9 * (next - here)) / next)
        }
        return gains
    }
}

/// The tone curve of the base layer, in EV: shadows are lifted, highlights lowered, and middle grey stays. Differences
/// from the base, which are the detail, grow a little.
struct BaseCurve {
    /// The level that stays unchanged, in EV relative to the display's white.
    static let middle: Float = -2.7

    /// The fraction of the distance to `middle` by which a far shadow is lifted; the lift approaches `mostLift` softly.
    var shadowAmount: Float
    /// The largest lift of a shadow, in EV.
    var mostLift: Float
    /// The fraction of the distance to `middle` by which a far highlight is lowered.
    var highlightAmount: Float
    /// The fraction by which small differences from the base grow.
    var contrast: Float
    /// How far an overexposed scene is darkened, in EV. The sensor's white stays white, since a clipped surface must
    /// not become grey.
    var darkening: Float

    /// The difference from the base, in EV, from which on contrast grows no further, so that strong edges get no halo.
    private static let mostDetail: Float = 1
    /// The distance, in EV, below the display's white at which the growth of bright details begins to end: at white
    /// they would clip.
    private static let glare: Float = 1.5
    /// The distances, in EV, below the sensor's white from which on darkening is complete, and at which it ends: deep
    /// shadows are dark enough.
    private static let (darkeningDepth, darkeningEnd): (Float, Float) = (3, 8)

    /// Returns the output level of an input level; all levels are in EV relative to the display's white, `white` is the
    /// sensor's.
    func output(of level: Float, base: Float, white: Float) -> Float {
        level + change(at: base) + growth(of: level, base) - loss(at: (level + base) / 2 - white)
    }

    private func growth(of level: Float, _ base: Float) -> Float {
        let detail = tanhf((level - base) / Self.mostDetail) * Self.mostDetail
        return contrast * detail * (detail > 0 ? max(0, min(1, -level / Self.glare)) : 1)
    }

    private func loss(at level: Float) -> Float {
        let depth = max(0, min(1, -level / Self.darkeningDepth))
        let shadow = max(0, min(1, (level + Self.darkeningEnd) / (Self.darkeningEnd - Self.darkeningDepth)))
        return darkening * depth * depth * (3 - 2 * depth) * shadow
    }

    /// Returns the change in EV for a base level.
    func change(at base: Float) -> Float {
        let distance = base - Self.middle
        // The curve's change in EV grows quadratically near `middle`, so that the curve has no kink there.
        let reach = distance * distance / (abs(distance) + 1)
        guard distance < 0 else { return -highlightAmount * reach }
        return mostLift > 0 ? mostLift * (1 - expf(-shadowAmount * reach / mostLift)) : 0
    }
}

/// The highlight shoulder: values up to a knee are unchanged, and values above are compressed so that `white` maps to
/// the display's white.
enum Shoulder {
    private static let knee: Float = 0.75

    static func value(_ value: Float, white: Float) -> Float {
        guard value > knee, white > 1 else { return value }
        let (above, most) = ((value - knee) / (1 - knee), (white - knee) / (1 - knee))
        return knee + (1 - knee) * above * (1 + above / (most * most)) / (1 + above)
    }
}

extension Float {
    /// 2 raised to this power: converts EV to a linear factor.
    var exponential: Float { exp2f(self) }
}
