internal import Fusion

/// Frames on disk that are fused into one photo: a burst or a bracket.
struct FrameGroup {
    enum Kind {
        /// Consecutive frames of equal exposure.
        case burst
        /// Consecutive frames of different exposures.
        case bracket
    }

    var kind: Kind
    /// The frames in order of capture.
    var frames: [BurstCandidate]
}

// MARK: - Grouping by time and exposure

extension FrameGroup {
    /// The longest pause in seconds between two exposures of one burst.
    private static let longestPause = 2.0
    /// The factor by which a pause must exceed both neighbouring pauses, and `shortestPause` seconds, to separate two
    /// bursts. Applies only if the files' times have fractions of a second.
    private static let pauseRatio = 4.0
    /// The pause in seconds that must be exceeded to separate two bursts by comparison with the neighbouring pauses.
    private static let shortestPause = 0.5
    /// The largest difference in EV between exposures that count as equal.
    private static let equalExposure = 0.25

    /// Returns the bursts and brackets among frames, in order of capture, and the frames that belong to none.
    static func groups(of frames: [BurstCandidate]) -> (groups: [FrameGroup], excluded: [ExcludedFile]) {
        var groups: [FrameGroup] = []
        var excluded = frames.filter { $0.time == nil }.map {
            ExcludedFile(path: $0.path, reason: "the file has no time of capture: name the frames of its burst")
        }
        for kind in Dictionary(grouping: frames.filter { $0.time != nil }, by: \.kind).values {
            for series in series(in: kind) {
                for group in split(series) {
                    if let reason = group.problem {
                        excluded += group.frames.map { ExcludedFile(path: $0.path, reason: reason) }
                    } else {
                        groups.append(group)
                    }
                }
            }
        }
        groups.sort { left, right in isBefore(left.frames[0], right.frames[0]) }
        excluded.sort { $0.path < $1.path }
        return (groups, excluded)
    }

    /// The reason why the frames of this group cannot be fused; nil if they can.
    private var problem: String? {
        if frames.count < 2 { return "no other frame belongs to the same burst" }
        if kind == .burst && frames.count > BurstFusion.mostFrames {
            return "the file is one of \(frames.count) frames without a pause, too many for a burst: name those to fuse"
        }
        return nil
    }

    private static func isBefore(_ left: BurstCandidate, _ right: BurstCandidate) -> Bool {
        (left.time ?? 0, left.naturalPath) < (right.time ?? 0, right.naturalPath)
    }

    /// Sorts frames by time and splits them into series, at the pauses that separate bursts.
    private static func series(in frames: [BurstCandidate]) -> [[BurstCandidate]] {
        let frames = frames.sorted(by: isBefore)
        let pauses = zip(frames, frames.dropFirst()).map(pause)
        let hasFractions = frames.contains { ($0.time ?? 0) % 1_000_000 != 0 }
        var series: [[BurstCandidate]] = []
        for (index, frame) in frames.enumerated() {
            let isNew = index == 0 || separates(pauses, at: index - 1, hasFractions: hasFractions)
            if isNew { series.append([frame]) } else { series[series.count - 1].append(frame) }
        }
        return series
    }

    /// Returns the pause in seconds between two exposures. A file's time may be the start or the end of its exposure,
    /// so the longer exposure time is subtracted from the difference of the times.
    private static func pause(_ first: BurstCandidate, _ second: BurstCandidate) -> Double {
        Double((second.time ?? 0) - (first.time ?? 0)) / 1e6 - max(first.exposureTime, second.exposureTime)
    }

    /// Returns whether the pause at an index separates two bursts.
    private static func separates(_ pauses: [Double], at index: Int, hasFractions: Bool) -> Bool {
        if pauses[index] > longestPause { return true }
        let neighbours = [index - 1, index + 1].filter(pauses.indices.contains).map { max(0, pauses[$0]) }
        guard hasFractions, pauses[index] > shortestPause, let longest = neighbours.max() else { return false }
        return pauses[index] > pauseRatio * longest
    }

    /// Splits a series into bursts, which are runs of equal exposure, and brackets, whose frames all differ in
    /// exposure. A repeated exposure starts the next bracket.
    private static func split(_ series: [BurstCandidate]) -> [FrameGroup] {
        var groups: [FrameGroup] = []
        var bracket: [BurstCandidate] = []
        func endBracket() {
            if !bracket.isEmpty { groups.append(FrameGroup(kind: .bracket, frames: bracket)) }
            bracket = []
        }
        for run in runs(series) {
            guard run.count == 1 else {
                endBracket()
                groups.append(FrameGroup(kind: .burst, frames: run))
                continue
            }
            let isRepeated = bracket.contains { isEqual($0, run[0]) }
            if isRepeated || bracket.count == BracketFusion.mostFrames { endBracket() }
            bracket += run
        }
        endBracket()
        return groups
    }

    /// Splits a series into runs of consecutive frames with equal exposure.
    private static func runs(_ series: [BurstCandidate]) -> [[BurstCandidate]] {
        var runs: [[BurstCandidate]] = []
        for frame in series {
            if let first = runs.last?.first, isEqual(first, frame) {
                runs[runs.count - 1].append(frame)
            } else {
                runs.append([frame])
            }
        }
        return runs
    }

    /// Returns whether two frames have equal exposure, to within 0.25 EV. An unknown exposure equals every other.
    private static func isEqual(_ left: BurstCandidate, _ right: BurstCandidate) -> Bool {
        guard let left = left.exposure, let right = right.exposure else { return true }
        return abs(left - right) <= equalExposure
    }
}
