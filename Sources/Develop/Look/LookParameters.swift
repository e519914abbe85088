internal import Glibc
internal import RawImage

/// Look parameters in EV, so that linear interpolation between two looks changes brightness evenly.
struct LookParameters: Equatable {
    /// Exposure, then the red, green and blue of the camera neutral, as base-2 logarithms.
    private var global = SIMD4<Double>()
    /// Local gains as base-2 logarithms; empty if all gains are 1.
    private var gains: [Float] = []
    /// The gain table map without its gains, with weights scaled to an exposure of 0 EV: a table index then stands
    /// for the same sensor value whatever the exposure.
    private var map: GainTableMap?

    /// Creates neutral parameters: no exposure, no gains.
    init() {}

    init(_ state: LiveLook.State) {
        global.x = state.recipe.exposure
        setWhite(state.neutral)
        guard var map = state.recipe.gainTableMap else { return }
        gains = map.gains.map { log2f(max($0, 0x1p-24)) }
        map.gains = []
        map.weights = map.weights.map { $0 * Float(exp2(global.x)) }
        self.map = map
    }

    /// Sets the camera neutral.
    mutating func setWhite(_ neutral: SIMD3<Double>) {
        global = SIMD4(global.x, log2(neutral.x), log2(neutral.y), log2(neutral.z))
    }

    /// Whether exposure and neutral are finite.
    var isUsable: Bool { (0..<4).allSatisfy { global[$0].isFinite } }

    /// Whether interpolation between two looks is meaningful: their gain table maps have the same grid, table length
    /// and gamma, or one of the looks has none.
    func isLike(_ other: LookParameters) -> Bool {
        guard let map, let other = other.map else { return true }
        return map.rows == other.rows && map.columns == other.columns && map.tableLength == other.tableLength
            && map.gamma == other.gamma
    }

    /// Returns the larger of the largest difference in exposure and neutral and the mean difference in gain, in EV.
    func distance(to other: LookParameters) -> Float {
        let global = (0..<4).map { abs(self.global[$0] - other.global[$0]) }.max() ?? 0
        let count = max(gains.count, other.gains.count)
        guard count > 0 else { return Float(global) }
        let exposure = Float(self.global.x - other.global.x)
        var sum: Float = 0
        for index in 0..<count {
            sum += abs(exposure + self.gain(index) - other.gain(index))
        }
        return max(Float(global), sum / Float(count))
    }

    private func gain(_ index: Int) -> Float { index < gains.count ? gains[index] : 0 }

    /// Returns these parameters plus the given fractions of the differences to `first` and `second`.
    func plus(
        _ first: LookParameters, times firstFraction: Double, _ second: LookParameters, times secondFraction: Double
    ) -> LookParameters {
        var result = self
        result.global += (first.global - global) * firstFraction + (second.global - global) * secondFraction
        let count = max(gains.count, first.gains.count, second.gains.count)
        guard count > 0 else { return result }
        result.map = map ?? first.map ?? second.map
        result.gains = (0..<count).map { index in
            let here = gain(index)
            return here + (first.gain(index) - here) * Float(firstFraction) + (second.gain(index) - here)
                * Float(secondFraction)
        }
        return result
    }

    /// Returns a look with these parameters; everything else is taken from `target`.
    func state(like target: LiveLook.State) -> LiveLook.State {
        var recipe = target.recipe
        recipe.exposure = global.x
        if var map {
            map.gains = gains.map(exp2f)
            map.weights = map.weights.map { $0 * Float(exp2(-global.x)) }
            recipe.gainTableMap = map
        } else {
            recipe.gainTableMap = nil
        }
        return LiveLook.State(recipe: recipe, neutral: SIMD3(exp2(global.y), exp2(global.z), exp2(global.w)))
    }
}
