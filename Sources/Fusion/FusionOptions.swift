/// The options of a burst fusion.
public struct FusionOptions: Sendable, Hashable {
    /// The trade-off between speed and image quality.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Averages up to four frames; each tile is weighted as a whole in the spatial domain. The fastest mode.
        case speed
        /// Weights each spatial frequency of each tile by how well the frame agrees with the reference.
        case balanced
        /// Merges as `balanced` does; callers pair it with `preparesSuperResolution` to get a super-resolved photo as
        /// well.
        case quality
    }

    /// The trade-off between speed and image quality.
    public var mode: Mode
    /// How far a frame may differ from the reference, beyond noise, and still be merged: 1 is balanced, 0 merges
    /// nothing, 4 risks ghosts.
    public var strength: Double
    /// The strength of spatial denoising after the merge: 0 is off, 1 the usual amount, 4 the most.
    public var spatialDenoise: Double
    /// The index of the reference frame, from 0; nil chooses the first frame unless a later one is clearly sharper.
    public var reference: Int?
    /// Whether up to eight frames are retained so that `finishLinearPhoto` can compute a super-resolved photo.
    public var preparesSuperResolution: Bool

    /// The highest allowed reference index: all frames before the reference are buffered until it arrives.
    public static let lastReference = 7

    /// Creates options; omitted values take the usual defaults.
    public init(
        mode: Mode = .balanced, strength: Double = 1, spatialDenoise: Double = 0, reference: Int? = nil,
        preparesSuperResolution: Bool = false
    ) {
        self.mode = mode
        self.strength = strength
        self.spatialDenoise = spatialDenoise
        self.reference = reference
        self.preparesSuperResolution = preparesSuperResolution
    }

    /// The message about the first option that is out of range; nil when all are valid.
    var problem: String? {
        if let reference, !(0...Self.lastReference).contains(reference) {
            return "reference \(reference) is out of range: use a frame from 0 to \(Self.lastReference)"
        }
        if !Self.amounts.contains(strength) { return "strength \(strength) is out of range: use 0 to 4" }
        if !Self.amounts.contains(spatialDenoise) {
            return "spatial denoising \(spatialDenoise) is out of range: use 0 to 4"
        }
        return nil
    }

    private static let amounts = 0.0...4
}
