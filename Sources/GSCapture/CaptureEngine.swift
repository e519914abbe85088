internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization

/// A state machine for the captures under way: it delivers each capture's events completely and in order, although the
/// pipeline's threads report in any order.
///
/// Delegates and asynchronous sequences receive the events of the same streams.
final class CaptureEngine: Sendable {
    /// The state of a capture under way.
    private struct Capture {
        let resolved: ResolvedPhotoSettings
        let stream: AsyncStream<CaptureEvent>.Continuation
        /// The number of photos still to come, by branch.
        var owed: [String: Int]
        var hasBegun = false
        var isTaken = false
        /// Photos that arrived before the shutter reported that all frames were taken. They are delivered after
        /// `didCapture`.
        var early: [Photo] = []
        var photoCount = 0
        var firstError: CaptureError?
    }

    /// The only lock of this class. While it is held only streams are called, and yielding to a stream never blocks.
    private let captures = Mutex<[UInt64: Capture]>([:])

    /// Starts a capture and returns its events. `owed` is the number of photos expected from each branch.
    func begin(_ resolved: ResolvedPhotoSettings, owed: [String: Int]) -> AsyncStream<CaptureEvent> {
        let (events, stream) = AsyncStream<CaptureEvent>.makeStream()
        stream.yield(.willBegin(resolved))
        captures.withLock { $0[resolved.uniqueID] = Capture(resolved: resolved, stream: stream, owed: owed) }
        return events
    }

    /// Returns whether a capture still expects photos from any of these branches; false for unknown captures.
    func wants(_ id: UInt64, anyOf branches: Set<String>) -> Bool {
        captures.withLock { captures in
            guard let capture = captures[id] else { return false }
            return branches.contains { capture.owed[$0, default: 0] > 0 }
        }
    }

    /// The number of unfinished captures.
    var pending: Int { captures.withLock { $0.count } }

    /// Processes an element's message about a capture.
    func receive(_ message: CaptureMessage) {
        switch message {
        case .begun(let id, _): update(id) { Self.begin(&$0) }
        case .taken(let id): update(id) { Self.take(&$0) }
        case .failed(let id, let element, let reason):
            fail(id, CaptureError(.captureFailed, reason, place: element))
        case .frame, .fusing, .fused: break
        }
    }

    /// Delivers a finished photo of a branch, or the branch's failure.
    func deliver(_ id: UInt64, branch: String, format: PhotoFormat, sample: Sample?, error: CaptureError? = nil) {
        update(id) { capture in
            guard let count = capture.owed[branch], count > 0 else { return }
            capture.owed[branch] = count - 1
            capture.photoCount += 1
            let photo = Photo(
                resolvedSettings: capture.resolved, format: format, photoCount: capture.photoCount,
                metadata: sample?.buffer?.frameMetadata, error: error, sample: sample)
            if capture.firstError == nil { capture.firstError = error }
            if capture.isTaken { capture.stream.yield(.photo(photo)) } else { capture.early.append(photo) }
        }
    }

    /// Ends a capture: every photo still to come is delivered as failed with this error.
    func fail(_ id: UInt64, _ error: CaptureError, formats: [String: PhotoFormat] = [:]) {
        update(id) { capture in
            Self.take(&capture)
            capture.firstError = capture.firstError ?? error
            for (branch, count) in capture.owed.sorted(by: { $0.key < $1.key }) {
                for _ in 0..<count {
                    capture.photoCount += 1
                    let photo = Photo(
                        resolvedSettings: capture.resolved, format: formats[branch] ?? .other(branch),
                        photoCount: capture.photoCount, metadata: nil, error: error, sample: nil)
                    capture.stream.yield(.photo(photo))
                }
            }
            capture.owed = [:]
        }
    }

    /// Ends all captures under way with this error.
    func failAll(_ error: CaptureError, formats: [String: PhotoFormat]) {
        for id in captures.withLock({ $0.keys.sorted() }) { fail(id, error, formats: formats) }
    }

    /// Applies a change to a capture, and finishes the capture when no more photos are to come.
    private func update(_ id: UInt64, _ change: (inout Capture) -> Void) {
        captures.withLock { captures in
            guard var capture = captures[id] else { return }
            change(&capture)
            if capture.isTaken && capture.owed.values.allSatisfy({ $0 == 0 }) {
                capture.stream.yield(.finished(capture.resolved, capture.firstError))
                capture.stream.finish()
                captures[id] = nil
            } else {
                captures[id] = capture
            }
        }
    }

    private static func begin(_ capture: inout Capture) {
        guard !capture.hasBegun else { return }
        capture.hasBegun = true
        capture.stream.yield(.willCapture(capture.resolved))
    }

    private static func take(_ capture: inout Capture) {
        guard !capture.isTaken else { return }
        begin(&capture)
        capture.isTaken = true
        capture.stream.yield(.didCapture(capture.resolved))
        for photo in capture.early { capture.stream.yield(.photo(photo)) }
        capture.early = []
    }
}
