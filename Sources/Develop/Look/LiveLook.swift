internal import Glibc
public import RawImage

/// Makes the look and the white balance of a live view move smoothly: it follows what frames ask for, in about half a second,
/// without a jump at the start, a swing at the end, or a tremble where frames differ a little.
public struct LiveLook: Sendable {
    /// What a frame is shown with.
    public struct State: Sendable, Hashable {
        /// The look: exposure, local gains, tone curve.
        public var recipe: Recipe
        /// The camera's response to the scene's white, as in `FrameMetadata`.
        public var neutral: SIMD3<Double>

        /// A state.
        public init(recipe: Recipe, neutral: SIMD3<Double>) {
            self.recipe = recipe
            self.neutral = neutral
        }
    }

    /// What is shown; nil before the first frame.
    private var shown: State?
    /// Where it is going; changes less than what the eye sees as one do not move it.
    private var goal = LiveLevels()
    /// Half way there, and there: one follows the other, so that movement sets in softly.
    private var middle = LiveLevels()
    private var current = LiveLevels()
    /// What was asked for last, as a look and as numbers.
    private var asked: (recipe: Recipe, levels: LiveLevels)?
    /// Seconds since the frame whose light was looked at last, and the look that it asked for.
    private var age = 0.0
    private var made: Recipe?

    /// The time in which each of the two steps goes most of its way, in seconds.
    private static let slowness = 0.09
    /// Changes below this are none, in EV.
    private static let threshold: Float = 0.08
    /// So near is there, in EV.
    private static let nearness: Float = 0.002
    /// After a longer pause than this it goes on as if the pause had been so long, in seconds.
    private static let longestStep = 0.25

    /// A look that begins with the first frame it hears of.
    public init() {}

    /// What to show the next frame with, which asks for `wanted` and comes `seconds` after the one before.
    public mutating func next(_ wanted: State, after seconds: Double) -> State {
        let levels = levels(of: wanted)
        guard let shown, levels.isLike(goal) else {
            guard levels.isUsable else { return shown ?? State(recipe: Recipe(), neutral: SIMD3(repeating: 1)) }
            (goal, middle, current) = (levels, levels, levels)
            self.shown = wanted
            return wanted
        }
        guard levels.isUsable else { return shown }
        if goal.distance(to: levels) > Self.threshold { goal = levels }
        guard current != goal || middle != goal else { return shown }
        move(seconds)
        let next = current.state(like: wanted)
        self.shown = next
        return next
    }

    private mutating func levels(of wanted: State) -> LiveLevels {
        if let asked, asked.recipe == wanted.recipe {
            var levels = asked.levels
            levels.setWhite(wanted.neutral)
            return levels
        }
        let levels = LiveLevels(wanted)
        asked = (wanted.recipe, levels)
        return levels
    }

    private mutating func move(_ seconds: Double) {
        // The exact movement of both for a goal that stays, whatever the time between frames.
        let time = max(0, min(Self.longestStep, seconds.isFinite ? seconds : 0)) / Self.slowness
        let rest = exp(-time)
        current = goal.plus(current, times: rest, middle, times: time * rest)
        middle = goal.plus(middle, times: rest, middle, times: 0)
        if current.distance(to: goal) < Self.nearness, middle.distance(to: goal) < Self.nearness {
            (middle, current) = (goal, goal)
        }
    }
}

extension LiveLook {
    /// Shows a mosaic's frame as a photo of it would be: gives its look, and white where the eye expects it.
    public mutating func next(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, after seconds: Double
    ) throws(DevelopError) -> State {
        age += seconds.isFinite ? max(0, seconds) : 0
        if made == nil || age >= Self.lookInterval {
            age = 0
            let sample = try SceneSample(
                mosaic: codes, format: format, metadata: metadata, side: Self.sampleSide, cores: 1)
            var fused = metadata
            for plane in fused.noise.indices {
                fused.noise[plane].shot /= Self.frames
                fused.noise[plane].read /= Self.frames
            }
            made = RecipeMaker().recipe(of: sample, fused, tableLength: LocalGains.liveLength)
        }
        return next(State(recipe: made ?? Recipe(), neutral: metadata.neutral), after: seconds)
    }

    /// How often a look is made anew, in seconds: of every third to fifth frame, for that takes longer than to show one.
    private static let lookInterval = 0.13
    /// The longest side of the samples: a glance.
    private static let sampleSide = 64
    /// Frames that a photo will be made of: it may be brightened as far as their common noise allows.
    private static let frames = 8.0
}
