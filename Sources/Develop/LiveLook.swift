internal import Glibc
public import RawImage

/// Makes exposure and white balance of a live view move smoothly: it follows what each frame asks for, in about half a
/// second, without a jump at the start, a swing at the end, or a tremble where frames differ a little.
public struct LiveLook: Sendable {
    /// What a frame is shown with.
    public struct State: Sendable, Hashable {
        /// Brightening in EV.
        public var exposure: Double
        /// The camera's response to the scene's white, as in `FrameMetadata`.
        public var neutral: SIMD3<Double>

        /// A state.
        public init(exposure: Double, neutral: SIMD3<Double>) {
            self.exposure = exposure
            self.neutral = neutral
        }
    }

    /// Where it is going; changes less than what the eye sees as one do not move it.
    private var goal: SIMD4<Double>?
    /// Half way there, and there: one follows the other, so that movement sets in softly.
    private var middle = SIMD4<Double>()
    private var current = SIMD4<Double>()

    /// The time in which each of the two steps goes most of its way, in seconds.
    private static let slowness = 0.09
    /// Changes below this are none, in EV.
    private static let threshold = 0.08
    /// So near is there, in EV.
    private static let nearness = 0.002
    /// After a longer pause than this it goes on as if the pause had been so long, in seconds.
    private static let longestStep = 0.25

    /// A look that begins with the first frame it hears of.
    public init() {}

    /// What to show the next frame with, which asks for `wanted` and comes `seconds` after the one before.
    public mutating func next(_ wanted: State, after seconds: Double) -> State {
        let wanted = Self.logarithms(wanted)
        guard (0..<4).allSatisfy({ wanted[$0].isFinite }) else { return Self.state(current) }
        guard let goal else {
            (self.goal, middle, current) = (wanted, wanted, wanted)
            return Self.state(wanted)
        }
        if Self.distance(goal, wanted) > Self.threshold { self.goal = wanted }
        move(to: self.goal ?? wanted, seconds)
        return Self.state(current)
    }

    private mutating func move(to goal: SIMD4<Double>, _ seconds: Double) {
        // The exact movement of both for a goal that stays, whatever the time between frames.
        let time = max(0, min(Self.longestStep, seconds.isFinite ? seconds : 0)) / Self.slowness
        let rest = exp(-time)
        let (first, second) = (middle - goal, current - goal)
        middle = goal + first * rest
        current = goal + (second + first * time) * rest
        if Self.distance(current, goal) < Self.nearness, Self.distance(middle, goal) < Self.nearness {
            (middle, current) = (goal, goal)
        }
    }

    private static func distance(_ first: SIMD4<Double>, _ second: SIMD4<Double>) -> Double {
        (0..<4).map { abs(first[$0] - second[$0]) }.max() ?? 0
    }

    /// Exposure and white in EV.
    private static func logarithms(_ state: State) -> SIMD4<Double> {
        SIMD4(state.exposure, log2(state.neutral.x), log2(state.neutral.y), log2(state.neutral.z))
    }

    private static func state(_ values: SIMD4<Double>) -> State {
        State(exposure: values.x, neutral: SIMD3(exp2(values.y), exp2(values.z), exp2(values.w)))
    }
}

extension LiveLook {
    /// Shows a mosaic's frame as a photo of it would be: gives its exposure and its metadata, with white where the eye
    /// expects it.
    public mutating func next(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, after seconds: Double
    ) throws(DevelopError) -> State {
        let sample = try SceneSample(
            mosaic: codes, format: format, metadata: metadata, side: Self.sampleSide, cores: 1)
        let exposure = RecipeMaker().exposure(of: sample, metadata)
        return next(State(exposure: exposure, neutral: metadata.neutral), after: seconds)
    }

    /// The longest side of the samples: a glance, for it is taken of every frame.
    private static let sampleSide = 32
}
