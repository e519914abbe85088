internal import Dispatch
internal import GStreamer
internal import Synchronization

/// Work on frames beside the stream that brings them: in order, on a thread of its own, with few frames waiting.
///
/// So an element that takes long holds up nobody, whether or not there is a queue before it. *Thread-safe.*
final class FrameLane: Sendable {
    /// What is done with a frame.
    typealias Work = @Sendable (consuming Buffer) throws(FlowError) -> Void

    /// Frames that may be in the lane: one under work, and two that wait. A frame may have 100 MB.
    private static let length = 3

    private let thread = DispatchQueue(label: "gscap.frames")
    /// Set on the lane's own thread alone.
    private let isOwn = DispatchSpecificKey<Bool>()
    private let places = DispatchSemaphore(value: length)
    private let closed = Flag()
    private let failure = Mutex<FlowError?>(nil)
    private let inside = Atomic(0)

    init() { thread.setSpecific(key: isOwn, value: true) }

    /// Whether nobody wants what is under work any more.
    var isClosed: Bool { closed.isRaised }

    /// Takes a frame, once there is a place for it; throws what became of the frames before. Streaming thread.
    func add(_ frame: consuming Buffer, _ work: @escaping Work) throws(FlowError) {
        places.wait()
        if isClosed || failure.withLock({ $0 }) != nil {
            places.signal()
            throw failure.withLock { $0 } ?? .flushing
        }
        let held = HeldFrame(frame)
        inside.add(1, ordering: .relaxed)
        thread.async { [self] in
            defer {
                inside.subtract(1, ordering: .releasing)
                places.signal()
            }
            guard let frame = held.take() else { return }
            do throws(FlowError) { try work(frame) } catch { failure.withLock { $0 = error } }
        }
    }

    /// Waits until all frames are done.
    ///
    /// Whoever gets a file may seek from there, whose flush then comes back on the lane's own thread: that cannot wait for
    /// itself.
    func drain() {
        if DispatchQueue.getSpecific(key: isOwn) == nil { thread.sync {} }
    }

    /// Waits until all frames are done, or nobody wants them any more; returns what stopped them. Streaming thread.
    ///
    /// It must not wait longer than that: who flushes from the lane's own thread waits for the streaming one.
    private func settle() -> FlowError? {
        if DispatchQueue.getSpecific(key: isOwn) == nil {
            var count = 0
            while count < Self.length, !isClosed {
                places.wait()
                count += 1
            }
            for _ in 0..<count { places.signal() }
        }
        return failure.withLock { $0 }
    }

    /// Lets work under way know that nobody wants it, and whoever waits for a place go. Any thread; it does not wait.
    func close() {
        // A place more, for the one that waits; it gives it back.
        if closed.raise() { places.signal() }
    }

    /// Begins anew, when all that was closed has ended.
    func open() {
        drain()
        failure.withLock { $0 = nil }
        if closed.lower() { places.wait() }
    }

    /// Follows the element's state: on the way down, what is under way ends.
    func follow(_ transition: StateTransition) {
        if transition.from == .paused, transition.to == .ready { close() }
    }

    /// Forgets that nobody was linked behind, once somebody is. Any thread.
    func hear(upstream event: Event) {
        guard event.kind == .reconfigure else { return }
        failure.withLock { failure in
            if failure == .notLinked { failure = nil }
        }
    }

    /// Keeps order with an event of the stream, and tells what becomes of it: what came before it is done before it goes on.
    ///
    /// Throws what stopped the frames before the end of the stream, since no frame comes any more that could be told.
    /// Streaming thread, but for a flush start.
    func keepOrder(with event: Event) throws(GStreamerError) -> EventDecision {
        switch event.kind {
        case .flushStart: close()
        case .flushStop: open()
        case .endOfStream:
            if let failure = settle(), failure != .flushing, failure != .endOfStream {
                throw GStreamerError(message: "what follows takes no files: \(failure)")
            }
        case .gap:
            // A silent shutter sends one a frame, to say that nothing came: that is not worth waiting for, nor is it news to
            // those who wait for a file.
            return inside.load(ordering: .acquiring) == 0 ? .forward : .drop
        default: _ = settle()
        }
        return .forward
    }
}

// MARK: Files

extension FrameLane {
    private static let wasStopped = "the stream was stopped before the file was made"

    /// Makes a file of a frame and hands it on. A frame that gives none costs its own capture only: the stream goes on.
    func add(
        _ frame: consuming Buffer, of element: ElementHandle, to output: Pad,
        _ file: @escaping @Sendable (borrowing Buffer) throws -> Buffer
    ) throws(FlowError) {
        let id = frame.captureIdentifier
        do throws(FlowError) {
            try add(frame) { [self] (frame: consuming Buffer) throws(FlowError) in
                if let file = self.file(of: frame, element, file) { try output.push(file) }
            }
        } catch {
            if let id, error == .flushing { element.postFailure(of: id, Self.wasStopped) }
            throw error
        }
    }

    private func file(
        of frame: borrowing Buffer, _ element: ElementHandle, _ file: (borrowing Buffer) throws -> Buffer
    ) -> Buffer? {
        do {
            if isClosed { throw GStreamerError(message: Self.wasStopped) }
            return try file(frame)
        } catch {
            if let id = frame.captureIdentifier {
                element.postFailure(of: id, "\(error)")
            } else if !isClosed {
                element.post(warning: error)
            }
            return nil
        }
    }
}

/// A frame that waits for its turn, for closures, which cannot own one.
private final class HeldFrame: Sendable {
    private let frame: Mutex<BufferQueue>

    init(_ buffer: consuming Buffer) {
        var queue = BufferQueue(capacity: 1)
        queue.append(buffer)
        frame = Mutex(queue)
    }

    func take() -> Buffer? { frame.withLock { $0.removeFirst() } }
}
