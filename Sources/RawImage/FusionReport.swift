/// A report of a fusion: which frames were used, how far each was merged, and how much the noise decreased.
public struct FusionReport: Sendable, Hashable, Codable {
    /// The outcome for one frame of the burst.
    public struct Frame: Sendable, Hashable, Codable {
        /// Index of the frame in the burst, from 0.
        public var index: Int
        /// Reason for rejecting the frame; nil when it was used.
        public var rejection: String?
        /// Index of the earlier frame of which this one is a copy; nil in a report that was read from a file or a
        /// message, whose rejection names it.
        package private(set) var sameAs: Int?
        /// Whether the frame stated a plainly wrong noise profile, and was merged with that of the first frame; nil if
        /// not, and in a report that was read from a file or a message.
        package var hasReplacedNoise: Bool?
        /// Global motion relative to the reference frame, in pixels to the right and down.
        public var motion: SIMD2<Double>
        /// Mean weight, 0…1, with which the frame's pixels were merged.
        public var mergedShare: Double

        /// Creates the outcome for one frame.
        public init(index: Int, rejection: String? = nil, motion: SIMD2<Double> = .zero, mergedShare: Double = 0) {
            self.index = index
            self.rejection = rejection
            self.motion = motion
            self.mergedShare = mergedShare
        }

        /// Rejects the frame as a copy of an earlier one.
        package mutating func reject(asCopyOf earlier: Int) {
            (sameAs, mergedShare) = (earlier, 0)
            rejection = Self.copyReason("frame \(earlier)")
        }

        /// The reason why a frame is left out that is a copy of another one, which has this name.
        package static func copyReason(_ earlier: String) -> String {
            "is the same frame as \(earlier), which counts once"
        }
    }

    /// A processing stage and its duration.
    public struct Stage: Sendable, Hashable, Codable {
        /// Name of the stage: "alignment", "merge", …
        public var name: String
        /// Elapsed (wall-clock) time in seconds.
        public var seconds: Double

        /// Creates a stage with its duration.
        public init(name: String, seconds: Double) {
            self.name = name
            self.seconds = seconds
        }
    }

    /// The origin of the noise profile by which frames are merged.
    public enum NoiseSource: String, Sendable, Hashable, Codable {
        /// The frames state it.
        case stated
        /// The frames state none; it was estimated from them.
        case estimated
        /// The frames state one that is plainly wrong; it was estimated from them.
        case corrected
    }

    /// The outcome for each frame, in order of arrival.
    public var frames: [Frame] = []
    /// Index in the burst of the reference frame, with which the others were aligned.
    public var reference = 0
    /// Highlight headroom of a bracket in EV: how far the fused white level lies above the reference frame's, thanks to
    /// the shorter exposures. In a DNG it is only part of BaselineExposure, and cannot be read back.
    public var headroom = 0.0
    /// Effective number of frames averaged in a pixel, as the mean over the image.
    public var effectiveFrames = 1.0
    /// The 5th percentile of the effective number of frames: 95 percent of the image have more.
    public var leastEffectiveFrames = 1.0
    /// The effective number of frames averaged in each cell of a grid over the image; empty when nothing was merged.
    public var effectiveFramesMap = EffectiveFramesMap()
    /// Expected reduction of noise variance against a single frame, in dB.
    public var expectedNoiseGain = 0.0
    /// Reduction of noise variance in dB, measured in flat areas; nil when the image has too few of them.
    public var measuredNoiseGain: Double?
    /// The origin of the noise profile; nil when there is none.
    public var noiseSource: NoiseSource?
    /// Ratio of the noise variance that the frames have to the one that their noise profile states; nil when they state
    /// none, or do not show their noise clearly.
    public var statedNoiseRatio: Double?
    /// Number of defective pixels that were repaired.
    public var repairedPixels = 0
    /// Fraction of the image, 0…1, where super-resolution gained resolution from the frames' subpixel shifts; nil when
    /// super-resolution was not used.
    public var superResolvedFraction: Double?
    /// Size of the photo relative to its frames, 1 to 2; nil when super-resolution was not used.
    public var superResolutionScale: Double?
    /// Strength of the noise reduction after merging or super-resolution: 0 for none, 1 for the usual amount; nil when
    /// unknown.
    public var denoising: Double?
    /// Fraction of the image, 0…1, in which the pixels of a tele camera were used; nil when the photo was not fused
    /// with one of a tele camera.
    public var teleUsedFraction: Double?
    /// Size of the photo relative to that of the wide camera, 1 to 2; nil when the photo was not fused with one of a
    /// tele camera.
    public var teleEnlargement: Double?
    /// The processing stages, each once, in the order of their start.
    public private(set) var stages: [Stage] = []

    /// Creates an empty report.
    public init() {}

    /// A warning if the frames state a plainly wrong noise profile; nil otherwise.
    public var noiseWarning: String? {
        guard noiseSource == .corrected, let ratio = statedNoiseRatio else { return nil }
        let times = ratio > 1 ? ratio : 1 / ratio
        // One decimal, without Foundation.
        let text = times < 100 ? "\((times * 10).rounded() / 10)" : "over 100"
        return "the frames have \(text) times \(ratio > 1 ? "more" : "less") noise variance than their NoiseProfile "
            + "states: they are merged by an estimate instead"
    }

    /// Whether no frames were fused: the report only states the use of a tele camera.
    package var isOfTeleAlone: Bool { frames.isEmpty && teleUsedFraction != nil }

    /// Number of frames that were not rejected.
    public var usedFrames: Int { frames.count { $0.rejection == nil } }

    /// Returns the duration of a stage in seconds; 0 when it did not run.
    public func seconds(of stage: String) -> Double { stages.first { $0.name == stage }?.seconds ?? 0 }

    /// Adds a duration in seconds to a stage, which is created if necessary.
    public mutating func add(_ seconds: Double, to stage: String) {
        if let index = stages.firstIndex(where: { $0.name == stage }) {
            stages[index].seconds += seconds
        } else {
            stages.append(Stage(name: stage, seconds: seconds))
        }
    }
}

/// A grid of equal cells over a fused image, each with the effective number of frames averaged there.
public struct EffectiveFramesMap: Sendable, Hashable, Codable {
    /// Number of cells in a row.
    public var columns = 0
    /// Number of rows of cells.
    public var rows = 0
    /// Effective number of frames of each cell, row by row from the top.
    public var values: [Float] = []

    /// Creates a map; `isWhole` checks whether the number of values matches the size.
    public init(columns: Int = 0, rows: Int = 0, values: [Float] = []) {
        self.columns = columns
        self.rows = rows
        self.values = values
    }
}
