internal import Glibc
internal import RawImage

/// A look as numbers that can be mixed, all in EV: where one goes straight from one value to another, so does the light of
/// each place and brightness.
struct LiveLevels: Equatable {
    /// Exposure, then white.
    private var whole = SIMD4<Double>()
    /// Of the local gains; empty where all are 1.
    private var gains: [Float] = []
    /// The map that they were made of, but for its gains, as it would be without exposure: a place in its tables then means
    /// the same light of the sensor whatever the exposure.
    private var map: GainTableMap?

    /// The levels of nothing.
    init() {}

    init(_ state: LiveLook.State) {
        whole.x = state.recipe.exposure
        setWhite(state.neutral)
        guard var map = state.recipe.gainTableMap else { return }
        gains = map.gains.map { log2f(max($0, 0x1p-24)) }
        map.gains = []
        map.weights = map.weights.map { $0 * Float(exp2(whole.x)) }
        self.map = map
    }

    /// Takes on another white.
    mutating func setWhite(_ neutral: SIMD3<Double>) {
        whole = SIMD4(whole.x, log2(neutral.x), log2(neutral.y), log2(neutral.z))
    }

    /// Whether all are numbers.
    var isUsable: Bool { (0..<4).allSatisfy { whole[$0].isFinite } }

    /// Whether one can go over into the other: their gains stand for the same places and brightness.
    func isLike(_ other: LiveLevels) -> Bool {
        guard let map, let other = other.map else { return true }
        return map.rows == other.rows && map.columns == other.columns && map.tableLength == other.tableLength
            && map.gamma == other.gamma
    }

    /// How far they are apart: the most that the whole differs or, in the mean, the gains.
    func distance(to other: LiveLevels) -> Float {
        let whole = (0..<4).map { abs(self.whole[$0] - other.whole[$0]) }.max() ?? 0
        let count = max(gains.count, other.gains.count)
        guard count > 0 else { return Float(whole) }
        let exposure = Float(self.whole.x - other.whole.x)
        var sum: Float = 0
        for place in 0..<count {
            sum += abs(exposure + self.gain(place) - other.gain(place))
        }
        return max(Float(whole), sum / Float(count))
    }

    private func gain(_ place: Int) -> Float { place < gains.count ? gains[place] : 0 }

    /// These, and shares of the ways from them to two others.
    func plus(_ first: LiveLevels, times share: Double, _ second: LiveLevels, times other: Double) -> LiveLevels {
        var result = self
        result.whole += (first.whole - whole) * share + (second.whole - whole) * other
        let count = max(gains.count, first.gains.count, second.gains.count)
        guard count > 0 else { return result }
        result.map = map ?? first.map ?? second.map
        result.gains = (0..<count).map { place in
            let here = gain(place)
            return here + (first.gain(place) - here) * Float(share) + (second.gain(place) - here) * Float(other)
        }
        return result
    }

    /// The look that the levels tell, which has all else from one that is asked for.
    func state(like wanted: LiveLook.State) -> LiveLook.State {
        var recipe = wanted.recipe
        recipe.exposure = whole.x
        if var map {
            map.gains = gains.map(exp2f)
            map.weights = map.weights.map { $0 * Float(exp2(-whole.x)) }
            recipe.gainTableMap = map
        } else {
            recipe.gainTableMap = nil
        }
        return LiveLook.State(recipe: recipe, neutral: SIMD3(exp2(whole.y), exp2(whole.z), exp2(whole.w)))
    }
}
