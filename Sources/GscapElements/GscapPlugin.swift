internal import CGscapVersion
internal import FrameStream
public import GStreamer

/// The GStreamer plugin "gscap" with all elements of the project.
public enum GscapPlugin {
    /// The element classes, in the order in which a frame passes them in a pipeline.
    public static let elements: [any ElementBehaviour.Type] = [
        SensorSource.self, V4L2Source.self, RawUnpack.self, RawShutter.self, RawFusion.self, RawDevelop.self,
        DNGEncoder.self,
        PictureEncoder<JPEGEncoderKind>.self, PictureEncoder<PNGEncoderKind>.self, PictureEncoder<TIFFEncoderKind>.self,
        PictureEncoder<HEIFEncoderKind>.self, PictureEncoder<AVIFEncoderKind>.self, PictureEncoder<JXLEncoderKind>.self,
        PictureEncoder<WebPEncoderKind>.self, PictureEncoder<EXREncoderKind>.self, DNGSource.self, PhotoBin.self,
    ]

    /// The plugin's name in GStreamer's registry.
    public static let name = "gscap"
    /// The plugin's description, as shown by gst-inspect.
    public static let summary = "RAW still photography: simulated sensor, burst shutter, fusion, DNG"
    /// The version of the plugin and of the software field in its files.
    public static let version = GSCAP_VERSION

    /// Registers the elements in this process, for programs that link this module instead of loading the plugin.
    public static func register() throws(GscapError) {
        try Plugin.registerStatic(name: name, description: summary, version: version, elements: elements)
        _ = try FrameCustomMeta.kind()
    }

    /// Registers the elements for a plugin file that GStreamer loads.
    public static func register(in plugin: Plugin) throws(GscapError) {
        for element in elements { try element.register(in: plugin) }
        try CameraProvider.provider.register(in: plugin)
        _ = try FrameCustomMeta.kind()
    }
}
