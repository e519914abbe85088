internal import GStreamer
internal import GscapElements

/// The GStreamer elements of gscap, for programs that use them without a `CaptureSession`: in pipelines of their own,
/// by factory name, as in `gst_parse_launch`.
public enum CaptureElements {
    /// The factory names of the elements, in the order in which a frame passes them in a pipeline.
    public static var names: [String] { GscapPlugin.elements.map { $0.elementClass.factoryName } }

    /// Registers the elements in this process, which then needs no plugin file; initialises GStreamer if that has not
    /// happened yet. Sessions and outputs call it themselves. Does nothing when called again.
    public static func register() throws(CaptureError) {
        try GscapPlugin.register()
    }
}
