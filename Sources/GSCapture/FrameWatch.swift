internal import Dispatch
internal import Synchronization

/// Watches whether a live camera delivers frames.
///
///     running ──no frame, and no work on one, for the limit──► interrupted ──a frame──► running
///
/// *Thread-safe.*
final class FrameWatch: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(250)

    private let gaps: Mutex<FrameGaps>
    private let frames: CameraSigns
    private let changed: @Sendable (FrameGaps.Change) -> Void

    /// Starts to watch, until the watch is released. `changed` is called when no frame arrived for `limit` seconds
    /// (longer after long exposures, and while the camera computes a frame), and when frames arrive again.
    init(limit: Double, frames: CameraSigns, changed: @escaping @Sendable (FrameGaps.Change) -> Void) {
        gaps = Mutex(FrameGaps(limit: limit, count: frames.count, at: .now()))
        self.frames = frames
        self.changed = changed
        schedule()
    }

    private func schedule() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            guard let self else { return }
            let (count, work) = (frames.count, frames.lastWork)
            if let change = gaps.withLock({ $0.look(count: count, lastWork: work, at: .now()) }) { changed(change) }
            schedule()
        }
    }
}

/// The gaps between a camera's frames, by looks at their number.
struct FrameGaps {
    /// A change that a look has found.
    enum Change: Sendable { case interrupted, resumed }

    private let limit: Double
    private var count: Int
    private var since: DispatchTime
    private var isInterrupted = false
    /// The time in seconds between the last two looks that found new frames. The limit is at least three times as long,
    /// so that long exposures do not count as an interruption.
    private var lastGap = 0.0

    /// Creates the gaps of a camera that has delivered `count` frames until now. `limit` is in seconds.
    init(limit: Double, count: Int, at now: DispatchTime) {
        (self.limit, self.count, since) = (limit, count, now)
    }

    /// Looks at the number of frames, and at the time of the camera's last report that it computes one.
    mutating func look(count: Int, lastWork: DispatchTime?, at now: DispatchTime) -> Change? {
        if count != self.count {
            lastGap = isInterrupted ? 0 : Double(now.uptimeNanoseconds - since.uptimeNanoseconds) / 1e9
            defer { (self.count, since, isInterrupted) = (count, now, false) }
            return isInterrupted ? .resumed : nil
        }
        let start = max(since, lastWork ?? since)
        guard !isInterrupted, now > start + max(limit, 3 * lastGap) else { return nil }
        isInterrupted = true
        return .interrupted
    }
}

/// The signs that a camera works: its frames, which are counted, and its reports that it computes one. Streaming
/// threads record them, and any thread reads them.
final class CameraSigns: Sendable {
    private let frames = Atomic(0)
    /// The time of the last report in nanoseconds; 0 before the first.
    private let work = Atomic<UInt64>(0)

    /// The number of frames.
    var count: Int { frames.load(ordering: .relaxed) }

    /// When the camera last reported that it computes a frame; nil if it never did, as real cameras.
    var lastWork: DispatchTime? {
        let time = work.load(ordering: .relaxed)
        return time == 0 ? nil : DispatchTime(uptimeNanoseconds: time)
    }

    /// Counts a frame; returns whether it is the first.
    func add() -> Bool { frames.add(1, ordering: .relaxed).newValue == 1 }

    /// Records a report.
    func noteWork() { work.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed) }
}
