internal import GStreamer
internal import Synchronization

/// The selected frames of a capture, on their way from the ring to the elements behind the shutter.
///
/// A class, because an escaping closure cannot own noncopyable buffers.
final class Burst: Sendable {
    let request: CaptureRequest
    let ticket: CaptureTicket
    /// The summaries of the frames, in the order in which the frames are pushed.
    let summaries: [FrameSummary]
    private let frames: Mutex<BufferQueue>
    /// The largest time in nanoseconds between the press and the middle of the exposure of a frame that the fusion may
    /// take as its reference; nil for no limit.
    private let referenceLimit: Int64?

    /// Creates a burst of the selected frames, the reference first. `period` is the time between frames in nanoseconds;
    /// nil allows any frame to become the reference.
    init(
        _ request: CaptureRequest, _ ticket: CaptureTicket, _ summaries: [FrameSummary],
        _ frames: consuming BufferQueue, period: Int64?
    ) {
        self.request = request
        self.ticket = ticket
        self.summaries = summaries
        self.frames = Mutex(frames)
        // One and a half periods: the first frame is usually at most half a period from the press, and its neighbours
        // are one period further.
        referenceLimit = request.changesExposure ? nil : period.map { $0 + $0 / 2 }
    }

    /// Removes and returns the next frame; nil after the last.
    func next() -> Buffer? { frames.withLock { $0.removeFirst() } }

    /// Drops the frames that have not been pushed.
    func drop() { frames.withLock { $0.removeAll() } }

    /// Returns the time in seconds from the press to the middle of the exposure of frame `index`; nil when the instant
    /// of the press is unknown.
    func lag(of index: Int) -> Double? {
        guard request.instant != nil, summaries.indices.contains(index) else { return nil }
        return Double(request.lag(of: summaries[index])) / 1e9
    }

    /// Returns whether a fusion may take frame `index` as its reference if that frame is sharper than frame 0.
    func mayBeReference(_ index: Int) -> Bool {
        guard let referenceLimit, request.instant != nil, summaries.indices.contains(index) else { return true }
        return index == 0 || abs(request.lag(of: summaries[index])) <= referenceLimit
    }
}
