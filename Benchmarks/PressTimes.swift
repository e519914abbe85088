/// The times of one press in milliseconds.
struct PressTimes: Sendable {
    /// From the press to the last complete file.
    var file: Double
    /// From the press to the first frame that leaves the ring: the wait for the frame nearest to the press.
    var wait = 0.0
    /// From the press to the end of each stage.
    var stages: [String: Double] = [:]
}

extension [PressTimes] {
    /// Returns the nearest-rank percentile of a duration, of that from the press to the file unless another is given.
    func percentile(_ percent: Int, _ duration: (PressTimes) -> Double = \.file) -> Double {
        let sorted = map(duration).sorted()
        return sorted.isEmpty ? 0 : sorted[Swift.max(0, (sorted.count * percent + 99) / 100 - 1)]
    }

    /// Returns the median of a duration, over the presses that have it; 0 if none has.
    func median(_ duration: (PressTimes) -> Double?) -> Double {
        let durations = compactMap(duration).sorted()
        return durations.isEmpty ? 0 : durations[durations.count / 2]
    }
}

extension ContinuousClock.Instant {
    /// The milliseconds from this instant to `later`.
    func milliseconds(to later: ContinuousClock.Instant) -> Double { duration(to: later) / .milliseconds(1) }
}
