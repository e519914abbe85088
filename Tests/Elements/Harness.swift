import CHarness
import GStreamer

/// GStreamer's own test harness around one element.
@safe final class Harness {
    let element: Element
    private let pointer: UnsafeMutableRawPointer

    init(_ element: Element, sink: Bool = true, source: Bool = true) throws {
        self.element = element
        let made = unsafe gscap_harness_new(element.rawPointer, sink ? 1 : 0, source ? 1 : 0)
        guard let made = unsafe made else { throw GStreamerError(message: "no harness") }
        unsafe pointer = made
    }

    convenience init(factory: String) throws {
        try self.init(Element(factory: factory))
    }

    deinit { unsafe gscap_harness_free(pointer) }

    /// Sends caps into the element.
    func send(caps: String) { unsafe gscap_harness_set_source_caps(pointer, caps) }

    /// Accepts only these caps from the element.
    func accept(caps: String) { unsafe gscap_harness_set_sink_caps(pointer, caps) }

    func play() { unsafe gscap_harness_play(pointer) }

    /// Pushes a buffer; gives the flow return, 0 for "on it goes".
    @discardableResult
    func push(_ buffer: consuming Buffer) -> Int32 { unsafe gscap_harness_push(pointer, buffer.intoRawPointer()) }

    /// What has come out already.
    func pull() -> Buffer? { unsafe gscap_harness_try_pull(pointer).map { unsafe Buffer(takingRawPointer: $0) } }

    /// What comes out, waiting for it.
    func waitAndPull() -> Buffer? { unsafe gscap_harness_pull(pointer).map { unsafe Buffer(takingRawPointer: $0) } }

    @discardableResult
    func push(_ event: Event) -> Bool { unsafe gscap_harness_push_event(pointer, event.copyRawPointer()) != 0 }

    @discardableResult
    func pushUpstream(_ event: Event) -> Bool {
        unsafe gscap_harness_push_upstream_event(pointer, event.copyRawPointer()) != 0
    }

    /// The next event that came out.
    func pullEvent() -> Event? {
        unsafe gscap_harness_try_pull_event(pointer).map { unsafe Event(takingRawPointer: $0) }
    }

    /// The kinds of all events that came out and were not looked at.
    func eventKinds() -> [Event.Kind] {
        var kinds: [Event.Kind] = []
        while let event = pullEvent() { kinds.append(event.kind) }
        return kinds
    }
}
