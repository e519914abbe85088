internal import CGscapVersion
public import GStreamer

/// The plugin "gscap": all elements of the project.
public enum GscapPlugin {
    /// The elements, in the order of a frame's way.
    public static let elements: [any ElementBehaviour.Type] = [
        SensorSource.self, RawUnpack.self, RawShutter.self, RawFusion.self, RawDevelop.self, DNGEncoder.self,
        PictureEncoder<JPEGEncoderKind>.self, PictureEncoder<PNGEncoderKind>.self, PictureEncoder<TIFFEncoderKind>.self,
        PictureEncoder<HEIFEncoderKind>.self, PictureEncoder<AVIFEncoderKind>.self, PictureEncoder<JXLEncoderKind>.self,
        PictureEncoder<EXREncoderKind>.self, DNGSource.self,
    ]

    /// The plugin's name.
    public static let name = "gscap"
    /// What the plugin is, in a sentence.
    public static let summary = "RAW still photography: simulated sensor, burst shutter, fusion, DNG"
    /// Its version.
    public static let version = GSCAP_VERSION

    /// Makes the elements known to this process, for programs that link them.
    public static func register() throws(GStreamerError) {
        try Plugin.registerStatic(name: name, description: summary, version: version, elements: elements)
        _ = try FrameMeta.kind()
    }

    /// Makes the elements known through a plugin file that GStreamer loads.
    public static func register(in plugin: Plugin) throws(GStreamerError) {
        for element in elements { try element.register(in: plugin) }
        _ = try FrameMeta.kind()
    }
}
