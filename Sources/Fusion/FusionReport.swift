/// What became of the frames of a burst.
public struct FusionReport: Sendable, Hashable {
    /// What became of one frame.
    public struct Frame: Sendable, Hashable {
        /// Its place in the burst.
        public var index: Int
        /// Why it was left out; nil when it was used.
        public var rejection: String?
        /// Its motion against the reference as a whole, in pixels to the right and down.
        public var motion: SIMD2<Double>
        /// How much of it was merged, 0…1.
        public var mergedShare: Double
    }

    /// The frames in the order they came; the first is the reference.
    public var frames: [Frame] = []
    /// How many frames a pixel is the mean of, on average.
    public var effectiveFrames = 1.0
    /// Seconds spent aligning.
    public var alignmentTime = 0.0
    /// Seconds spent merging.
    public var mergeTime = 0.0
    /// The share of the photo where the frames' shifts bring samples of each colour to every pixel; nil when it was not
    /// looked at.
    public var detailShare: Double?
    /// Seconds spent on the super-resolved demosaic.
    public var detailTime = 0.0
}
