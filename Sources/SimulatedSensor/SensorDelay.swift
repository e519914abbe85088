/// The control delay of a sensor: controls that are requested during the readout of frame n take effect at frame n + 2.
///
/// A request before the first frame takes effect immediately.
public struct SensorDelay: Sendable, Hashable {
    /// Number of frames between a request and its effect.
    public static let frames = 2

    /// Controls of the next frames in order; the last entry also applies to all later frames.
    private var upcoming: [SensorControls]
    private var running = false

    /// Creates the delay of a sensor that has not started, with `controls` in effect.
    public init(_ controls: SensorControls) {
        upcoming = Array(repeating: controls, count: Self.frames)
    }

    /// Requests controls. Of several requests during one frame, the last one takes effect.
    public mutating func request(_ controls: SensorControls) {
        if running {
            upcoming[Self.frames - 1] = controls
        } else {
            upcoming = Array(repeating: controls, count: Self.frames)
        }
    }

    /// Starts the next frame and returns the controls in effect for it.
    public mutating func beginFrame() -> SensorControls {
        running = true
        let controls = upcoming.removeFirst()
        upcoming.append(upcoming.last ?? controls)
        return controls
    }
}
