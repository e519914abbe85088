internal import CGStreamer

/// A whole pipeline with its clock and its bus.
public final class Pipeline: Bin, @unchecked Sendable {
    /// An empty pipeline.
    public convenience init(name: String? = nil) throws(GStreamerError) {
        try unsafe self.init(retainingNone: Self.make(factory: "pipeline", name: name))
    }

    /// A pipeline from text in gst-launch's grammar, without comments and variables.
    public convenience init(parsing text: String) throws(GStreamerError) {
        try GStreamerRuntime.start()
        var failure: UnsafeMutablePointer<GError>?
        let flags = GstParseFlags(rawValue: GST_PARSE_FLAG_FATAL_ERRORS.rawValue)
        let parsed = unsafe gst_parse_launch_full(text, nil, flags, &failure)
        if unsafe failure != nil {
            if let parsed = unsafe parsed { unsafe gst_object_unref(gst_object_ref_sink(parsed)) }
            throw unsafe GStreamerError(takingFull: failure, place: "pipeline")
        }
        guard let parsed = unsafe parsed else { throw GStreamerError(message: "the text is empty", place: "pipeline") }
        try unsafe self.init(holding: parsed)
    }

    /// A text of one element gives that element; it is put in a pipeline.
    private convenience init(holding parsed: UnsafeMutablePointer<GstElement>) throws(GStreamerError) {
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
        // An element may not be freed in any other state.
        unsafe gst_element_set_state(pointer, GST_STATE_NULL)
    }

    /// Where its elements tell what happens.
    public var bus: Bus {
        let own = unsafe gst_pipeline_get_bus(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstPipeline.self))
        // A pipeline always has one; a bus without messages stands in for the compiler's sake.
        return unsafe Bus(takingFull: own ?? gst_bus_new())
    }

    /// Nanoseconds that it has been running, once it has a clock.
    public var runningTime: UInt64? {
        let time = unsafe gst_element_get_current_running_time(pointer)
        return time == UInt.max ? nil : UInt64(time)
    }
}
