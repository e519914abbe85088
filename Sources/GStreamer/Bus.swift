internal import CGStreamer
internal import Synchronization

/// The way from elements to the application.
///
/// Messages are pushed to whoever asked for them before they came; nobody polls.
@safe public final class Bus: @unchecked Sendable {
    // Sendable: GstBus is thread-safe.
    private let pointer: UnsafeMutablePointer<GstBus>

    init(takingFull pointer: UnsafeMutablePointer<GstBus>) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// The messages from now on, until the sequence is let go. One sequence a bus: a later one ends the earlier.
    public func messages() -> AsyncStream<Message> {
        let (stream, continuation) = AsyncStream<Message>.makeStream()
        setHandler {
            continuation.yield($0)
        } ended: {
            continuation.finish()
        }
        return stream
    }

    /// Calls `handler` with each message, on the thread that posts it. Keep it short.
    public func setHandler(
        _ handler: @escaping @Sendable (Message) -> Void, ended: @escaping @Sendable () -> Void = {}
    ) {
        let box = HandlerBox(handler: handler, ended: ended)
        removeHandler()
        unsafe gst_bus_set_sync_handler(
            pointer,
            { _, message, context in
                guard let message = unsafe message, let context = unsafe context else { return GST_BUS_PASS }
                let box = unsafe Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
                unsafe box.handler(Message(reading: message))
                // Dropping leaves the reference to us.
                unsafe releaseMiniObject(message)
                return GST_BUS_DROP
            },
            Unmanaged.passRetained(box).toOpaque(),
            { context in if let context = unsafe context { unsafe Unmanaged<HandlerBox>.fromOpaque(context).release() }
            })
    }

    /// Messages pile up again until somebody asks for them.
    public func removeHandler() {
        unsafe gst_bus_set_sync_handler(pointer, nil, nil, nil)
    }

    /// Posts a message of the application's own.
    public func post(application structure: Structure) {
        unsafe gst_bus_post(pointer, gst_message_new_application(nil, structure.intoFull()))
    }
}

/// Keeps a handler for C, and tells when C lets it go.
private final class HandlerBox: Sendable {
    let handler: @Sendable (Message) -> Void
    let ended: @Sendable () -> Void

    init(handler: @escaping @Sendable (Message) -> Void, ended: @escaping @Sendable () -> Void) {
        self.handler = handler
        self.ended = ended
    }

    deinit {
        ended()
    }
}
