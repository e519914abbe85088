internal import Glibc

/// The brightness levels of a scene sample, in EV relative to the sensor's white, from which exposure and local gains
/// are chosen.
struct SceneLevels {
    /// Weights of red, green, blue, minimum and maximum in a pixel's brightness (DNG MapInputWeights).
    ///
    /// Half the weight is on the maximum, so that brightening does not clip saturated colours unnoticed.
    static let weights: [Float] = [0.12, 0.3, 0.08, 0, 0.5]

    let width: Int
    let height: Int
    /// The longer side, in pixels, of the picture that was sampled.
    let pictureSide: Int
    /// The level of each pixel in EV; the sensor's white is 0.
    let levels: [Float]
    /// The level of the brightest channel of any cell read for each pixel, in EV; the sensor's white is 0.
    let peaks: [Float]
    /// The saturation of each pixel: 0 for grey or black, 1 for a colour with a channel at 0 or below.
    let colorfulness: [Float]
    private let levelCounts: LevelCounts
    private let peakCounts: LevelCounts

    /// The lowest level, in EV relative to the sensor's white.
    static let darkest: Float = -14

    init(_ sample: SceneSample) {
        width = sample.width
        height = sample.height
        pictureSide = sample.pictureSide
        levels = sample.colors.map { Self.level(Self.brightness($0)) }
        peaks = sample.peaks.map(Self.level)
        colorfulness = sample.colors.map { $0.max() > 0 ? 1 - max(0, $0.min()) / $0.max() : 0 }
        (levelCounts, peakCounts) = (LevelCounts(levels), LevelCounts(peaks))
    }

    private static func brightness(_ color: SIMD3<Float>) -> Float {
        let positive = SIMD3(max(0, color.x), max(0, color.y), max(0, color.z))
        return weights[0] * positive.x + weights[1] * positive.y + weights[2] * positive.z
            + weights[3] * positive.min() + weights[4] * positive.max()
    }

    /// The highest level, in EV relative to the sensor's white: that of the largest finite float. Infinite values get
    /// it too.
    private static let brightest: Float = 128

    static func level(_ linear: Float) -> Float { linear > 0 ? min(brightest, max(darkest, log2f(linear))) : darkest }

    /// Returns the level below which a fraction of the pixels lies; see `LevelCounts.percentile`.
    func percentile(_ fraction: Double) -> Float { levelCounts.percentile(fraction) }

    /// Returns the peak below which the peaks of a fraction of the pixels lie; see `LevelCounts.percentile`.
    func peakPercentile(_ fraction: Double) -> Float { peakCounts.percentile(fraction) }

    /// The fraction of the pixels with a channel that the sensor clipped.
    var clippedShare: Float {
        Float(peaks.count { $0 > Self.clipped }) / Float(max(1, peaks.count))
    }

    /// The level from which a channel counts as clipped, in EV relative to the sensor's white.
    private static let clipped: Float = -0.05

    /// Returns the key of the scene: its centre-weighted mean level, with levels below `floor` counted as `floor`.
    ///
    /// A plain black background counts little, so that it is not brightened to grey for the sake of the subject.
    /// `withoutClipped` leaves out pixels with a channel that the sensor clipped.
    func key(floor: Float, _ noise: SceneNoise, withoutClipped: Bool = false) -> Float {
        let black = percentile(0.98) - Self.blackness
        let (rowWeights, columnWeights) = (Self.centreWeights(height), Self.centreWeights(width))
        var (sum, total): (Float, Float) = (0, 0)
        for row in 0..<height {
            for column in 0..<width where !withoutClipped || peaks[row * width + column] <= Self.clipped {
                let level = levels[row * width + column]
                let isBackground = level < black && isPlain(row, column, noise)
                let weight = (0.4 + rowWeights[row] * columnWeights[column]) * (isBackground ? 0.25 : 1)
                sum += weight * max(floor, isBackground ? black : level)
                total += weight
            }
        }
        return total > 0 ? sum / total : floor
    }

    /// Returns the centre weight of each pixel along one side: 1 in the middle, falling to 0.14 at the ends.
    private static func centreWeights(_ count: Int) -> [Float] {
        (0..<count).map { pixel in
            let away = (Float(pixel) + 0.5) / Float(count) * 2 - 1
            return expf(-2 * away * away)
        }
    }

    /// A pixel without structure counts as black background from this many EV below the highlights on.
    private static let blackness: Float = 4.5
    /// The difference from nearby pixels, in EV, up to which a pixel counts as having no structure.
    private static let plainness: Float = 0.1
    /// The number by which the longer side of the sample is divided to get the distance, in pixels, of the nearby
    /// pixels that a pixel is compared with.
    private static let distanceDivisor = 64

    private func isPlain(_ row: Int, _ column: Int, _ noise: SceneNoise) -> Bool {
        let pixel = row * width + column
        let step = max(1, max(width, height) / Self.distanceDivisor)
        let right = column + step < width ? pixel + step : pixel - min(step, column)
        let below = row + step < height ? pixel + step * width : pixel - min(step, row) * width
        let detail = max(abs(levels[pixel] - levels[right]), abs(levels[pixel] - levels[below]))
        return detail < Self.plainness + 1.5 * noise.blur(at: levels[pixel])
    }
}
