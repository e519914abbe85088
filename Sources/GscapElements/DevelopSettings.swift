internal import GStreamer

/// The values of the properties of `rawdevelop`.
struct DevelopSettings: Sendable {
    /// Whether pictures are rendered fast, at a small size.
    private(set) var isPreview = false
    /// The exposure compensation in EV.
    private(set) var exposure = 0.0
    /// Whether pictures have the look of their recipe.
    private(set) var hasLook = true
    /// The colour space of full-quality pictures; nil for the negotiated one.
    private(set) var colorSpace: DevelopColorSpace?

    /// The zoom factor of previews, which show the centre of the frame enlarged.
    private(set) var zoom = 1.0

    static let properties = PropertyTable(
        defaults: DevelopSettings(),
        [
            .enumeration(
                "quality", \.isPreview, type: "GscapDevelopQuality",
                [
                    .init(false, nick: "full", name: "Full processing at the input size"),
                    .init(true, nick: "preview", name: "Fast, at any smaller size, for a live view"),
                ], blurb: "Full quality or speed", options: [.readWrite, .mutableReady]),
            .double(
                "exposure", \.exposure, -16...16, blurb: "Exposure compensation in EV",
                options: [.readWrite, .mutablePlaying]),
            .enumeration(
                "look", \.hasLook, type: "GscapDevelopLook",
                [
                    .init(true, nick: "auto", name: "The recipe in the metadata, or else a computed one"),
                    .init(false, nick: "none", name: "Plain rendering without a look"),
                ], blurb: "Look of the picture", options: [.readWrite, .mutablePlaying]),
            .enumeration(
                "color-space", \.colorSpace, type: "GscapDevelopColorSpace",
                [
                    .init(nil, nick: "auto", name: "The colorimetry of the negotiated caps, or else sRGB"),
                    choice(.sRGB, "sRGB"), choice(.displayP3, "Display P3"),
                    choice(.rec2020, "Rec. 2020 with its SDR transfer function"),
                ], blurb: "Colour space of full-quality pictures; previews are in sRGB",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "zoom", \.zoom, 1...100,
                blurb: "Zoom factor of previews; photos are cropped by the crop-factor of their capture",
                options: [.readWrite, .mutablePlaying]),
        ])

    private static func choice(_ space: DevelopColorSpace, _ name: String) -> PropertyChoice<DevelopColorSpace?> {
        PropertyChoice(space, nick: space.rawValue, name: name)
    }
}
