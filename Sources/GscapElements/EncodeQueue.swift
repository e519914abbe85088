internal import Dispatch
internal import FrameStream
internal import GStreamer
internal import Synchronization
internal import Waiting

/// A bounded queue that encodes frames as files, in order of time, on its own thread.
///
/// The reference of a burst comes first in the stream. If each frame of the burst is stored, its file is held back
/// until the frames from before it are encoded:
///
///     reference encoded ─► held ──a later frame, another burst, the end of the burst or stream──► pushed
///                            └──flush, stop──► dropped; its photo fails
///
/// A slow encoder does not block the elements upstream until the queue is full, whether or not the pipeline has a
/// `queue` element before it. *Thread-safe.*
final class EncodeQueue: Sendable {
    /// A function that encodes a frame as a file.
    typealias Work = @Sendable (borrowing Buffer) throws -> Buffer

    /// The most frames in the queue: one being encoded and one waiting. A frame may have 100 MB.
    static let capacity = 2

    private let element: ElementHandle
    private let thread = DispatchQueue(label: "gscap.frames")
    /// A key whose value is set only on the encoder thread, so that functions can detect that they run there.
    private let isEncoderThread = DispatchSpecificKey<Bool>()
    /// The free slots of the queue.
    private let slots = DispatchSemaphore(value: capacity)
    private let closed = AtomicFlag()
    /// The number of restarts so far. Frames that were queued before the last restart are dropped.
    private let generation = Atomic(0)
    private let failure = Mutex<FlowError?>(nil)
    private let pendingFrames = Atomic(0)
    /// The number of ends of captures that wait for the encoder thread.
    private let pendingEnds = Awaited(0)
    private let clock = WaitClock.current
    /// The reference's file that is held back.
    private let held = Mutex<HeldFile?>(nil)
    private let outcome = StreamOutcome("no frame of the stream could be encoded")

    init(_ element: ElementHandle) {
        self.element = element
        thread.setSpecific(key: isEncoderThread, value: true)
    }

    /// Whether the queue is closed by a flush or a stop, so that running work is to be cancelled.
    var isClosed: Bool { closed.isRaised }

    /// Throws if the queue is closed, to cancel running work.
    func check() throws(GscapError) {
        if isClosed { throw GscapError(message: Self.wasStopped) }
    }

    /// Queues a frame, waiting for a free slot; throws the flow error of earlier frames. Streaming thread.
    ///
    /// A frame that cannot be encoded fails its own capture only; the stream continues.
    func add(_ frame: consuming Buffer, to output: Pad, _ work: @escaping Work) throws(FlowError) {
        slots.wait()
        if isClosed || failure.withLock({ $0 }) != nil {
            slots.signal()
            let reason = failure.withLock { $0 } ?? .flushing
            if let place = CapturePlace(frame) {
                element.postFailure(
                    of: place, reason == .flushing ? Self.wasStopped : "the elements behind accept no files: \(reason)")
            }
            throw reason
        }
        let frame = QueuedBuffer(frame)
        let added = generation.load(ordering: .acquiring)
        pendingFrames.add(1, ordering: .relaxed)
        thread.async { [self] in
            defer {
                pendingFrames.subtract(1, ordering: .releasing)
                slots.signal()
            }
            guard let frame = frame.take() else { return }
            let place = CapturePlace(frame)
            if !isHeld(before: place) { pushHeld(to: output) }
            guard let file = file(of: frame, added, work) else { return }
            if let place, frame.waitsForEarlierFrames {
                let waiting = HeldFile(file: QueuedBuffer(file), place: place, generation: added)
                held.withLock { $0 = waiting }
            } else {
                push(file, place, added, to: output)
            }
        }
    }

    private func push(_ file: consuming Buffer, _ place: CapturePlace?, _ added: Int, to output: Pad) {
        let bytes = file.size
        do throws(FlowError) {
            try output.push(file)
            if let place { element.postPhoto(of: place, bytes: bytes) }
        } catch {
            if let place { element.postFailure(of: place, "the file was not accepted: \(error)") }
            // A restart clears the failure, so a failure from before the restart is ignored.
            failure.withLock { if isCurrent(added) { $0 = error } }
        }
    }

    /// Returns whether the file that is held back, if there is one, stays so until after a frame at this place.
    private func isHeld(before place: CapturePlace?) -> Bool {
        held.withLock { held in
            guard let held, let place else { return false }
            return place.id == held.place.id && place.exposure == held.place.exposure && place.frame < held.place.frame
        }
    }

    /// Pushes the file that is held back, if there is one.
    private func pushHeld(to output: Pad) {
        guard let held = held.withLock({ $0.take() }), let file = held.file.take() else { return }
        push(file, held.place, held.generation, to: output)
    }

    /// Drops the file that is held back, and reports its photo as failed.
    private func dropHeld() {
        guard let held = held.withLock({ $0.take() }) else { return }
        element.postFailure(of: held.place, Self.wasStopped)
    }

    private static let wasStopped = "the stream was stopped before the file was encoded"

    /// Returns whether frames queued in generation `added` are still to be encoded: the queue was neither closed nor
    /// restarted since then.
    private func isCurrent(_ added: Int) -> Bool { !isClosed && added == generation.load(ordering: .acquiring) }

    private func file(of frame: borrowing Buffer, _ added: Int, _ work: Work) -> Buffer? {
        do {
            if !isCurrent(added) { throw GscapError(message: Self.wasStopped) }
            let file = try work(frame)
            outcome.recordOutput()
            return file
        } catch {
            report(error, of: CapturePlace(frame), isCurrent: isCurrent(added))
            return nil
        }
    }

    private func report(_ error: any Error, of place: CapturePlace?, isCurrent: Bool) {
        if isCurrent { outcome.recordFailure(error, capture: place?.id) }
        if let place {
            element.postFailure(of: place, "\(error)")
        } else if isCurrent {
            element.post(warning: error)
        }
    }
}

// MARK: - Stream events and state changes

extension EncodeQueue {
    /// Waits until each queued frame is encoded and its file pushed, or the frame is dropped.
    ///
    /// Returns at once on the encoder thread: downstream may seek while it receives a file, and the resulting flush
    /// then arrives on the encoder thread, which cannot wait for itself.
    func drain() {
        if DispatchQueue.getSpecific(key: isEncoderThread) == nil { thread.sync {} }
    }

    /// Ends the queue at the end of a stream: waits as `drain` does, and drops the file that is held back.
    func stop() {
        drain()
        dropHeld()
    }

    /// Waits until all queued frames are encoded or the queue is closed; returns the flow error of pushing their files,
    /// if any. Streaming thread.
    ///
    /// Waiting ends when the queue is closed, because a flush on the encoder thread waits for the streaming thread.
    private func settle() -> FlowError? {
        if DispatchQueue.getSpecific(key: isEncoderThread) == nil {
            var count = 0
            while count < Self.capacity, !isClosed {
                slots.wait()
                count += 1
            }
            for _ in 0..<count { slots.signal() }
            // The ends of captures, which take no slot, must not be overtaken either.
            _ = pendingEnds.wait(until: nil, by: clock) { $0 == 0 || isClosed ? true : nil }
        }
        return failure.withLock { $0 }
    }

    /// Closes the queue: cancels running work and releases a streaming thread that waits for a slot. Does not wait. Any
    /// thread.
    private func close() {
        // One extra slot releases the waiting streaming thread; `open()` takes the slot back.
        if closed.raise() { slots.signal() }
        pendingEnds.change { _ in }
    }

    /// Restarts the queue after all cancelled work has ended. On the encoder thread, which cannot wait for itself, the
    /// old frames are dropped later by their generation.
    private func open() {
        generation.add(1, ordering: .releasing)
        drain()
        dropHeld()
        failure.withLock { $0 = nil }
        if closed.lower() { slots.wait() }
    }

    /// Opens the queue at the start of a stream.
    func start() {
        outcome.begin()
        open()
    }

    /// Closes the queue when the element's state changes from PAUSED to READY.
    func follow(_ transition: StateTransition) {
        if transition.from == .paused, transition.to == .ready { close() }
    }

    /// Clears a not-linked failure on a reconfigure event, which the source pad receives when it is linked. Any thread.
    func handle(upstream event: Event) {
        guard event.kind == .reconfigure else { return }
        failure.withLock { failure in
            if failure == .notLinked { failure = nil }
        }
    }

    /// Forwards a downstream event in order with the files. Waits for the frames before it, then returns whether the
    /// event is to be forwarded. Streaming thread, except for a flush start.
    ///
    /// The event that ends a capture is forwarded by the encoder thread instead, so that the streaming thread does not
    /// wait for the capture's files.
    ///
    /// At the end of the stream this throws the flow error of the last frames, because no later frame can report it, or
    /// the last failure if no frame at all could be encoded.
    func serialize(with event: Event, output: Pad) throws(GscapError) -> EventDecision {
        if CaptureEnd(event) != nil {
            pendingEnds.change { $0 += 1 }
            thread.async { [self] in
                pushHeld(to: output)
                output.push(event)
                pendingEnds.change { $0 -= 1 }
            }
            return .drop
        }
        switch event.kind {
        case .flushStart: close()
        case .flushStop: open()
        case .endOfStream:
            let failed = settle()
            pushHeld(to: output)
            if let failure = failed, failure != .flushing, failure != .endOfStream {
                throw GscapError(message: "downstream accepts no files: \(failure)")
            }
            if !isClosed { try outcome.end() }
        case .gap:
            // A gap lets sinks preroll without a picture, so it must not wait for the encoder. While a file is being
            // encoded the gap is dropped: the file follows and prerolls the sinks.
            return pendingFrames.load(ordering: .acquiring) == 0 ? .forward : .drop
        default:
            _ = settle()
            pushHeld(to: output)
        }
        return .forward
    }
}

/// The file of a burst's reference, which waits for the files of the frames from before it.
private struct HeldFile {
    var file: QueuedBuffer
    var place: CapturePlace
    /// The restarts of the queue before the frame was added.
    var generation: Int
}

extension Buffer {
    /// Whether the files of other frames of the burst come before this one's, although the frame came first.
    fileprivate var waitsForEarlierFrames: Bool {
        guard captureIndex > 0, isCaptureReference, let kind = try? FrameCustomMeta.kind() else { return false }
        return value(of: "capture-every-frame", in: kind) != .boolean(false)
    }
}

/// A queued frame or file, in a class because an escaping closure cannot own a noncopyable buffer.
private final class QueuedBuffer: Sendable {
    private let buffer: Mutex<BufferQueue>

    init(_ buffer: consuming Buffer) {
        var queue = BufferQueue(capacity: 1)
        queue.append(buffer)
        self.buffer = Mutex(queue)
    }

    func take() -> Buffer? { buffer.withLock { $0.removeFirst() } }
}
