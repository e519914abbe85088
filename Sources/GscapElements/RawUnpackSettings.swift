internal import GStreamer
internal import RawImage

/// The settings of `rawunpack`: how rows lie in memory, and what frames without metadata do not state.
struct RawUnpackSettings: Sendable {
    var stride = 0
    private var blackLevel = -1.0
    private var whiteLevel = -1.0
    private var neutral = ""
    private var make = ""
    private var model = ""
    private var orientation = 1

    static let properties = PropertyTable(
        defaults: RawUnpackSettings(),
        [
            .uint32(
                "stride", \.stride, 0...(1 << 24),
                blurb: "Bytes per row of the input; 0 takes them from the buffer's GstVideoMeta, else from its size",
                options: [.readWrite, .mutableReady]),
            .double(
                "black-level", \.blackLevel, -1...65535,
                blurb: "Code of black, for frames without metadata; -1 uses 0",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "white-level", \.whiteLevel, -1...65535,
                blurb: "Code of saturation, for frames without metadata; -1 uses the largest code of the bit depth",
                options: [.readWrite, .mutablePlaying]),
            .string(
                "neutral", \.neutral,
                blurb: "Camera response to neutral white as \"red green blue\", for frames without metadata",
                options: [.readWrite, .mutablePlaying]),
            .string(
                "make", \.make, blurb: "Manufacturer of the camera, for frames without metadata",
                options: [.readWrite, .mutablePlaying]),
            .string(
                "model", \.model, blurb: "Model of the camera, for frames without metadata",
                options: [.readWrite, .mutablePlaying]),
            .uint32(
                "orientation", \.orientation, 1...8, blurb: "Exif orientation, for frames without metadata",
                options: [.readWrite, .mutablePlaying]),
        ])

    /// Returns the response to neutral white that the text of the property states; nil if it states none.
    static func neutral(_ text: String) -> SIMD3<Double>? {
        let numbers = text.split(whereSeparator: { $0 == " " || $0 == "," }).map { Double($0) ?? 0 }
        guard numbers.count == 3, numbers.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        return SIMD3(numbers[0], numbers[1], numbers[2])
    }

    /// Sets what the settings state in the metadata of a frame that states nothing.
    func apply(to metadata: inout FrameMetadata) {
        if blackLevel >= 0 { metadata.blackLevel = [Double](repeating: blackLevel, count: 4) }
        if whiteLevel >= 0 { metadata.whiteLevel = whiteLevel }
        if let neutral = Self.neutral(neutral) { metadata.neutral = neutral }
        (metadata.make, metadata.model, metadata.orientation) = (make, model, orientation)
    }
}
