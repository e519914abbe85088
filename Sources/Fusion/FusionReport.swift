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

    /// The frames in the order they came.
    public var frames: [Frame] = []
    /// Which of them the others were aligned with.
    public var reference = 0
    /// By how many stops of light the result's white lies above the reference's: its BaselineExposure.
    public var headroom = 0.0
    /// How many frames a pixel is the mean of, on average.
    public var effectiveFrames = 1.0
    /// Seconds spent aligning.
    public var alignmentTime = 0.0
    /// Seconds spent merging.
    public var mergeTime = 0.0
}
