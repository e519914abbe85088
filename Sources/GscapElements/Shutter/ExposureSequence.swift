/// The exposures of a capture that changes the camera's exposure or fires its flash: which of them to request from the
/// sensor when, and which frames belong to which.
///
/// A frame belongs to an exposure only if its metadata shows the values, whatever the sensor's delay; nothing else is
/// known of the sensor. Exposures are requested one after another, without waiting for the frames:
///
///     next exposure ──request──► holding, for as many frames as it lacks ──► next exposure …
///            ▲                                                                     │ after the last
///            └──the exposures that lack frames, from the first──── waiting, for the sensor's delay
///                                                                                  │
///     every exposure has its frames, in any of these states ──► complete           │
///     an exposure was requested `mostRequests` times in vain ──► failed  ◄─────────┘
///     the sensor obeys with another value, twice ──► failed  ◄─────────────────────┘
package struct ExposureSequence: Sendable, Hashable {
    /// An exposure to be requested: the values that the metadata of its frames must show; nil accepts any.
    package struct Step: Sendable, Hashable {
        /// The exposure time in seconds.
        package var exposureTime: Double?
        /// The ISO number.
        package var iso: Double?
        /// Whether the flash must have fired; nil accepts both.
        package var flashFired: Bool?

        /// Creates a step.
        package init(exposureTime: Double? = nil, iso: Double? = nil, flashFired: Bool? = nil) {
            self.exposureTime = exposureTime
            self.iso = iso
            self.flashFired = flashFired
        }

        func matches(_ frame: FrameSummary) -> Bool {
            // A camera that does not know whether its flash fired has none.
            guard flashFired == nil || (frame.flashFired ?? false) == flashFired else { return false }
            return frame.matches(exposureTime: exposureTime, iso: iso)
        }
    }

    private struct Progress: Hashable {
        var frames = 0
        var requests = 0
        /// The number of frames seen before the first request.
        var firstRequest = 0
        /// Whether frames may show the values before the first request takes effect, so that they say nothing about
        /// the sensor's delay.
        var isAmbiguous = false
    }

    /// A request to the sensor.
    private struct Request: Hashable {
        var step: Int
        /// The number of frames seen before it.
        var seen: Int
        /// The number of frames for which no other exposure is requested.
        var hold: Int
    }

    /// What the sensor shows instead of an exposure out of its range.
    struct Limit: Hashable {
        /// The exposure that was requested.
        var step: Int
        /// A frame with the values at the end of the range.
        var shown: FrameSummary
    }

    /// The exposures, in their order.
    package let steps: [Step]
    /// The number of frames for each exposure.
    package let frames: Int

    private var progress: [Progress]
    /// The exposures still to be requested in this round, in order.
    private var upcoming: [Int]
    /// The last request; nil before the first, and after a failure.
    private var current: Request?
    /// The number of frames seen since the beginning.
    private var seen = 0
    /// The newest frame.
    private var newest: FrameSummary?
    /// The frame that was the newest before the first request.
    private let before: FrameSummary?
    /// The newest frame at the end of the last wait, if it shows none of the exposures.
    private var other: FrameSummary?
    /// What the sensor showed at the end of two waits instead of the exposure that was requested last; nil otherwise.
    private(set) var limit: Limit?
    /// The largest number of frames from a request to the first frame that showed it; nil before the first.
    private var delay: Int?

    /// The delay in frames that is assumed until one was measured.
    private static let longestDelay = 12
    /// The number of requests for an exposure after which the sensor is taken not to obey.
    private static let mostRequests = 16

    /// Creates a sequence; `newest` is the newest frame before the first request.
    package init(steps: [Step], frames: Int, newest: FrameSummary?) {
        self.steps = steps
        self.frames = max(1, frames)
        self.newest = newest
        before = newest
        progress = Array(repeating: Progress(), count: steps.count)
        upcoming = Array(steps.indices)
    }

    /// Whether every exposure has its frames.
    package var isComplete: Bool { progress.allSatisfy { $0.frames >= frames } }

    /// The number of exposures, from the first, that have their frames.
    package var completed: Int { progress.firstIndex { $0.frames < frames } ?? steps.count }

    /// The exposure that the sensor cannot have, or that was requested too often in vain; nil if there is none.
    package var failed: Int? {
        guard current == nil, upcoming.isEmpty else { return nil }
        if let limit { return limit.step }
        return progress.firstIndex { $0.frames < frames && $0.requests >= Self.mostRequests }
    }

    /// Returns the exposure to request first.
    package mutating func begin() -> Int? { request() }

    /// Takes a frame that arrived after the first request. Returns the exposure that it belongs to, nil for none, and
    /// the exposure to request now, nil for none.
    package mutating func take(_ frame: FrameSummary) -> (owner: Int?, request: Int?) {
        seen += 1
        let owner = steps.indices.first { index in
            progress[index].requests > 0 && progress[index].frames < frames && steps[index].matches(frame)
        }
        if let owner {
            progress[owner].frames += 1
            learnDelay(from: owner)
        }
        newest = frame
        return (owner, isComplete ? nil : nextRequest())
    }

    /// Measures the sensor's delay by the first frame of an exposure that was requested once.
    private mutating func learnDelay(from step: Int) {
        let progress = progress[step]
        guard progress.frames == 1, progress.requests == 1, !progress.isAmbiguous else { return }
        delay = max(delay ?? 0, seen - progress.firstRequest)
    }

    private mutating func nextRequest() -> Int? {
        guard let current else { return nil }
        let waited = seen - current.seen
        let isHeld = waited < current.hold && progress[current.step].frames < frames
        if isHeld { return nil }
        if let step = request() { return step }
        // All were requested: the frames of the last may be on their way for as long as the sensor's delay.
        guard waited >= current.hold + (delay ?? Self.longestDelay) + 1 else { return nil }
        self.current = nil
        let lacking = steps.indices.filter { progress[$0].frames < frames }
        noteLimit(of: current.step)
        if limit != nil { return nil }
        if lacking.contains(where: { progress[$0].requests >= Self.mostRequests }) { return nil }
        upcoming = lacking
        return request()
    }

    /// Notices a sensor that obeys with the end of its range: after two waits for the same exposure its frames show the
    /// same other values, which are neither those from before the sequence nor those of another exposure.
    private mutating func noteLimit(of step: Int) {
        guard let newest, let before, !newest.hasExposure(of: before), !steps.contains(where: { $0.matches(newest) })
        else {
            other = nil
            return
        }
        if let other, newest.hasExposure(of: other), progress[step].frames < frames {
            limit = Limit(step: step, shown: newest)
        }
        other = newest
    }

    /// Requests the next exposure that lacks frames. Each further request holds it for one more frame, because the
    /// camera may drop frames.
    private mutating func request() -> Int? {
        while let step = upcoming.first {
            upcoming.removeFirst()
            guard progress[step].frames < frames else { continue }
            if progress[step].requests == 0 {
                progress[step].firstRequest = seen
                progress[step].isAmbiguous =
                    newest.map(steps[step].matches) ?? true
                    || steps.indices.contains { $0 != step && progress[$0].requests > 0 && steps[$0] == steps[step] }
            }
            current = Request(
                step: step, seen: seen, hold: frames - progress[step].frames + progress[step].requests)
            progress[step].requests += 1
            return step
        }
        return nil
    }
}
