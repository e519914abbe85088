internal import Fusion

/// Frames on disk that make one photo.
struct FrameGroup {
    enum Kind {
        /// Equal exposures, one after another.
        case burst
        /// Stepped exposures, one after another.
        case bracket
    }

    var kind: Kind
    /// In the order they were taken.
    var frames: [FrameFacts]
}

// MARK: - Found by time and exposure

extension FrameGroup {
    /// Between the end of one frame and the start of the next no burst has a longer pause, in seconds.
    private static let longestPause = 2.0
    /// Where times have fractions of a second, a pause this much longer than those before and after it parts two bursts.
    private static let pauseRatio = 4.0
    private static let shortestPause = 0.5
    /// Exposures closer than this, in EV, are equal: the camera meant them to be.
    private static let equalExposure = 0.25

    /// The bursts and brackets among frames, in the order they were taken, and the frames that are in none.
    static func groups(of frames: [FrameFacts]) -> (groups: [FrameGroup], leftOut: [LeftOut]) {
        var groups: [FrameGroup] = []
        var leftOut = frames.filter { $0.time == nil }.map {
            LeftOut(path: $0.path, reason: "it does not tell when it was taken: name the frames of its burst yourself")
        }
        for kind in Dictionary(grouping: frames.filter { $0.time != nil }, by: \.kind).values {
            for series in series(in: kind) {
                for group in split(series) {
                    if let reason = group.problem {
                        leftOut += group.frames.map { LeftOut(path: $0.path, reason: reason) }
                    } else {
                        groups.append(group)
                    }
                }
            }
        }
        groups.sort { left, right in isBefore(left.frames[0], right.frames[0]) }
        leftOut.sort { $0.path < $1.path }
        return (groups, leftOut)
    }

    /// Why no photo can be made of these frames.
    private var problem: String? {
        if frames.count < 2 { return "no other frame belongs to it" }
        if kind == .burst && frames.count > BurstFusion.mostFrames {
            return "it is one of \(frames.count) frames without a pause, too many for a burst: name those to fuse"
        }
        return nil
    }

    private static func isBefore(_ left: FrameFacts, _ right: FrameFacts) -> Bool {
        (left.time ?? 0, left.naturalPath) < (right.time ?? 0, right.naturalPath)
    }

    /// Frames without a pause between them.
    private static func series(in frames: [FrameFacts]) -> [[FrameFacts]] {
        let frames = frames.sorted(by: isBefore)
        let pauses = zip(frames, frames.dropFirst()).map(pause)
        let hasFractions = frames.contains { ($0.time ?? 0) % 1_000_000 != 0 }
        var series: [[FrameFacts]] = []
        for (index, frame) in frames.enumerated() {
            let isNew = index == 0 || parts(pauses, at: index - 1, hasFractions: hasFractions)
            if isNew { series.append([frame]) } else { series[series.count - 1].append(frame) }
        }
        return series
    }

    /// Seconds between two frames in which nothing was exposed. Whether a file tells the start or the end of its
    /// exposure is not known, so the longer one counts.
    private static func pause(_ first: FrameFacts, _ second: FrameFacts) -> Double {
        Double((second.time ?? 0) - (first.time ?? 0)) / 1e6 - max(first.exposureTime, second.exposureTime)
    }

    private static func parts(_ pauses: [Double], at index: Int, hasFractions: Bool) -> Bool {
        if pauses[index] > longestPause { return true }
        let neighbours = [index - 1, index + 1].filter(pauses.indices.contains).map { max(0, pauses[$0]) }
        guard hasFractions, pauses[index] > shortestPause, let longest = neighbours.max() else { return false }
        return pauses[index] > pauseRatio * longest
    }

    /// Runs of equal exposure are bursts; frames that each differ from the next are brackets, the next of which begins
    /// where an exposure comes again.
    private static func split(_ series: [FrameFacts]) -> [FrameGroup] {
        var groups: [FrameGroup] = []
        var bracket: [FrameFacts] = []
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
            let isAgain = bracket.contains { isEqual($0, run[0]) }
            if isAgain || bracket.count == BracketFusion.mostFrames { endBracket() }
            bracket += run
        }
        endBracket()
        return groups
    }

    private static func runs(_ series: [FrameFacts]) -> [[FrameFacts]] {
        var runs: [[FrameFacts]] = []
        for frame in series {
            if let first = runs.last?.first, isEqual(first, frame) {
                runs[runs.count - 1].append(frame)
            } else {
                runs.append([frame])
            }
        }
        return runs
    }

    /// Frames that do not tell their exposure count as equal.
    private static func isEqual(_ left: FrameFacts, _ right: FrameFacts) -> Bool {
        guard let left = left.exposure, let right = right.exposure else { return true }
        return abs(left - right) <= equalExposure
    }
}
