internal import CGStreamer

/// GStreamer as a whole.
public enum GStreamerRuntime {
    private static let started: Result<Void, GStreamerError> = {
        var failure: UnsafeMutablePointer<GError>?
        if unsafe gst_init_check(nil, nil, &failure) != 0 { return .success(()) }
        return .failure(unsafe GStreamerError(takingFull: failure, place: "gst_init"))
    }()

    /// Starts GStreamer once in this process; later calls cost nothing.
    public static func start() throws(GStreamerError) {
        try started.get()
    }

    /// Shuts GStreamer down for good, as the last thing a process does with it: tracers report then. No object of it may be
    /// used later.
    public static func stop() {
        gst_deinit()
    }

    /// The library's version as it says it, such as "GStreamer 1.22.0".
    public static var version: String {
        guard let text = unsafe gst_version_string() else { return "GStreamer" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }
}
