internal import CGStreamer

/// A top-level pipeline (GstPipeline) with a clock and a bus.
public final class Pipeline: Bin, @unchecked Sendable {
    /// Creates an empty pipeline.
    public convenience init(name: String? = nil) throws(GscapError) {
        try unsafe self.init(retainingNone: Self.make(factory: "pipeline", name: name))
    }

    /// Parses pipeline text in the grammar of gst-launch-1.0, which has neither comments nor variables.
    public convenience init(parsing text: String) throws(GscapError) {
        try GStreamerRuntime.start()
        var failure: UnsafeMutablePointer<GError>?
        let flags = GstParseFlags(rawValue: GST_PARSE_FLAG_FATAL_ERRORS.rawValue)
        let parsed = unsafe gst_parse_launch_full(text, nil, flags, &failure)
        if unsafe failure != nil {
            if let parsed = unsafe parsed { unsafe gst_object_unref(gst_object_ref_sink(parsed)) }
            throw unsafe GscapError(takingFull: failure, place: "pipeline")
        }
        guard let parsed = unsafe parsed else {
            throw GscapError(message: "the pipeline text is empty", place: "pipeline")
        }
        try unsafe self.init(holding: parsed)
    }

    /// Wraps the parser's result; gst_parse_launch returns a bare element for text of one element, which is added to a
    /// new pipeline.
    private convenience init(holding parsed: UnsafeMutablePointer<GstElement>) throws(GscapError) {
        let element = unsafe Element(retainingNone: parsed)
        if unsafe g_type_check_instance_is_a(
            UnsafeMutableRawPointer(parsed).assumingMemoryBound(to: GTypeInstance.self), gst_pipeline_get_type()) != 0
        {
            unsafe self.init(retainingNone: parsed)
        } else {
            try self.init()
            try add(element)
        }
    }

    deinit {
        // GStreamer requires the state NULL before an element is freed.
        unsafe gst_element_set_state(pointer, GST_STATE_NULL)
    }

    /// The bus on which the pipeline's elements post messages.
    public var bus: Bus {
        let bus = unsafe gst_pipeline_get_bus(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstPipeline.self))
        // A pipeline always has a bus; the new one only satisfies the optional's type.
        return unsafe Bus(takingFull: bus ?? gst_bus_new())
    }

    /// Measures time as another pipeline does, so that the timestamps of both are comparable: takes its clock and its
    /// base time, and keeps them when it starts. Returns false while the other pipeline has no clock.
    public func followTime(of other: Pipeline) -> Bool {
        guard let clock = unsafe gst_element_get_clock(other.pointer) else { return false }
        unsafe gst_pipeline_use_clock(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstPipeline.self), clock)
        // transfer: full
        unsafe gst_object_unref(clock)
        unsafe gst_element_set_base_time(pointer, gst_element_get_base_time(other.pointer))
        unsafe gst_element_set_start_time(pointer, GstClockTime.max)
        return true
    }

    /// The running time in nanoseconds; nil while the pipeline has no clock.
    public var runningTime: UInt64? {
        let time = unsafe gst_element_get_current_running_time(pointer)
        return time == UInt.max ? nil : UInt64(time)
    }
}
