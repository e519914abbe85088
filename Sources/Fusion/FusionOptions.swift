/// How a burst is to be fused.
public struct FusionOptions: Sendable, Hashable {
    /// How thorough the fusion is.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The mean of up to four frames, place by place where they agree: least work.
        case speed
        /// Frames agree or not frequency by frequency.
        case balanced
        /// As `balanced`, for who wants detail finer than one frame has as well: `keepsDetail` decides that.
        case quality
    }

    /// How thorough the fusion is.
    public var mode: Mode
    /// How far frames may differ, beyond noise, and still be merged: 1 is balanced, 0 merges nothing, 4 risks ghosts.
    public var strength: Double
    /// How much noise is taken off what is left after merging: 0 none, 1 the usual.
    public var spatialDenoise: Double
    /// The frame that the others are aligned with, from 0; nil for the first unless a later one is clearly sharper.
    public var reference: Int?
    /// Whether frames are kept, eight at most, so that the photo can show detail finer than one frame has.
    public var keepsDetail: Bool

    /// The largest reference: frames before it are kept until it comes.
    public static let lastReference = 7

    /// Options, each as usual unless told.
    public init(
        mode: Mode = .balanced, strength: Double = 1, spatialDenoise: Double = 0, reference: Int? = nil,
        keepsDetail: Bool = false
    ) {
        self.mode = mode
        self.strength = strength
        self.spatialDenoise = spatialDenoise
        self.reference = reference
        self.keepsDetail = keepsDetail
    }

    /// The rule these options break, in words; nil when bursts can be fused with them.
    var problem: String? {
        if let reference, !(0...Self.lastReference).contains(reference) {
            return "frame \(reference) cannot be the reference: it is one of frames 0 to \(Self.lastReference)"
        }
        if !Self.amounts.contains(strength) { return "a strength of \(strength) is not between 0 and 4" }
        if !Self.amounts.contains(spatialDenoise) { return "a denoise of \(spatialDenoise) is not between 0 and 4" }
        return nil
    }

    private static let amounts = 0.0...4
}
