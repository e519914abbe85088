internal import Fusion
internal import GStreamer

/// What the properties of `rawfusion` choose.
struct FusionSettings: Sendable {
    /// How many frames make a burst when they carry no ticket.
    var frames = 8
    /// How a burst is fused.
    var options = FusionOptions(spatialDenoise: 1)

    private static let words: [(mode: FusionOptions.Mode, meaning: String)] = [
        (.speed, "Four frames, merged with the least work"),
        (.balanced, "All frames, merged frequency by frequency"),
        (.quality, "The same, and detail finer than one frame has where the burst shows it"),
    ]

    private static let modes = EnumerationType(
        "GscapFusionMode",
        words.enumerated().map { .init(Int32($0.offset), nick: $0.element.mode.rawValue, name: $0.element.meaning) })

    static let properties = [
        ElementProperty(
            "frames", .uint32(1...64, default: 8),
            blurb: "Frames to a photo when they carry no ticket, as without a rawshutter",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "mode", .enumeration(modes, default: 1),
            blurb: "How thorough the fusion is, from the next burst on; a capture that says so itself has its own way",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "strength", .double(0...4, default: 1),
            blurb: "How far frames may differ, beyond noise, and still be merged: 0 merges nothing, 4 risks ghosts",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "spatial-denoise", .double(0...4, default: 1),
            blurb: "How much of the noise that merging leaves is taken off: 0 none, 1 the usual",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "reference", .int32(-1...Int32(FusionOptions.lastReference), default: -1),
            blurb: "The frame of the burst that the others are aligned with, from 0; -1 for the sharpest of the first",
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

    /// The options for a burst whose frames ask for a mode, or for none.
    func options(mode word: String?) -> FusionOptions {
        var options = options
        options.mode = word.flatMap(FusionOptions.Mode.init) ?? options.mode
        options.keepsDetail = options.mode == .quality
        return options
    }

    private static func mode(_ number: Int) -> FusionOptions.Mode? {
        words.indices.contains(number) ? words[number].mode : nil
    }

    private static func number(of mode: FusionOptions.Mode) -> Int32 {
        Int32(words.firstIndex { $0.mode == mode } ?? 1)
    }
}
