internal import Synchronization
internal import Waiting

/// Watches whether a live camera delivers frames.
///
///     running ──no frame, and no work on one, for the limit──► interrupted ──a frame──► running
///
/// *Thread-safe.*
final class FrameWatch: Sendable {
    private static let interval = Duration.milliseconds(250)

    private let gaps: Mutex<FrameGaps>
    private let clock: WaitClock
    private let frames: CameraSigns
    private let changed: @Sendable (FrameGaps.Change) -> Void

    /// Starts to watch, until the watch is released. `changed` is called when no frame arrived for `limit` seconds
    /// (longer after long exposures, and while the camera computes a frame), and when frames arrive again.
    init(
        limit: Double, frames: CameraSigns, by clock: WaitClock, changed: @escaping @Sendable (FrameGaps.Change) -> Void
    ) {
        gaps = Mutex(FrameGaps(limit: limit, count: frames.count, at: clock.now))
        (self.frames, self.clock) = (frames, clock)
        self.changed = changed
        schedule()
    }

    private func schedule() {
        clock.alarm(after: Self.interval) { [weak self] in
            guard let self else { return }
            let (count, work) = (frames.count, frames.lastWork)
            if let change = gaps.withLock({ $0.look(count: count, lastWork: work, at: clock.now) }) { changed(change) }
            schedule()
        }
    }
}

/// The gaps between a camera's frames, by looks at their number.
struct FrameGaps {
    /// A change that a look has found.
    enum Change: Sendable { case interrupted, resumed }

    private let limit: Duration
    private var count: Int
    private var since: WaitClock.Instant
    private var isInterrupted = false
    /// The time between the last two looks that found new frames. The limit is at least three times as long,
    /// so that long exposures do not count as an interruption.
    private var lastGap = Duration.zero

    /// Creates the gaps of a camera that has delivered `count` frames until now. `limit` is in seconds.
    init(limit: Double, count: Int, at now: WaitClock.Instant) {
        (self.limit, self.count, since) = (.clamped(seconds: limit), count, now)
    }

    /// Looks at the number of frames, and at the time of the camera's last report that it computes one.
    mutating func look(count: Int, lastWork: WaitClock.Instant?, at now: WaitClock.Instant) -> Change? {
        if count != self.count {
            lastGap = isInterrupted ? .zero : now - since
            defer { (self.count, since, isInterrupted) = (count, now, false) }
            return isInterrupted ? .resumed : nil
        }
        let start = max(since, lastWork ?? since)
        guard !isInterrupted, now > start + max(limit, lastGap * 3) else { return nil }
        isInterrupted = true
        return .interrupted
    }
}

/// The signs that a camera works: its frames, which are counted, and its reports that it computes one. Streaming
/// threads record them, and any thread reads them.
final class CameraSigns: Sendable {
    private let frames = Atomic(0)
    private let clock = WaitClock.current
    /// The time of the last report in nanoseconds; 0 before the first.
    private let work = Atomic<Int64>(0)

    /// The number of frames.
    var count: Int { frames.load(ordering: .relaxed) }

    /// When the camera last reported that it computes a frame; nil if it never did, as real cameras.
    var lastWork: WaitClock.Instant? {
        let time = work.load(ordering: .relaxed)
        return time == 0 ? nil : WaitClock.Instant(nanoseconds: time)
    }

    /// Counts a frame; returns whether it is the first.
    func add() -> Bool { frames.add(1, ordering: .relaxed).newValue == 1 }

    /// Records a report.
    func noteWork() { work.store(clock.now.nanoseconds, ordering: .relaxed) }
}
