public import RawImage

/// The options of a burst fusion.
public struct FusionOptions: Sendable, Hashable {
    /// The trade-off between speed and image quality.
    public var mode: FusionMode
    /// How far a frame may differ from the reference, beyond noise, and still be merged: 1 is balanced, 0 merges
    /// nothing, 4 risks ghosts.
    public var strength: Double
    /// The strength of spatial denoising after the merge, or of a super-resolved photo: 0 is off, 1 the usual amount,
    /// 4 the most.
    public var spatialDenoise: Double
    /// Whether `spatialDenoise` also applies to a frame with which no other was merged.
    public var denoisesFrameAlone = false
    /// The index of the reference frame, from 0; nil chooses the first frame unless a later one is clearly sharper.
    public var reference: Int?
    /// Whether up to sixteen frames are retained so that `finishLinearPhoto` can compute a super-resolved photo.
    public var preparesSuperResolution: Bool

    /// The highest allowed reference index: all frames before the reference are buffered until it arrives.
    public static let lastReference = 7

    /// Creates options; omitted values take the usual defaults.
    public init(
        mode: FusionMode = .standard, strength: Double = 1, spatialDenoise: Double = 0, reference: Int? = nil,
        preparesSuperResolution: Bool = false
    ) {
        self.mode = mode
        self.strength = strength
        self.spatialDenoise = spatialDenoise
        self.reference = reference
        self.preparesSuperResolution = preparesSuperResolution
    }

    /// Creates the options that a mode stands for when the result is a demosaiced photo. Files, pipelines and the
    /// library begin with these, so that a mode gives the same photo everywhere.
    public init(photoIn mode: FusionMode) {
        self.init(mode: mode, spatialDenoise: 1, preparesSuperResolution: mode.superResolves)
    }

    /// Creates the options that a mode stands for when the result is a mosaic for raw converters, which denoise it
    /// themselves.
    public init(mosaicIn mode: FusionMode) { self.init(mode: mode) }

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
