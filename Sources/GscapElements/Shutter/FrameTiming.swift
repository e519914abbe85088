/// The timing of a camera's frames, as measured by the shutter. All times are in nanoseconds.
package struct FrameTiming: Sendable, Hashable {
    /// The time from one frame to the next: the median over the last frames. Before three frames have arrived, it is
    /// computed from the caps' frame rate; nil if the caps have none.
    package private(set) var period: Int64?
    /// The longest time, among the last frames, from the middle of a frame's exposure to its arrival at the shutter.
    package private(set) var delay: Int64 = 0

    /// The last times from one frame to the next, oldest first.
    private var intervals: [Int64] = []
    private var delays: [Int64] = []
    private var lastInstant: Int64?

    /// The number of intervals and delays that are kept: enough for a median, few enough to follow a new frame rate.
    private static let window = 16

    /// Creates a measurement without frames; `nominalPeriod` is the period of the caps' frame rate, nil if unknown.
    package init(nominalPeriod: Int64? = nil) {
        period = nominalPeriod
    }

    /// Measures a frame: `instant` is the middle of its exposure, and `arrival` the running time at which it arrived.
    package mutating func add(instant: Int64, arrival: Int64?) {
        // Frames more than an hour apart, or out of order, mean a jump of the timestamps rather than a frame period.
        if let lastInstant, instant > lastInstant, instant - lastInstant < 3_600_000_000_000 {
            Self.append(instant - lastInstant, to: &intervals)
            if intervals.count > 1 { period = intervals.sorted()[(intervals.count - 1) / 2] }
        }
        lastInstant = instant
        guard let arrival else { return }
        Self.append(max(0, arrival - instant), to: &delays)
        delay = delays.max() ?? 0
    }

    /// Forgets the measured delivery delays, because the pipeline's base time changed and they were computed by the old
    /// one: the frame that arrives just after a seek would count as late by the time since the pipeline started.
    package mutating func forgetDelays() { (delays, delay) = ([], 0) }

    /// The longest time allowed between the press and the reference frame unless the request sets one: two periods and
    /// the delivery delay, since a frame further away shows another moment. Nil while the period is unknown.
    package var tolerance: Int64? { period.map { 2 * $0 + delay } }

    private static func append(_ value: Int64, to values: inout [Int64]) {
        values.append(value)
        if values.count > window { values.removeFirst() }
    }
}
