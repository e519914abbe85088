internal import FrameStream
internal import GStreamer
internal import Synchronization

/// The selected frames of a capture, of one exposure or of a bracket, on their way from the ring to the elements behind
/// the shutter.
///
/// A class, because an escaping closure cannot own noncopyable buffers.
final class Burst: Sendable {
    let request: CaptureRequest
    let ticket: CaptureTicket
    /// The exposures of the capture, in the order in which they are pushed.
    let parts: [Part]
    private let frames: Mutex<BufferQueue>
    /// The frames from which those of a live stream were selected; nil for others.
    let considered: ConsideredFrames?
    /// The largest time in nanoseconds between the press and the middle of the exposure of a frame that the fusion may
    /// take as its reference; nil for no limit.
    private let referenceLimit: Int64?

    /// The frames of an exposure, or of several exposures to be merged.
    struct Part: Sendable {
        /// The index of the exposure, from 0; the frames to be merged have the index after the last exposure.
        var exposure: Int
        /// Whether the frames are the references of all exposures, to be merged.
        var isBracket = false
        /// The summaries of the frames, in the order in which they are pushed: the reference first, because a fusion
        /// would have to keep the frames before it, then the others in order of time.
        var summaries: [FrameSummary]
        /// The place of each of these frames in order of time, from 0.
        let places: [Int]

        init(exposure: Int, isBracket: Bool = false, summaries: [FrameSummary]) {
            (self.exposure, self.isBracket, self.summaries) = (exposure, isBracket, summaries)
            let order = summaries.indices.sorted {
                (summaries[$0].instant, summaries[$0].serial) < (summaries[$1].instant, summaries[$1].serial)
            }
            var places = Array(repeating: 0, count: summaries.count)
            for (place, index) in order.enumerated() { places[index] = place }
            self.places = places
        }
    }

    /// Creates a burst of the selected frames, `frames` in the order of the parts. `period` is the time between frames
    /// in nanoseconds; nil allows any frame to become the reference.
    init(
        _ request: CaptureRequest, _ ticket: CaptureTicket, _ parts: [Part],
        _ frames: consuming BufferQueue, period: Int64?, considered: ConsideredFrames? = nil
    ) {
        self.considered = considered
        self.request = request
        self.ticket = ticket
        self.parts = parts
        self.frames = Mutex(frames)
        // One and a half periods: the first frame is usually at most half a period from the press, and its neighbours
        // are one period further.
        referenceLimit = request.changesExposure ? nil : period.map { min($0 + $0 / 2, request.tolerance ?? .max) }
    }

    /// Removes and returns the next frame; nil after the last.
    func next() -> Buffer? { frames.withLock { $0.removeFirst() } }

    /// Drops the frames that have not been pushed.
    func drop() { frames.withLock { $0.removeAll() } }

    /// The reference frame of the first exposure.
    var reference: FrameSummary? { parts.first?.summaries.first }

    /// The number of frames of the capture; frames that are pushed once more, to be merged, count once.
    var count: Int { parts.reduce(0) { $0 + ($1.isBracket ? 0 : $1.summaries.count) } }

    /// Returns the time in seconds from the press to the middle of a frame's exposure; nil when the time of the press
    /// is unknown.
    func lag(of frame: FrameSummary) -> Double? {
        request.press.map { Double(frame.instant - $0) / 1e9 }
    }

    /// Returns the time in seconds from the first exposure that began after the camera was asked for another one to the
    /// middle of a frame's; nil if the capture asked for none.
    func exposureLag(of frame: FrameSummary) -> Double? {
        request.exposureBegan.map { Double(frame.instant - $0) / 1e9 }
    }

    /// Returns whether a fusion may take frame `index` of a part as its reference if that frame is sharper than frame
    /// 0. A request for the nearest frame has no other reference.
    func mayBeReference(_ index: Int, of part: Part) -> Bool {
        if request.takesNearest { return index == 0 }
        guard let referenceLimit, request.instant != nil, part.summaries.indices.contains(index) else { return true }
        return index == 0 || abs(request.lag(of: part.summaries[index])) <= referenceLimit
    }
}
