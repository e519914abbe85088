internal import CGStreamer
internal import Synchronization

/// A message bus, which carries messages from elements to the application.
///
/// Messages are delivered to a handler or an asynchronous sequence as they are posted; the bus is never polled.
@safe public final class Bus: @unchecked Sendable {
    // Sendable: GstBus is thread-safe.
    private let pointer: UnsafeMutablePointer<GstBus>

    init(takingFull pointer: UnsafeMutablePointer<GstBus>) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// Returns the messages posted from now on, as a sequence. A bus has one handler: a later call of this method or of
    /// `setHandler` finishes the sequence.
    public func messages() -> AsyncStream<Message> {
        let (stream, continuation) = AsyncStream<Message>.makeStream()
        setHandler {
            continuation.yield($0)
        } ended: {
            continuation.finish()
        }
        return stream
    }

    /// Calls `handler` with each message on the thread that posts the message, which must not block for long. `ended`
    /// is called when the handler is removed or replaced.
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
                // GST_BUS_DROP makes the handler responsible for the message's reference.
                unsafe releaseMiniObject(message)
                return GST_BUS_DROP
            },
            Unmanaged.passRetained(box).toOpaque(),
            { context in if let context = unsafe context { unsafe Unmanaged<HandlerBox>.fromOpaque(context).release() }
            })
    }

    /// Removes the handler; later messages queue up on the bus.
    public func removeHandler() {
        unsafe gst_bus_set_sync_handler(pointer, nil, nil, nil)
    }

    /// Posts an application message (GST_MESSAGE_APPLICATION).
    public func post(application structure: Structure) {
        unsafe gst_bus_post(pointer, gst_message_new_application(nil, structure.intoFull()))
    }
}

/// The user data of the C message handler; calls `ended` when GStreamer releases it.
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
