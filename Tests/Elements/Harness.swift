import CHarness
import GStreamer

/// A wrapper of GstHarness, GStreamer's test harness for one element.
@safe final class Harness {
    let element: Element
    private let pointer: UnsafeMutableRawPointer

    init(_ element: Element, sink: Bool = true, source: Bool = true) throws {
        self.element = element
        let created = unsafe gscap_harness_new(element.rawPointer, sink ? 1 : 0, source ? 1 : 0)
        guard let created = unsafe created else { throw GStreamerError(message: "no harness") }
        unsafe pointer = created
    }

    /// Creates a harness of a new element. `isLive` makes it a live source for the element.
    convenience init(factory: String, isLive: Bool = false) throws {
        try self.init(Element(factory: factory))
        unsafe gscap_harness_set_live(pointer, isLive ? 1 : 0)
    }

    deinit { unsafe gscap_harness_free(pointer) }

    /// Sends caps into the element.
    func send(caps: String) { unsafe gscap_harness_set_source_caps(pointer, caps) }

    /// Accepts only these caps from the element.
    func accept(caps: String) { unsafe gscap_harness_set_sink_caps(pointer, caps) }

    func play() { unsafe gscap_harness_play(pointer) }

    /// Pushes a buffer into the element; returns the flow return, 0 for GST_FLOW_OK.
    @discardableResult
    func push(_ buffer: consuming Buffer) -> Int32 { unsafe gscap_harness_push(pointer, buffer.intoRawPointer()) }

    /// Returns the next output buffer without waiting; nil if there is none.
    func pull() -> Buffer? { unsafe gscap_harness_try_pull(pointer).map { unsafe Buffer(takingRawPointer: $0) } }

    /// Returns the next output buffer, waiting for it.
    func waitAndPull() -> Buffer? { unsafe gscap_harness_pull(pointer).map { unsafe Buffer(takingRawPointer: $0) } }

    @discardableResult
    func push(_ event: Event) -> Bool { unsafe gscap_harness_push_event(pointer, event.copyRawPointer()) != 0 }

    @discardableResult
    func pushUpstream(_ event: Event) -> Bool {
        unsafe gscap_harness_push_upstream_event(pointer, event.copyRawPointer()) != 0
    }

    /// Returns the next output event without waiting; nil if there is none.
    func pullEvent() -> Event? {
        unsafe gscap_harness_try_pull_event(pointer).map { unsafe Event(takingRawPointer: $0) }
    }

    /// Returns the end of the output, waiting for it; nil if it does not come.
    func waitForEnd() -> Event? {
        while let event = unsafe gscap_harness_pull_event(pointer).map({ unsafe Event(takingRawPointer: $0) }) {
            if event.kind == .endOfStream { return event }
        }
        return nil
    }

    /// Removes all pending output events and returns their kinds.
    func eventKinds() -> [Event.Kind] {
        var kinds: [Event.Kind] = []
        while let event = pullEvent() { kinds.append(event.kind) }
        return kinds
    }
}
