/// The receipt of a fused photo: what became of each frame, and how much cleaner the result is.
public struct FusionReport: Sendable, Hashable, Codable {
    /// What became of one frame.
    public struct Frame: Sendable, Hashable, Codable {
        /// Its place in the burst, from 0.
        public var index: Int
        /// Why it was left out; nil when it was used.
        public var rejection: String?
        /// Its motion against the reference as a whole, in pixels to the right and down.
        public var motion: SIMD2<Double>
        /// How much of it was merged, 0…1.
        public var mergedShare: Double

        /// What became of a frame.
        public init(index: Int, rejection: String? = nil, motion: SIMD2<Double> = .zero, mergedShare: Double = 0) {
            self.index = index
            self.rejection = rejection
            self.motion = motion
            self.mergedShare = mergedShare
        }
    }

    /// A step of the work and how long it took.
    public struct Stage: Sendable, Hashable, Codable {
        /// The step's name: "alignment", "merge", …
        public var name: String
        /// How long it took, of the clock on the wall.
        public var seconds: Double

        /// A step and its time.
        public init(name: String, seconds: Double) {
            self.name = name
            self.seconds = seconds
        }
    }

    /// The frames in the order they came.
    public var frames: [Frame] = []
    /// The frame that the others were aligned with.
    public var reference = 0
    /// By how many stops the photo's white lies above the reference's: short exposures saw so much more.
    /// A DNG tells it as part of its BaselineExposure and nowhere else.
    public var headroom = 0.0
    /// How many frames a pixel is the mean of, on average.
    public var effectiveFrames = 1.0
    /// The same where it is least: 95 of 100 places have more.
    public var leastEffectiveFrames = 1.0
    /// How many frames a pixel is the mean of, place by place, in rows from the top; empty when nothing was merged.
    public var effectiveFramesMap = EffectiveFramesMap()
    /// How much less noise the photo should have than one frame, in dB of its variance.
    public var expectedNoiseGain = 0.0
    /// How much less it was found to have, where the picture is flat enough to tell; nil where it is not.
    public var measuredNoiseGain: Double?
    /// Defective pixels found and repaired.
    public var repairedPixels = 0
    /// The share of the picture where the frames' shifts show detail finer than one frame has; nil when nobody looked.
    public var detailShare: Double?
    /// The steps, each once, in the order they began.
    public private(set) var stages: [Stage] = []

    /// A receipt that has nothing in it yet.
    public init() {}

    /// How many frames are in the photo.
    public var usedFrames: Int { frames.count { $0.rejection == nil } }

    /// The time of a step; 0 when there was none.
    public func seconds(of stage: String) -> Double { stages.first { $0.name == stage }?.seconds ?? 0 }

    /// Adds time to a step.
    public mutating func add(_ seconds: Double, to stage: String) {
        if let index = stages.firstIndex(where: { $0.name == stage }) {
            stages[index].seconds += seconds
        } else {
            stages.append(Stage(name: stage, seconds: seconds))
        }
    }
}

/// How many frames the pixels of a photo are the mean of, on a grid of equal cells.
public struct EffectiveFramesMap: Sendable, Hashable, Codable {
    /// Cells in a row.
    public var columns = 0
    /// Rows of cells.
    public var rows = 0
    /// Values, row by row from the top.
    public var values: [Float] = []

    /// A map of the given size and values.
    public init(columns: Int = 0, rows: Int = 0, values: [Float] = []) {
        self.columns = columns
        self.rows = rows
        self.values = values
    }
}
