internal import CGStreamer
internal import CGStreamerShims

/// How a behaviour reaches the element that it belongs to. It does not keep the element alive; once that is gone,
/// everything here does nothing. Any thread, and with no lock of one's own held: those who hear may call back.
@safe public final class ElementHandle: @unchecked Sendable {
    // Sendable: a GWeakRef is thread-safe, and it stays at one place.
    private let reference: UnsafeMutablePointer<GWeakRef>

    init(_ element: UnsafeMutablePointer<GstElement>) {
        unsafe reference = .allocate(capacity: 1)
        unsafe g_weak_ref_init(reference, element)
    }

    deinit {
        unsafe g_weak_ref_clear(reference)
        unsafe reference.deallocate()
    }

    /// A reference to the element, for calls only: a behaviour that keeps it keeps its element alive for ever.
    public var element: Element? {
        unsafe strongReference().map { unsafe Element(takingFull: $0) }
    }

    /// The same for a bin; nil for elements that are none.
    public var bin: Bin? {
        guard let pointer = unsafe strongReference() else { return nil }
        guard unsafe gscap_instance_is_a(pointer, gst_bin_get_type()) != 0 else {
            unsafe gst_object_unref(pointer)
            return nil
        }
        return unsafe Bin(takingFull: pointer)
    }

    /// The element's name in the pipeline.
    public var name: String { element?.name ?? "" }

    /// Nanoseconds that the pipeline has been running, once it has a clock.
    public var runningTime: UInt64? {
        unsafe with { element in
            let time = unsafe gst_element_get_current_running_time(element)
            return time == UInt.max ? nil : UInt64(time)
        } ?? nil
    }

    private func strongReference() -> UnsafeMutablePointer<GstElement>? {
        unsafe g_weak_ref_get(reference)?.assumingMemoryBound(to: GstElement.self)
    }

    private func with<R>(_ body: (UnsafeMutablePointer<GstElement>) -> R) -> R? {
        guard let element = unsafe strongReference() else { return nil }
        defer { unsafe gst_object_unref(element) }
        return unsafe body(element)
    }
}

// MARK: - Telling

extension ElementHandle {
    /// Posts an error: the pipeline cannot go on.
    public func post(error: any Error) {
        unsafe post(error, as: gst_message_new_error)
    }

    /// Posts a warning: something is not as it should be, and the pipeline goes on.
    public func post(warning: any Error) {
        unsafe post(warning, as: gst_message_new_warning)
    }

    /// Posts something worth knowing.
    public func post(information: any Error) {
        unsafe post(information, as: gst_message_new_info)
    }

    /// Posts a message of the element's own.
    public func post(_ structure: Structure) {
        _ = unsafe with { element in
            unsafe gst_element_post_message(
                element, gst_message_new_element(Element.object(element), structure.intoFull()))
        }
    }

    /// Says that the latency is another now, so that the pipeline asks for it anew.
    public func postLatencyChanged() {
        _ = unsafe with { element in
            unsafe gst_element_post_message(element, gst_message_new_latency(Element.object(element)))
        }
    }

    private typealias MessageMaker = (
        UnsafeMutablePointer<GstObject>?, UnsafeMutablePointer<GError>?, UnsafePointer<CChar>?
    ) -> UnsafeMutablePointer<GstMessage>?

    private func post(_ error: any Error, as make: MessageMaker) {
        let said = GStreamerError(describing: error)
        _ = unsafe with { element in
            let failure = unsafe g_error_new_literal(
                g_quark_from_string(said.domain), Int32(clamping: said.code), said.message)
            defer { unsafe g_error_free(failure) }
            unsafe gst_element_post_message(
                element, make(Element.object(element), failure, said.debug.isEmpty ? nil : said.debug))
        }
    }

    /// Says that a property has changed by itself.
    public func notify(_ property: String) {
        unsafe with { element in
            unsafe g_object_notify(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property)
        }
    }
}

extension GStreamerError {
    /// Any error, as elements post it: in GStreamer's family for streams when it has no family of its own.
    init(describing error: any Error) {
        if let error = error as? GStreamerError {
            self = error
            if domain == "gscap" && code == 0 { (domain, code) = Self.streamFailed }
        } else {
            let (domain, code) = Self.streamFailed
            self.init(domain: domain, code: code, message: "\(error)")
        }
    }

    private static var streamFailed: (String, Int) {
        (Domain.stream, Int(GST_STREAM_ERROR_FAILED.rawValue))
    }
}

// MARK: - Streaming

extension ElementHandle {
    /// Sends an event out of every input, toward the source; whether somebody took it.
    @discardableResult
    public func pushUpstream(_ event: Event) -> Bool {
        let inputs = element?.pads.filter { !$0.isSource } ?? []
        return inputs.reduce(false) { $1.push(event) || $0 }
    }

    /// Has the formats agreed on anew before the next buffer goes out.
    public func renegotiate() {
        for pad in element?.pads ?? [] where pad.isSource { unsafe gst_pad_mark_reconfigure(pad.pointer) }
    }

    /// Sets the controlled properties to their values at a stream time in nanoseconds.
    public func syncControlledProperties(at time: UInt64) {
        _ = unsafe with { unsafe gst_object_sync_values(Element.object($0), GstClockTime(time)) }
    }
}
