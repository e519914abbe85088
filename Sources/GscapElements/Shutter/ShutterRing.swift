internal import GStreamer
internal import RawImage
internal import Synchronization

/// What the shutter's streaming thread and its presses share: the newest frames, and who waits for some of them.
struct ShutterRing: ~Copyable {
    var ring: BufferQueue
    var requests: [CaptureRequest] = []
    /// How many captures the element has begun by itself.
    private var ownCaptures = 0
    /// The newest frame that a capture used: the next one of the element's own takes later frames.
    private var lastUsed: UInt64?
    /// Whether sinks behind have been told that nothing comes for now.
    var hasSentGap = false

    init(capacity: Int = 8) {
        ring = BufferQueue(capacity: capacity)
    }

    /// What the newest frame tells.
    var newestMark: FrameMark? { mark(at: ring.count - 1) }

    private func mark(at index: Int) -> FrameMark? {
        guard let buffer = ring[index] else { return nil }
        guard let metadata = buffer.frameMetadata else {
            return FrameMark(number: buffer.offset ?? buffer.presentationTime ?? 0, exposureTime: 0, iso: 0)
        }
        return FrameMark(number: metadata.frameNumber, exposureTime: metadata.exposureTime, iso: metadata.iso)
    }

    /// Presses the shutter itself while captures of its own are left; they come one after another.
    mutating func requestOwnCapture(_ captures: Int, frames: Int, _ tickets: borrowing Atomic<UInt64>) {
        guard ownCaptures < captures, requests.isEmpty else { return }
        ownCaptures += 1
        let id = tickets.add(1, ordering: .relaxed).newValue
        requests.append(CaptureRequest(id: id, frames: frames, moment: nil, after: lastUsed, isOwn: true))
    }

    /// Whether that many captures of its own are begun and none waits.
    func hasDone(_ captures: Int) -> Bool { ownCaptures >= captures && requests.isEmpty }

    /// The frames of the first request in line, if they are all there.
    mutating func takeBurst() -> Burst? {
        guard let request = requests.first else { return nil }
        grow(to: request.frames)
        let marks = (0..<ring.count).map { mark(at: $0) ?? FrameMark(number: 0, exposureTime: 0, iso: 0) }
        guard let places = request.selection(from: marks) else { return nil }
        requests.removeFirst()
        var frames = BufferQueue(capacity: places.count)
        for place in places {
            if let frame = ring[place] { frames.append(frame) }
        }
        lastUsed = places.map { marks[$0].number }.max()
        return Burst(request: request, frames: frames)
    }

    /// A burst longer than the ring needs a longer ring.
    private mutating func grow(to frames: Int) {
        guard ring.capacity < frames else { return }
        var longer = BufferQueue(capacity: frames)
        while let buffer = ring.removeFirst() { longer.append(buffer) }
        ring = longer
    }
}

/// The frames of a capture on their way out.
struct Burst: ~Copyable {
    let request: CaptureRequest
    var frames: BufferQueue
}
