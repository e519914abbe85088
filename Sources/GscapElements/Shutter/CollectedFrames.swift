internal import FrameStream
internal import GStreamer
internal import Synchronization

/// The frames collected so far for a capture that changes the exposure, in order of arrival, with the index of the
/// exposure that each belongs to.
///
/// A class, because structures cannot be copied together with noncopyable buffers. *Thread-safe.*
final class CollectedFrames: Sendable {
    private struct Frames: ~Copyable {
        var buffers: BufferQueue
        var summaries: [FrameSummary] = []
        var exposures: [Int] = []
    }

    private let frames: Mutex<Frames>

    init(capacity: Int) { frames = Mutex(Frames(buffers: BufferQueue(capacity: capacity))) }

    func append(_ frame: consuming Buffer, _ summary: FrameSummary, exposure: Int) {
        var frame: Buffer? = frame
        frames.withLock { frames in
            guard let frame = frame.take(), frames.buffers.count < frames.buffers.capacity else { return }
            frames.buffers.append(frame)
            frames.summaries.append(summary)
            frames.exposures.append(exposure)
        }
    }

    /// The first frame so far; nil before it.
    var first: FrameSummary? { frames.withLock { $0.summaries.first } }

    /// Returns the burst of a capture whose frames are complete: the frames of one exposure after another and, by
    /// choice, the first frame of each once more, to be merged.
    func burst(_ request: CaptureRequest, _ ticket: CaptureTicket) -> Burst {
        frames.withLock { frames in
            let count = max(1, request.exposures.count)
            var order = (0..<count).map { exposure in
                frames.exposures.indices.filter { frames.exposures[$0] == exposure }
            }
            var parts = order.enumerated().map { exposure, indices in
                Burst.Part(exposure: exposure, summaries: indices.map { frames.summaries[$0] })
            }
            if request.fusesBracket {
                let references = Self.referencesForFusion(order.compactMap(\.first), frames.summaries)
                order.append(references)
                parts.append(
                    Burst.Part(exposure: count, isBracket: true, summaries: references.map { frames.summaries[$0] }))
            }
            let indices = order.flatMap(\.self)
            var buffers = BufferQueue(capacity: indices.count)
            for index in indices {
                if let buffer = frames.buffers[index] { buffers.append(buffer) }
            }
            frames.buffers.removeAll()
            return Burst(request, ticket, parts, buffers, period: nil)
        }
    }

    /// Returns the indices of the frames to be merged: first the one whose exposure is nearest to the middle between
    /// the shortest and the longest, in EV.
    private static func referencesForFusion(_ indices: [Int], _ summaries: [FrameSummary]) -> [Int] {
        let exposures = indices.map { summaries[$0].exposureTime * summaries[$0].iso }
        guard let least = exposures.min(), let most = exposures.max(), least > 0 else { return indices }
        let middle = (least * most).squareRoot()
        // The distance from the middle as a factor of 1 or more.
        let distances = exposures.map { max($0 / middle, middle / $0) }
        guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) else { return indices }
        return [indices[nearest]] + indices.indices.filter { $0 != nearest }.map { indices[$0] }
    }
}
