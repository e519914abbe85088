internal import Dispatch
internal import GStreamer
internal import Synchronization

/// Makes a file of each frame beside the stream that brings them: in order, on a thread of its own, with few frames waiting.
///
/// So an element that takes long holds up nobody, whether or not there is a queue before it. *Thread-safe.*
final class FrameLane: Sendable {
    /// Makes a frame's file.
    typealias Work = @Sendable (borrowing Buffer) throws -> Buffer

    /// Frames that may be in the lane: one under work, and two that wait. A frame may have 100 MB.
    private static let length = 3

    private let element: ElementHandle
    private let thread = DispatchQueue(label: "gscap.frames")
    /// Set on the lane's own thread alone.
    private let isOwn = DispatchSpecificKey<Bool>()
    private let places = DispatchSemaphore(value: length)
    private let closed = Flag()
    /// How often the lane has begun anew: what came before that is wanted no more.
    private let round = Atomic(0)
    private let failure = Mutex<FlowError?>(nil)
    private let inside = Atomic(0)
    private let outcome = StreamOutcome("not one frame could be made into a file")

    init(_ element: ElementHandle) {
        self.element = element
        thread.setSpecific(key: isOwn, value: true)
    }

    /// Whether nobody wants what is under work any more.
    var isClosed: Bool { closed.isRaised }

    /// Throws when nobody wants what is under work any more.
    func check() throws(GStreamerError) {
        if isClosed { throw GStreamerError(message: Self.wasStopped) }
    }

    /// Takes a frame, once there is a place for it; throws what became of the frames before. Streaming thread.
    ///
    /// A frame that gives no file costs its own capture only: the stream goes on.
    func add(_ frame: consuming Buffer, to output: Pad, _ work: @escaping Work) throws(FlowError) {
        places.wait()
        if isClosed || failure.withLock({ $0 }) != nil {
            places.signal()
            let reason = failure.withLock { $0 } ?? .flushing
            if reason == .flushing, let id = frame.captureIdentifier { element.postFailure(of: id, Self.wasStopped) }
            throw reason
        }
        let held = HeldFrame(frame)
        let began = round.load(ordering: .acquiring)
        inside.add(1, ordering: .relaxed)
        thread.async { [self] in
            defer {
                inside.subtract(1, ordering: .releasing)
                places.signal()
            }
            guard let frame = held.take(), let file = file(of: frame, began, work) else { return }
            do throws(FlowError) {
                try output.push(file)
            } catch {
                // Who begins anew from there has forgotten what this one ran into.
                failure.withLock { if isWanted(began) { $0 = error } }
            }
        }
    }

    private static let wasStopped = "the stream was stopped before the file was made"

    private func isWanted(_ began: Int) -> Bool { !isClosed && began == round.load(ordering: .acquiring) }

    private func file(of frame: borrowing Buffer, _ began: Int, _ work: Work) -> Buffer? {
        do {
            if !isWanted(began) { throw GStreamerError(message: Self.wasStopped) }
            let file = try work(frame)
            outcome.give()
            return file
        } catch {
            refuse(frame.captureIdentifier, error, isWanted: isWanted(began))
            return nil
        }
    }

    private func refuse(_ id: UInt64?, _ error: any Error, isWanted: Bool) {
        if isWanted { outcome.refuse(error, capture: id) }
        if let id {
            element.postFailure(of: id, "\(error)")
        } else if isWanted {
            element.post(warning: error)
        }
    }
}

// MARK: - The life of the stream

extension FrameLane {
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
    private func close() {
        // A place more, for the one that waits; it gives it back.
        if closed.raise() { places.signal() }
    }

    /// Begins anew, when all that was closed has ended; on the lane's own thread what waits there is let go later.
    private func open() {
        round.add(1, ordering: .releasing)
        drain()
        failure.withLock { $0 = nil }
        if closed.lower() { places.wait() }
    }

    /// Begins a stream.
    func start() {
        outcome.begin()
        open()
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
    /// Throws what stopped the frames before the end of the stream, since no frame comes any more that could be told; and
    /// why there is no file at all, if there is none though frames came. Streaming thread, but for a flush start.
    func keepOrder(with event: Event) throws(GStreamerError) -> EventDecision {
        switch event.kind {
        case .flushStart: close()
        case .flushStop: open()
        case .endOfStream:
            if let failure = settle(), failure != .flushing, failure != .endOfStream {
                throw GStreamerError(message: "what follows takes no files: \(failure)")
            }
            if !isClosed { try outcome.end() }
        case .gap:
            // A silent shutter sends one a frame, to say that nothing came: that is not worth waiting for, nor is it news to
            // those who wait for a file.
            return inside.load(ordering: .acquiring) == 0 ? .forward : .drop
        default: _ = settle()
        }
        return .forward
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
