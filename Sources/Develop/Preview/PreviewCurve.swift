internal import Glibc
internal import RawImage
internal import Synchronization

/// A recipe's tone curve and the display's in one table, as the kernels that write pixels want it.
struct PreviewCurve: Sendable {
    /// A byte for each place of `DisplayCurve`.
    let bytes: [UInt8]
    /// The same in each byte of a word, as `DisplayCurve.words` has it.
    let words: [UInt32]

    /// The display's curve alone.
    static let plain = PreviewCurve(bytes: DisplayCurve.table, words: DisplayCurve.words)

    /// What a curve is made of.
    private struct Shape: Hashable {
        var tone: ToneCurve
        var boost: Double
        var darkening: Double
    }

    /// The curve made last: frame after frame needs the same.
    private static let made = Mutex<(shape: Shape, curve: PreviewCurve)?>(nil)

    /// The curve of a recipe; that of the display alone where the recipe has none.
    static func of(_ recipe: Recipe, exposure: Double) -> PreviewCurve {
        guard let tone = recipe.toneCurve else { return .plain }
        let shape = Shape(tone: tone, boost: recipe.boost, darkening: min(0, exposure))
        if let made = made.withLock({ $0 }), made.shape == shape { return made.curve }
        let curve = PreviewCurve(RenderTone(recipe, exposure: exposure, top: 1))
        made.withLock { $0 = (shape, curve) }
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
