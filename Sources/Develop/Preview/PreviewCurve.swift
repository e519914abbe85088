internal import Glibc
internal import RawImage
internal import Synchronization

/// A recipe's tone curve and the sRGB transfer function combined in one table, in the form that the pixel kernels
/// read.
struct PreviewCurve: Sendable {
    /// The 8-bit values, indexed as `DisplayCurve.table`.
    let bytes: [UInt8]
    /// Three copies of the values, each in another byte of a 32-bit word, as in `DisplayCurve.words`.
    let words: [UInt32]

    /// The sRGB transfer function alone.
    static let plain = PreviewCurve(bytes: DisplayCurve.table, words: DisplayCurve.words)

    /// The parameters that determine a curve, used as the cache key.
    private struct Shape: Hashable {
        var tone: ToneCurve
        var boost: Double
        var darkening: Double
    }

    /// The most recent curve: consecutive frames usually need the same.
    private static let cache = Mutex<(shape: Shape, curve: PreviewCurve)?>(nil)

    /// Returns a recipe's combined curve, cached; the sRGB transfer function alone if the recipe has no tone curve.
    static func of(_ recipe: Recipe, exposure: Double) -> PreviewCurve {
        guard let tone = recipe.toneCurve else { return .plain }
        let shape = Shape(tone: tone, boost: recipe.boost, darkening: min(0, exposure))
        if let cached = cache.withLock({ $0 }), cached.shape == shape { return cached.curve }
        let curve = PreviewCurve(RenderTone(recipe, exposure: exposure, top: 1))
        cache.withLock { $0 = (shape, curve) }
        return curve
    }

    private init(bytes: [UInt8], words: [UInt32]) {
        self.bytes = bytes
        self.words = words
    }

    private init(_ tone: RenderTone) {
        bytes = DisplayCurve.bytes { tone.value(at: $0) }
        words = DisplayCurve.words(bytes)
    }
}
