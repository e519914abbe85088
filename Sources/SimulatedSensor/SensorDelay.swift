/// The control delay of a sensor: with a delay of d frames, controls that are requested during the readout of frame n
/// take effect at frame n + d, or at frame n + 1 with a delay of 0, since frame n is exposed already.
///
/// A request before the first frame takes effect immediately.
public struct SensorDelay: Sendable, Hashable {
    /// Controls of the next frames in order; the last entry also applies to all later frames.
    private var upcoming: [SensorControls]
    private var running = false

    /// Creates the delay of a sensor that has not started, with `controls` in effect. `frames` is the number of frames
    /// between a request and its effect.
    public init(_ controls: SensorControls, frames: Int = 2) {
        upcoming = Array(repeating: controls, count: max(1, frames))
    }

    /// Requests controls. Of several requests during one frame, the last one takes effect.
    public mutating func request(_ controls: SensorControls) {
        if running {
            upcoming[upcoming.count - 1] = controls
        } else {
            upcoming = Array(repeating: controls, count: upcoming.count)
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
