internal import Fusion
internal import GStreamer
internal import RawImage

/// The values of the properties of `rawfusion`.
struct FusionSettings: Sendable {
    /// The number of frames in a burst of frames without capture metadata.
    var frames = FusionMode.standard.burstLength
    /// The number of photos for which memory is allocated before a capture.
    var preparedPhotos = 0
    /// Whether merged mosaics are demosaiced here, rather than by the elements downstream.
    var demosaics = true
    /// The fusion options for a burst that does not request a mode itself.
    var options = FusionOptions(photoIn: .standard)

    /// The index of the reference frame; -1 takes the first frame unless a later one is clearly sharper.
    private var referenceIndex: Int {
        get { options.reference ?? -1 }
        set { options.reference = newValue < 0 ? nil : newValue }
    }

    static let properties = PropertyTable(
        defaults: FusionSettings(),
        [
            .uint32(
                "frames", \.frames, 1...64,
                blurb: "Frames per burst when the frames have no ticket, as without a rawshutter",
                options: [.readWrite, .mutablePlaying]),
            .uint32(
                "prepared-photos", \.preparedPhotos, 0...16,
                blurb: "Photos whose memory is allocated before a capture, and kept",
                options: [.readWrite, .mutablePlaying]),
            .boolean(
                "demosaic", \.demosaics,
                blurb: "Whether photos are linear RGB; if false, photos are 16-bit Bayer where downstream accepts it",
                options: [.readWrite, .mutablePlaying]),
            .enumeration(
                "mode", \.options.mode, type: FusionMode.typeName, FusionMode.choices,
                blurb: "Fusion mode from the next burst on; the mode in a capture request overrides it",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "strength", \.options.strength, 0...4,
                blurb: "How far frames may differ beyond noise and still be merged: 0 merges nothing, 4 risks ghosting",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "spatial-denoise", \.options.spatialDenoise, 0...4,
                blurb: "Strength of spatial denoising after the merge: 0 is off, 1 is normal",
                options: [.readWrite, .mutablePlaying]),
            .int32(
                "reference", \.referenceIndex, -1...Int32(FusionOptions.lastReference),
                blurb: "Index of the reference frame, from 0; -1 takes the first unless a later one is clearly sharper",
                options: [.readWrite, .mutablePlaying]),
        ])

    /// Returns the options for a burst; the mode from its capture request, if any, overrides the property.
    func options(mode: FusionMode?) -> FusionOptions {
        var options = options
        options.mode = mode ?? options.mode
        options.preparesSuperResolution = FusionOptions(photoIn: options.mode).preparesSuperResolution
        return options
    }
}

extension FusionMode {
    /// The name of the GObject type of the properties that select a mode.
    static let typeName = "GscapFusionMode"

    /// The modes as choices of a property, with their own names as nicks.
    static let choices = [
        choice(.speed, "Merges up to four frames"),
        choice(.balanced, "Merges all frames, in the frequency domain"),
        choice(.quality, "As balanced, with super-resolution"),
    ]

    private static func choice(_ mode: FusionMode, _ name: String) -> PropertyChoice<FusionMode> {
        PropertyChoice(mode, nick: mode.rawValue, name: name)
    }
}
