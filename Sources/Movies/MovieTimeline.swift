/// The times of a movie: those of its frames without the pauses, from the first frame on. All are in nanoseconds.
///
///     frames    0──1──2──────────────7──8──9
///     pause           └──cut───────┘
///     movie     0──1──2──3──4──5
struct MovieTimeline: Sendable {
    /// A pause: from the end of the last frame before it to the first frame after it, which is nil during the pause.
    private struct Cut {
        var start: UInt64
        var end: UInt64?
    }

    private var start: UInt64?
    private var cuts: [Cut] = []

    /// Begins a pause at this time.
    mutating func pause(at time: UInt64) {
        if start != nil, cuts.last?.end != nil || cuts.isEmpty { cuts.append(Cut(start: time)) }
    }

    /// Adds the time of a frame: of the movie's first, or of the first after a pause.
    mutating func add(frame time: UInt64) {
        start = start ?? time
        if let last = cuts.indices.last, cuts[last].end == nil { cuts[last].end = max(time, cuts[last].start) }
    }

    /// Returns the time in the movie; nil for a time before the movie, or in a pause.
    func time(of time: UInt64) -> UInt64? {
        guard let start, time >= start else { return nil }
        var paused: UInt64 = 0
        for cut in cuts where time >= cut.start {
            guard let end = cut.end, time >= end else { return nil }
            paused += end - cut.start
        }
        return time - start - paused
    }
}
