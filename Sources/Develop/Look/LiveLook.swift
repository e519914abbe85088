internal import Glibc
public import RawImage

/// Smooths the look and white balance of a live view over time. Changes take about half a second, without a jump at
/// the start, overshoot at the end, or flicker from small differences between frames.
public struct LiveLook: Sendable {
    /// The look and white balance to render one frame with.
    public struct State: Sendable, Hashable {
        /// The recipe: exposure, local gains, tone curve.
        public var recipe: Recipe
        /// The camera neutral: its response to the scene's white, as in `FrameMetadata`.
        public var neutral: SIMD3<Double>

        /// Creates a state.
        public init(recipe: Recipe, neutral: SIMD3<Double>) {
            self.recipe = recipe
            self.neutral = neutral
        }
    }

    /// The state of the previous frame; nil before the first frame.
    private var shown: State?
    /// The look that the transition ends at; replaced by a frame's own look only if that differs by more than
    /// `threshold`.
    private var goal = LookParameters()
    /// The two stages of a cascaded low-pass filter: `current` follows `middle`, which follows `goal`, so that motion
    /// starts gently.
    private var middle = LookParameters()
    private var current = LookParameters()
    /// The last requested recipe with its parameters, cached because most frames repeat it.
    private var requested: (recipe: Recipe, parameters: LookParameters)?
    /// Seconds since `derivedRecipe` was derived.
    private var age = 0.0
    /// The recipe that was last derived from a frame; nil before the first.
    private var derivedRecipe: Recipe?

    /// The time constant of each filter stage, in seconds.
    private static let timeConstant = 0.09
    /// The smallest change of the target that starts a transition, in EV.
    private static let threshold: Float = 0.08
    /// The distance from the target at which a transition ends, in EV.
    private static let settledDistance: Float = 0.002
    /// The longest time step, in seconds: after a pause the transition continues instead of jumping to its end.
    private static let longestStep = 0.25

    /// Creates a filter that starts at the first frame's look.
    public init() {}

    /// Returns the state to render the next frame with. `wanted` is the frame's own look and `seconds` the time since
    /// the previous frame.
    public mutating func next(_ wanted: State, after seconds: Double) -> State {
        let parameters = self.parameters(of: wanted)
        guard let shown, parameters.isLike(goal) else {
            guard parameters.isUsable else { return shown ?? State(recipe: Recipe(), neutral: SIMD3(repeating: 1)) }
            (goal, middle, current) = (parameters, parameters, parameters)
            self.shown = wanted
            return wanted
        }
        guard parameters.isUsable else { return shown }
        if goal.distance(to: parameters) > Self.threshold { goal = parameters }
        guard current != goal || middle != goal else { return shown }
        move(seconds)
        let next = current.state(like: wanted)
        self.shown = next
        return next
    }

    private mutating func parameters(of wanted: State) -> LookParameters {
        if let requested, requested.recipe == wanted.recipe {
            var parameters = requested.parameters
            parameters.setWhite(wanted.neutral)
            return parameters
        }
        let parameters = LookParameters(wanted)
        requested = (wanted.recipe, parameters)
        return parameters
    }

    private mutating func move(_ seconds: Double) {
        // The exact step response of both stages, so that the result does not depend on the frame rate.
        let time = max(0, min(Self.longestStep, seconds.isFinite ? seconds : 0)) / Self.timeConstant
        let decay = exp(-time)
        current = goal.plus(current, times: decay, middle, times: time * decay)
        middle = goal.plus(middle, times: decay, middle, times: 0)
        if current.distance(to: goal) < Self.settledDistance, middle.distance(to: goal) < Self.settledDistance {
            (middle, current) = (goal, goal)
        }
    }
}

extension LiveLook {
    /// Returns the state to render a mosaic frame with, so that the live view looks like the photo that would be
    /// taken.
    ///
    /// Derives a look from the frame at most every `lookInterval` seconds. `seconds` is the time since the previous
    /// frame.
    public mutating func next(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, after seconds: Double
    ) throws(GscapError) -> State {
        age += seconds.isFinite ? max(0, seconds) : 0
        if derivedRecipe == nil || age >= Self.lookInterval {
            age = 0
            let sample = try SceneSample(
                mosaic: codes, format: format, metadata: metadata, side: Self.sampleSide, cores: 1)
            var fused = metadata
            for plane in fused.noise.indices {
                fused.noise[plane].shot /= Self.fusedFrames
                fused.noise[plane].read /= Self.fusedFrames
            }
            derivedRecipe = RecipeMaker().recipe(of: sample, fused, tableLength: LocalGains.liveLength)
        }
        return next(State(recipe: derivedRecipe ?? Recipe(), neutral: metadata.neutral), after: seconds)
    }

    /// The minimum interval between derivations of a look, in seconds: a derivation takes longer than rendering a
    /// frame, so at 30 frames per second only every fourth frame is analysed.
    private static let lookInterval = 0.13
    /// The longest side, in pixels, of the reduced frame from which a look is derived.
    private static let sampleSide = 64
    /// The number of frames that a photo will usually be fused from. Their averaged noise limits how far the look may
    /// brighten the picture.
    private static let fusedFrames = Double(FusionMode.standard.burstLength)
}
