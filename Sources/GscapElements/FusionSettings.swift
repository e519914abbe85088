internal import Fusion
internal import GStreamer
internal import RawImage

/// The values of the properties of `rawfusion`.
struct FusionSettings: Sendable {
    /// The number of frames in a burst of frames without capture metadata.
    var frames = FusionMode.standard.burstLength
    /// The fusion options for a burst that does not request a mode itself.
    var options = FusionOptions(spatialDenoise: 1)

    private static let modeNames: [(mode: FusionMode, name: String)] = [
        (.speed, "Merges up to four frames, with the least work"),
        (.balanced, "Merges all frames, in the frequency domain"),
        (.quality, "As balanced, with super-resolution where the burst allows it"),
    ]

    private static let modes = EnumerationType(
        "GscapFusionMode",
        modeNames.enumerated().map { .init(Int32($0.offset), nick: $0.element.mode.rawValue, name: $0.element.name) })

    static let properties = [
        ElementProperty(
            "frames", .uint32(1...64, default: UInt32(FusionMode.standard.burstLength)),
            blurb: "Frames per burst when the frames have no ticket, as without a rawshutter",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "mode", .enumeration(modes, default: number(of: .standard)),
            blurb: "Fusion mode from the next burst on; the mode in a capture request overrides it",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "strength", .double(0...4, default: 1),
            blurb: "How far frames may differ beyond noise and still be merged: 0 merges nothing, 4 risks ghosting",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "spatial-denoise", .double(0...4, default: 1),
            blurb: "Strength of spatial denoising after the merge: 0 is off, 1 is normal",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "reference", .int32(-1...Int32(FusionOptions.lastReference), default: -1),
            blurb: "Index of the reference frame, from 0; -1 takes the first unless a later one is clearly sharper",
            options: [.readWrite, .mutablePlaying]),
    ]

    mutating func set(_ name: String, to value: Value) {
        switch name {
        case "frames": frames = value.integer ?? frames
        case "mode": options.mode = value.integer.flatMap(Self.mode) ?? options.mode
        case "strength": options.strength = value.number ?? options.strength
        case "spatial-denoise": options.spatialDenoise = value.number ?? options.spatialDenoise
        case "reference": options.reference = value.integer.flatMap { $0 < 0 ? nil : $0 }
        default: break
        }
    }

    func value(of name: String) -> Value {
        switch name {
        case "frames": .uint(UInt32(frames))
        case "mode": .enumeration(Self.number(of: options.mode), nick: options.mode.rawValue)
        case "strength": .double(options.strength)
        case "spatial-denoise": .double(options.spatialDenoise)
        default: .int(Int32(options.reference ?? -1))
        }
    }

    /// Returns the options for a burst; the mode from its capture request, if any, overrides the property.
    func options(mode: FusionMode?) -> FusionOptions {
        var options = options
        options.mode = mode ?? options.mode
        options.preparesSuperResolution = options.mode == .quality
        return options
    }

    private static func mode(_ number: Int) -> FusionMode? {
        modeNames.indices.contains(number) ? modeNames[number].mode : nil
    }

    private static func number(of mode: FusionMode) -> Int32 {
        Int32(modeNames.firstIndex { $0.mode == mode } ?? 0)
    }
}
