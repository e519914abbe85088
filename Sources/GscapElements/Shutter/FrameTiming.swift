/// The timing of a camera's frames, as measured by the shutter. All times are in nanoseconds.
package struct FrameTiming: Sendable, Hashable {
    /// The time from one frame to the next: the median of the last frames, or that of the caps' frame rate before three
    /// frames have arrived; nil when neither is known.
    package private(set) var period: Int64?
    /// The longest time, among the last frames, from a frame's instant to its arrival at the shutter.
    package private(set) var delay: Int64 = 0

    /// The time from each of the last frames to the next, oldest first.
    private var intervals: [Int64] = []
    private var delays: [Int64] = []
    private var lastInstant: Int64?

    /// The number of frames that are measured: enough for a median, few enough to follow a new frame rate.
    private static let window = 16

    /// Creates a measurement without frames, from the frame rate in the caps.
    package init(nominalPeriod: Int64? = nil) {
        period = nominalPeriod
    }

    /// Measures a frame that arrived at the running time `arrival`.
    package mutating func add(instant: Int64, arrival: Int64?) {
        // A jump of more than an hour is a new time, not a slow camera.
        if let lastInstant, instant > lastInstant, instant - lastInstant < 3_600_000_000_000 {
            Self.append(instant - lastInstant, to: &intervals)
            if intervals.count > 1 { period = intervals.sorted()[(intervals.count - 1) / 2] }
        }
        lastInstant = instant
        guard let arrival else { return }
        Self.append(max(0, arrival - instant), to: &delays)
        delay = delays.max() ?? 0
    }

    /// The greatest lag of a photo: two periods and the delivery delay. A photo with more is not of the moment that was
    /// asked for. Nil while the period is unknown.
    package var tolerance: Int64? { period.map { 2 * $0 + delay } }

    private static func append(_ value: Int64, to values: inout [Int64]) {
        values.append(value)
        if values.count > window { values.removeFirst() }
    }
}
