package import GStreamer
package import Waiting

/// The event by which a source reports downstream that it still computes a scene or a frame: frames that are late for
/// this reason are not missing, so limits on missing frames begin again. It overtakes the buffers in queues.
package enum CameraWork {
    private static let name = "gscap-camera-work"

    /// The event.
    package static var event: Event { .customDownstreamOutOfBand(Structure(name)) }

    /// Returns whether an event is such a report.
    package static func isReported(by event: Event) -> Bool {
        event.kind == .customDownstream && event.structure?.name == name
    }
}

/// The times at which a computation is to be reported: at its start, if that is asked for, and every quarter of a
/// second.
package struct WorkReports: Sendable {
    private var last: WaitClock.Instant?
    private let start: WaitClock.Instant
    private var hasSaidLong = false

    private static let interval = Duration.milliseconds(250)
    /// The time after which a message to the user names the computation.
    private static let long = Duration.seconds(10)

    /// Creates the reports of a computation that starts now.
    package init(at now: WaitClock.Instant, reportsStart: Bool) {
        start = now
        last = reportsStart ? nil : now
    }

    /// Returns whether a report is due, and records it.
    package mutating func isDue(at now: WaitClock.Instant) -> Bool {
        if let last, now < last + Self.interval { return false }
        last = now
        return true
    }

    /// Returns, once, that the computation takes long.
    package mutating func becomesLong(at now: WaitClock.Instant) -> Bool {
        guard !hasSaidLong, now >= start + Self.long else { return false }
        hasSaidLong = true
        return true
    }
}

/// The pace of a live source that computes its frames: whether it is too slow for the frame rate.
package struct ComputedPace: Sendable {
    private var frames = 0
    private var seconds = 0.0
    private var isSlow = false

    /// The number of frames whose time is averaged.
    private static let span = 4

    /// Creates the pace of a source that has computed no frame.
    package init() {}

    /// Records the time in seconds that a frame took. Returns the frames per second that are computed, once, if they
    /// are fewer than half of those of the frame rate `rate`.
    package mutating func add(_ time: Double, rate: Double) -> Double? {
        (frames, seconds) = (frames + 1, seconds + time)
        guard frames == Self.span else { return nil }
        defer { (frames, seconds) = (0, 0) }
        let computed = Double(frames) / max(seconds, 1e-9)
        guard !isSlow, computed < rate / 2 else { return nil }
        isSlow = true
        return computed
    }
}
