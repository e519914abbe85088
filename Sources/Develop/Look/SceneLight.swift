internal import Glibc

/// How bright a scene's places are, in EV against the display's white: what exposure and tones are chosen by.
struct SceneLight {
    /// How much red, green, blue, the least and the greatest of them count: the brightness that a gain table map goes by.
    ///
    /// Half of it is the greatest, so that no colour is driven beyond white unseen.
    static let weights: [Float] = [0.12, 0.3, 0.08, 0, 0.5]

    let width: Int
    let height: Int
    /// Brightness of each place; the sensor's white is 0.
    let levels: [Float]
    /// Brightness of the strongest cell of each place.
    let peaks: [Float]
    /// How far each place is from grey: 0, to 1 for a colour that lacks another wholly.
    let colorfulness: [Float]

    /// Darker than this is dark: 14 stops below the sensor's white.
    static let darkest: Float = -14

    init(_ sample: SceneSample) {
        width = sample.width
        height = sample.height
        levels = sample.colors.map { Self.level(Self.brightness($0)) }
        peaks = sample.peaks.map(Self.level)
        colorfulness = sample.colors.map { $0.max() > 0 ? 1 - max(0, $0.min()) / $0.max() : 0 }
    }

    private static func brightness(_ color: SIMD3<Float>) -> Float {
        let positive = SIMD3(max(0, color.x), max(0, color.y), max(0, color.z))
        return weights[0] * positive.x + weights[1] * positive.y + weights[2] * positive.z
            + weights[3] * positive.min() + weights[4] * positive.max()
    }

    /// Brighter than the greatest number, which only infinite light is.
    private static let brightest: Float = 128

    static func level(_ light: Float) -> Float { light > 0 ? min(brightest, max(darkest, log2f(light))) : darkest }

    /// The level that a share of all places lies below, to a hundredth of an EV or so.
    static func percentile(_ share: Double, of levels: [Float]) -> Float {
        let bins = 1024
        let scale = Float(bins - 1) / -darkest
        var counts = [Int](repeating: 0, count: bins)
        for level in levels { counts[Int(max(0, min(Float(bins - 1), (level - darkest) * scale)))] += 1 }
        var rest = Int(share * Double(levels.count))
        for (bin, count) in counts.enumerated() {
            rest -= count
            if rest < 0 { return darkest + Float(bin) / scale }
        }
        return 0
    }

    /// The mean level, in which the middle of the picture counts most; nothing counts as darker than `floor`.
    ///
    /// A black ground counts little: it is not to become grey for the sake of what stands before it.
    func key(floor: Float, _ noise: SceneNoise) -> Float {
        let black = Self.percentile(0.98, of: levels) - Self.blackness
        let (nearRows, nearColumns) = (Self.nearness(height), Self.nearness(width))
        var (sum, total): (Float, Float) = (0, 0)
        for row in 0..<height {
            for column in 0..<width {
                let level = levels[row * width + column]
                let isGround = level < black && isPlain(row, column, noise)
                let weight = (0.4 + nearRows[row] * nearColumns[column]) * (isGround ? 0.25 : 1)
                sum += weight * max(floor, isGround ? black : level)
                total += weight
            }
        }
        return total > 0 ? sum / total : floor
    }

    /// How near each place along a side is to the middle: 1 to nearly 0.
    private static func nearness(_ count: Int) -> [Float] {
        (0..<count).map { place in
            let away = (Float(place) + 0.5) / Float(count) * 2 - 1
            return expf(-2 * away * away)
        }
    }

    /// So far below the brightest a place without detail is a black ground, in EV.
    private static let blackness: Float = 4.5
    /// What differs less from what is near it shows no detail, in EV.
    private static let plainness: Float = 0.1
    /// How near that is, as a part of the longer side.
    private static let distance = 64

    private func isPlain(_ row: Int, _ column: Int, _ noise: SceneNoise) -> Bool {
        let place = row * width + column
        let step = max(1, max(width, height) / Self.distance)
        let right = column + step < width ? place + step : place - min(step, column)
        let below = row + step < height ? place + step * width : place - min(step, row) * width
        let detail = max(abs(levels[place] - levels[right]), abs(levels[place] - levels[below]))
        return detail < Self.plainness + 1.5 * noise.blur(at: levels[place])
    }
}
