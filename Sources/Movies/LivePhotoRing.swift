internal import MovieFiles

/// The newest pictures of the running encoder, as far back as a press needs them.
///
///     key ─ · ─ · ─ key ─ · ─ · ─ key ─ ·
///      ▲               ▲ oldest picture that is needed
///      └ decoding begins at the key picture before it
struct LivePhotoRing: Sendable {
    /// An encoded picture.
    struct Picture: Sendable {
        var bytes: [UInt8]
        /// The time of the frame in nanoseconds of the session's pipeline.
        var time: UInt64
        var isKey: Bool
        /// The camera's motion since the picture before it, in widths of the picture per second; nil if not measured.
        var speed: Double?
    }

    /// The pictures in their order; the first one is a key picture.
    private(set) var pictures: [Picture] = []
    /// The parameter sets of the stream.
    private(set) var parameters: H264Parameters?

    /// The time of the oldest picture; nil if there is none.
    var start: UInt64? { pictures.first?.time }

    /// The time from the oldest picture to the newest.
    var duration: UInt64 {
        guard let first = pictures.first?.time, let last = pictures.last?.time else { return 0 }
        return last - first
    }

    /// Appends a picture, and drops those that nothing from the time `needed` on depends on.
    mutating func append(_ unit: H264AccessUnit, at time: UInt64, speed: Double?, needed: UInt64) {
        parameters = unit.parameters ?? parameters
        if pictures.isEmpty && !unit.isKey { return }
        // A clock that goes back would make times that no movie can have.
        if let last = pictures.last, time <= last.time { return }
        pictures.append(Picture(bytes: unit.bytes, time: time, isKey: unit.isKey, speed: speed))
        let first = pictures.lastIndex { $0.isKey && $0.time <= needed } ?? 0
        if first > 0 { pictures.removeFirst(first) }
    }

    /// Returns the pictures of a range of times, and those before it from which its first one is decoded.
    func pictures(from start: UInt64, until end: UInt64) -> [Picture] {
        let first = pictures.lastIndex { $0.isKey && $0.time <= start } ?? 0
        return Array(pictures[first...].prefix { $0.time < end })
    }

    /// Drops all pictures; the next one to be kept is a key picture.
    mutating func clear() { pictures = [] }
}

extension LivePhotoRing {
    /// The speed above which the camera's motion is excessive, as when it is lowered after the press.
    static let excessiveSpeed = 0.6
    /// The time for which the speed must be excessive, so that a single jolt trims nothing.
    static let excessiveTime: UInt64 = 100_000_000

    /// Returns the times from `start` on that the pictures show, the last one for a period. Empty if all are older, as
    /// after a camera has stood still.
    static func range(of pictures: [Picture], from start: UInt64, period: UInt64) -> Range<UInt64> {
        guard let first = pictures.first?.time, let last = pictures.last?.time else { return 0..<0 }
        let end = last + period
        return min(max(start, first), end)..<end
    }

    /// Returns the part of a range that remains around the still when the times of excessive camera motion before and
    /// after it are cut off, with everything beyond them.
    static func trimmed(_ pictures: [Picture], _ range: Range<UInt64>, around still: UInt64) -> Range<UInt64> {
        var (start, end) = (range.lowerBound, range.upperBound)
        for run in excessiveRuns(pictures.filter { range.contains($0.time) }) {
            // The first picture after the motion begins the movie; the first one of the motion ends it. Motion at the
            // still itself is what the photo is about.
            if run.upperBound < still { start = max(start, run.upperBound + 1) }
            if run.lowerBound > still { end = min(end, run.lowerBound) }
        }
        return start..<max(start, end)
    }

    /// Returns the times of the first and the last picture of each excessive motion of the camera.
    private static func excessiveRuns(_ pictures: [Picture]) -> [ClosedRange<UInt64>] {
        var runs: [ClosedRange<UInt64>] = []
        var isRun = false
        for picture in pictures {
            let isExcessive = picture.speed ?? 0 > excessiveSpeed
            if isExcessive, isRun, let last = runs.popLast() {
                runs.append(last.lowerBound...picture.time)
            } else if isExcessive {
                runs.append(picture.time...picture.time)
            }
            isRun = isExcessive
        }
        return runs.filter { $0.upperBound - $0.lowerBound >= excessiveTime }
    }
}
