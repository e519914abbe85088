internal import CGStreamer
internal import CGStreamerShims

/// The GStreamer library: initialization, shutdown and version.
public enum GStreamerRuntime {
    private static let started: Result<Void, GscapError> = {
        var failure: UnsafeMutablePointer<GError>?
        if unsafe gst_init_check(nil, nil, &failure) != 0 { return .success(()) }
        return .failure(unsafe GscapError(takingFull: failure, place: "gst_init"))
    }()

    /// Initializes GStreamer on the first call; later calls have no effect.
    public static func start() throws(GscapError) {
        try started.get()
    }

    /// Shuts GStreamer down, after which no GStreamer object may be used. Call this last in the process: tracers such
    /// as `leaks` report at shutdown.
    public static func stop() {
        gst_deinit()
    }

    /// Gives free memory of the process's heap back to the system.
    package static func returnFreeMemory() { gscap_return_free_memory() }

    /// The version of the GStreamer library, such as "GStreamer 1.22.0".
    public static var version: String {
        unsafe String(takingFull: gst_version_string()) ?? "GStreamer"
    }
}
