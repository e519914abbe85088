internal import CGStreamer
internal import CGStreamerShims

/// A handler connected to a signal of an element, until it is disconnected or the element is freed.
public struct SignalConnection: Sendable {
    private let element: Element
    private let identifier: UInt

    fileprivate init(_ element: Element, _ identifier: UInt) {
        self.element = element
        self.identifier = identifier
    }

    /// Disconnects the handler from the signal; a second call does nothing.
    public func disconnect() {
        guard unsafe g_signal_handler_is_connected(element.pointer, identifier) != 0 else { return }
        unsafe g_signal_handler_disconnect(element.pointer, identifier)
    }
}

extension Element {
    /// Calls `handler` with the arguments of each emission of the signal, on the thread that emits it. The handler must
    /// not block for long.
    @discardableResult
    public func connect(
        _ signal: String, _ handler: @escaping @Sendable ([Value]) -> Void
    ) throws(GscapError) -> SignalConnection {
        guard unsafe g_signal_lookup(signal, gscap_instance_type(pointer)) != 0 else {
            throw GscapError(message: "no signal \"\(signal)\" in \(factoryName)", place: name)
        }
        let retained = unsafe Unmanaged.passRetained(SignalHandler(handler)).toOpaque()
        let closure = unsafe g_closure_new_simple(UInt32(MemoryLayout<GClosure>.size), retained)
        unsafe g_closure_add_finalize_notifier(closure, retained) { retained, _ in
            if let retained = unsafe retained { unsafe Unmanaged<SignalHandler>.fromOpaque(retained).release() }
        }
        unsafe g_closure_set_marshal(closure) { closure, _, count, values, _, _ in
            guard let retained = unsafe closure?.pointee.data, let values = unsafe values else { return }
            let handler = unsafe Unmanaged<SignalHandler>.fromOpaque(retained).takeUnretainedValue()
            handler.body((1..<max(1, Int(count))).map { unsafe Value(reading: values + $0) })
        }
        return SignalConnection(self, UInt(unsafe g_signal_connect_closure(pointer, signal, closure, 0)))
    }
}

/// The user data of the C closure of a connection: the handler to call.
private final class SignalHandler: Sendable {
    let body: @Sendable ([Value]) -> Void

    init(_ body: @escaping @Sendable ([Value]) -> Void) {
        self.body = body
    }
}
