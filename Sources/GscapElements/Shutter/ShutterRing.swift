internal import GStreamer
internal import RawImage
internal import Synchronization

/// The state shared by the shutter's streaming thread and its capture signal: the newest frames and the pending
/// requests.
struct ShutterRing: ~Copyable {
    var ring: BufferQueue
    var requests: [CaptureRequest] = []
    /// The number of captures that the property `captures` has started.
    private var ownCaptures = 0
    /// The number of the newest frame in a capture; the next automatic capture uses later frames only.
    private var lastUsed: UInt64?
    /// Whether a gap event was sent since the last segment event, so that the sinks can preroll.
    var hasSentGap = false

    init(capacity: Int = FusionMode.standard.burstLength) {
        ring = BufferQueue(capacity: capacity)
    }

    /// The selection criteria of the newest frame.
    var newestMark: FrameSummary? { mark(at: ring.count - 1) }

    private func mark(at index: Int) -> FrameSummary? {
        guard let buffer = ring[index] else { return nil }
        guard let metadata = buffer.frameMetadata else {
            return FrameSummary(number: buffer.offset ?? buffer.presentationTime ?? 0, exposureTime: 0, iso: 0)
        }
        return FrameSummary(number: metadata.frameNumber, exposureTime: metadata.exposureTime, iso: metadata.iso)
    }

    /// Starts the next automatic capture if any is left and no request is pending.
    mutating func requestOwnCapture(_ captures: Int, frames: Int, _ tickets: borrowing Atomic<UInt64>) {
        guard ownCaptures < captures, requests.isEmpty else { return }
        ownCaptures += 1
        let id = tickets.add(1, ordering: .relaxed).newValue
        requests.append(CaptureRequest(id: id, frames: frames, moment: nil, after: lastUsed, isOwn: true))
    }

    /// Returns whether all automatic captures are complete and no request is pending.
    func hasDone(_ captures: Int) -> Bool { ownCaptures >= captures && requests.isEmpty }

    /// Removes the first pending request and returns its frames; returns nil if they have not all arrived.
    mutating func takeBurst() -> Burst? {
        guard let request = requests.first else { return nil }
        grow(to: request.frames)
        let marks = (0..<ring.count).map { mark(at: $0) ?? FrameSummary(number: 0, exposureTime: 0, iso: 0) }
        guard let selected = request.selection(from: marks) else { return nil }
        requests.removeFirst()
        var frames = BufferQueue(capacity: selected.count)
        for index in selected {
            if let frame = ring[index] { frames.append(frame) }
        }
        lastUsed = selected.map { marks[$0].number }.max()
        return Burst(request: request, frames: frames)
    }

    /// Enlarges the ring to hold at least `frames` frames.
    private mutating func grow(to frames: Int) {
        guard ring.capacity < frames else { return }
        var longer = BufferQueue(capacity: frames)
        while let buffer = ring.removeFirst() { longer.append(buffer) }
        ring = longer
    }
}

/// The frames selected for a capture, ready to be pushed.
struct Burst: ~Copyable {
    let request: CaptureRequest
    var frames: BufferQueue
}
