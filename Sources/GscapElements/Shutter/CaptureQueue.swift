internal import Dispatch
internal import FrameStream
internal import GStreamer
internal import Waiting

/// Pushes the bursts of a live stream downstream, one after another, on a separate thread, so that the streaming
/// thread of the camera never waits for the elements behind the shutter. *Thread-safe.*
final class CaptureQueue: Sendable {
    private let thread = DispatchQueue(label: "gscap.captures")
    /// A key whose value is set only on the queue's thread, so that functions can detect that they run there.
    private let isOwnThread = DispatchSpecificKey<Bool>()
    private let isClosed = AtomicFlag()

    init() { thread.setSpecific(key: isOwnThread, value: true) }

    /// A function that pushes the frames of a burst downstream.
    typealias Work = @Sendable (Burst) throws -> Void

    /// Queues a burst and returns at once. A burst that cannot be pushed ends its capture only: the camera's stream
    /// goes on. Any thread.
    func add(_ burst: Burst, _ work: @escaping Work) {
        thread.async { [self] in
            if isClosed.isRaised { return burst.abandon(after: FlowError.flushing) }
            // The error is ignored, because `work` has already ended the capture when it throws.
            try? work(burst)
        }
    }

    /// Waits until the queued bursts are pushed. Returns at once on the queue's own thread, which cannot wait for
    /// itself.
    func drain() {
        if DispatchQueue.getSpecific(key: isOwnThread) == nil { thread.sync {} }
    }

    /// Closes the queue: bursts that wait in it are cancelled instead of pushed. Does not wait: a push under way ends
    /// when the elements behind the shutter are flushed.
    func close() { isClosed.raise() }

    /// Opens the queue again, after all earlier bursts have been pushed or cancelled.
    func open() {
        drain()
        isClosed.lower()
    }
}

extension Burst {
    /// Drops the frames that have not been pushed, and ends the capture after its push threw `error`: as cancelled if
    /// the pad was flushing, otherwise as failed.
    func abandon(after error: any Error) {
        drop()
        if error as? FlowError == .flushing {
            ticket.abandon(.cancelled, "the stream was stopped or flushed")
        } else {
            ticket.abandon(.failed, "the frames could not be handed on: \(error)")
        }
    }
}
