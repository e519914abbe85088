/// A sensor's delay: what is asked while frame n is read out takes effect at frame n + 2.
///
/// Before the first frame there is nothing to wait for: a request then takes effect at once.
public struct SensorDelay: Sendable, Hashable {
    /// Frames from a request to its effect.
    public static let frames = 2

    /// The controls of the next frames, the nearest first; its last entry holds for all that follow.
    private var coming: [SensorControls]
    private var running = false

    /// A sensor at rest, set to `controls`.
    public init(_ controls: SensorControls) {
        coming = Array(repeating: controls, count: Self.frames)
    }

    /// Asks for controls. Of several requests during one frame the last one counts.
    public mutating func request(_ controls: SensorControls) {
        if running {
            coming[Self.frames - 1] = controls
        } else {
            coming = Array(repeating: controls, count: Self.frames)
        }
    }

    /// Begins the next frame and returns its controls.
    public mutating func beginFrame() -> SensorControls {
        running = true
        let controls = coming.removeFirst()
        coming.append(coming.last ?? controls)
        return controls
    }
}
