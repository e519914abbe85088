internal import CGStreamer
internal import CGStreamerShims
internal import Glibc

/// A weak reference from a behaviour to its element. Once the element is gone, every method does nothing. Methods may
/// be called on any thread, but not while holding a lock of the behaviour, because listeners may call back into it.
@safe public final class ElementHandle: @unchecked Sendable {
    // Sendable: a GWeakRef is thread-safe, and its address never changes.
    private let reference: UnsafeMutablePointer<GWeakRef>
    /// The debug category with the name of the element's factory; nil without an element.
    private let category: DebugCategory?

    init(_ element: UnsafeMutablePointer<GstElement>, _ category: DebugCategory) {
        self.category = category
        unsafe reference = .allocate(capacity: 1)
        unsafe g_weak_ref_init(reference, element)
    }

    /// Creates a handle of no element, for tests that create a behaviour alone.
    package init() {
        category = nil
        unsafe reference = .allocate(capacity: 1)
        unsafe g_weak_ref_init(reference, nil)
    }

    deinit {
        unsafe g_weak_ref_clear(reference)
        unsafe reference.deallocate()
    }

    /// A strong reference to the element, nil once it is gone. Use it for calls only: a behaviour that stores the
    /// reference keeps the element alive forever.
    public var element: Element? {
        unsafe strongReference().map { unsafe Element(takingFull: $0) }
    }

    /// A strong reference to the element as a bin; nil once it is gone and for elements that are not bins.
    public var bin: Bin? {
        guard let pointer = unsafe strongReference() else { return nil }
        guard unsafe gscap_instance_is_a(pointer, gst_bin_get_type()) != 0 else {
            unsafe gst_object_unref(pointer)
            return nil
        }
        return unsafe Bin(takingFull: pointer)
    }

    /// The element's name in the pipeline; empty once the element is gone.
    public var name: String { element?.name ?? "" }

    /// The pipeline's running time in nanoseconds; nil while it has no clock.
    public var runningTime: UInt64? {
        unsafe with { element in
            let time = unsafe gst_element_get_current_running_time(element)
            return time == UInt.max ? nil : UInt64(time)
        } ?? nil
    }

    /// Returns the running time of an instant of CLOCK_MONOTONIC, in nanoseconds; nil while the pipeline has no clock.
    public func runningTime(ofMonotonic time: UInt64) -> Int64? {
        unsafe with { element -> Int64? in
            guard let clock = unsafe gst_element_get_clock(element) else { return nil }
            defer { unsafe gst_object_unref(clock) }
            let base = Int64(clamping: unsafe gst_element_get_base_time(element))
            // The thread may be interrupted between the readings of both clocks: those nearest to each other count.
            let readings = (0..<4).map { _ -> (span: Int64, offset: Int64) in
                let before = Self.monotonicTime()
                let now = Int64(clamping: unsafe gst_clock_get_time(clock))
                let after = Self.monotonicTime()
                // GStreamer's own clock is CLOCK_MONOTONIC itself.
                if (before...max(before, after)).contains(now) { return (-1, 0) }
                return (after - before, now - (before + (after - before) / 2))
            }
            let offset = readings.min { $0.span < $1.span }?.offset ?? 0
            return Int64(clamping: time) + offset - base
        } ?? nil
    }

    private static func monotonicTime() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The time of the pipeline's clock at which the running time is 0; nil once the element is gone. It changes when
    /// the pipeline is paused and continues, and when a seek restarts the running time.
    public var baseTime: UInt64? { unsafe with { unsafe UInt64(gst_element_get_base_time($0)) } }

    /// The running time, and the base time by which it was computed, also while another thread changes it.
    public var timeOnBase: (runningTime: UInt64?, baseTime: UInt64?) {
        var base = baseTime
        while true {
            let time = runningTime
            let current = baseTime
            if current == base { return (time, base) }
            base = current
        }
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

// MARK: - Messages

extension ElementHandle {
    /// Writes a line in GStreamer's debug log, in the category with the name of the element's factory. The message is
    /// computed only if it is shown; it may be logged while a lock is held.
    package func log(
        _ level: DebugLevel, _ message: @autoclosure () -> String, file: StaticString = #fileID,
        function: StaticString = #function, line: Int = #line
    ) {
        guard let category, category.shows(level) else { return }
        let text = message()
        _ = unsafe with { element in
            unsafe category.write(
                level, text, UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), file, function,
                line)
        }
    }

    /// Posts an error message: the pipeline cannot continue.
    public func post(error: any Error) {
        log(.error, "\(error)")
        unsafe post(error, as: gst_message_new_error)
    }

    /// Posts a warning message: the pipeline continues.
    public func post(warning: any Error) {
        log(.warning, "\(warning)")
        unsafe post(warning, as: gst_message_new_warning)
    }

    /// Posts an information message.
    public func post(information: any Error) {
        unsafe post(information, as: gst_message_new_info)
    }

    /// Posts a message that the element defines (GST_MESSAGE_ELEMENT).
    public func post(_ structure: Structure) {
        log(.debug, "posts \(structure.debugText)")
        _ = unsafe with { element in
            unsafe gst_element_post_message(
                element, gst_message_new_element(Element.object(element), structure.intoFull()))
        }
    }

    /// Posts a latency message, so that the pipeline queries and distributes the latency again.
    public func postLatencyChanged() {
        _ = unsafe with { element in
            unsafe gst_element_post_message(element, gst_message_new_latency(Element.object(element)))
        }
    }

    private typealias MessageMaker = (
        UnsafeMutablePointer<GstObject>?, UnsafeMutablePointer<GError>?, UnsafePointer<CChar>?
    ) -> UnsafeMutablePointer<GstMessage>?

    private func post(_ error: any Error, as make: MessageMaker) {
        let reported = Self.reported(error)
        _ = unsafe with { element in
            let failure = unsafe g_error_new_literal(
                g_quark_from_string(reported.domain), Int32(clamping: reported.number), reported.message)
            defer { unsafe g_error_free(failure) }
            unsafe gst_element_post_message(
                element, make(Element.object(element), failure, reported.debug.isEmpty ? nil : reported.debug))
        }
    }

    /// Returns any error as that of a bus message, which names the element itself. An error without a GStreamer domain
    /// becomes GST_STREAM_ERROR_FAILED.
    private static func reported(_ error: any Error) -> GscapError {
        let known = error as? GscapError
        let message = known.flatMap { $0.cause is DomainError ? $0.message : nil } ?? "\(error)"
        if let known, known.domain != "gscap" || known.number != 0 { return known }
        return GscapError(
            domain: GscapError.Domain.stream, number: Int(GST_STREAM_ERROR_FAILED.rawValue), message: message,
            debug: known?.debug ?? "")
    }

    /// Emits the `notify` signal of a property that the element changed.
    public func notify(_ property: String) {
        unsafe with { element in
            unsafe g_object_notify(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property)
        }
    }
}

// MARK: - Streaming

extension ElementHandle {
    /// Sends an event upstream from every sink pad. Returns whether any peer handled the event.
    @discardableResult
    public func pushUpstream(_ event: Event) -> Bool {
        let inputs = element?.pads.filter { !$0.isSource } ?? []
        return inputs.reduce(false) { $1.push(event) || $0 }
    }

    /// Marks the source pads for renegotiation before the next buffer.
    public func renegotiate() {
        for pad in element?.pads ?? [] where pad.isSource { unsafe gst_pad_mark_reconfigure(pad.pointer) }
    }

    /// Updates the controlled properties to their values at a stream time in nanoseconds.
    public func syncControlledProperties(at time: UInt64) {
        _ = unsafe with { unsafe gst_object_sync_values(Element.object($0), GstClockTime(time)) }
    }
}
