internal import GSCapture
internal import GStreamer

/// A capture whose time from the press to its files is measured.
struct PressCase: Sendable {
    /// The argument that selects the case.
    let key: String
    let name: String
    /// The formats of the session's branches.
    let formats: [PhotoFormat]
    /// The number of measured presses.
    let presses: Int
    /// The bars for the median and for the slowest press in a hundred, in milliseconds; nil if there is none.
    let bars: (median: Double, slowest: Double?)
    /// Whether the bars hold from the moment at which the frames are in the ring. The camera delivers a frame a period
    /// after its timestamp, so that a burst waits for the frame nearest to the press, however fast the rest is.
    var countsFromRing = false
    /// The photo at whose file the time ends; nil for the last one.
    var endsAt: PhotoFormat?
    /// The stages in their order, by the name of the mark that ends each.
    let stages: [String]
    /// Returns the settings of one capture.
    let settings: @Sendable () -> PhotoSettings

    /// The cases of the comparison.
    static let all = [
        PressCase(
            key: "jpeg", name: "one frame, JPEG", formats: [.raw(.bayer), .processed(.jpeg)], presses: 40,
            bars: (200, 400), stages: ["taken", "fused", "developed", "jpeg-encoded"]
        ) { settings([], .speed, frames: 1) },
        PressCase(
            key: "bayer", name: "one frame, JPEG and Bayer DNG", formats: [.raw(.bayer), .processed(.jpeg)],
            presses: 40, bars: (400, nil), stages: ["taken", "fused", "developed", "jpeg-encoded", "bayer-encoded"]
        ) { settings([.bayer], .speed, frames: 1) },
        PressCase(
            key: "proraw", name: "eight frames, balanced, JPEG and ProRAW DNG",
            formats: [.raw(.bayer), .raw(.proRAW), .processed(.jpeg)], presses: 15, bars: (700, nil),
            countsFromRing: true, stages: ["taken", "fused", "developed", "jpeg-encoded", "proraw-encoded"]
        ) { settings([.proRAW], .balanced, frames: nil) },
        PressCase(
            key: "proxy", name: "the proxy of a deferred burst of eight", formats: [.proxy, .deferred],
            presses: 15, bars: (150, nil), countsFromRing: true, endsAt: .proxy, stages: ["taken"]
        ) {
            var deferred = settings([], .balanced, frames: nil)
            deferred.isDeferred = true
            return deferred
        },
    ]

    private static func settings(
        _ raw: Set<RAWPhotoFormat>, _ quality: PhotoQualityPrioritization, frames: Int?
    ) -> PhotoSettings {
        var settings = PhotoSettings(raw: raw, processed: [.jpeg])
        settings.photoQualityPrioritization = quality
        settings.frames = frames
        return settings
    }

    /// Returns the plan of a session with the prepared camera and a preview of 1280×960: the library's own plan for
    /// these formats, with a mark at the end of each stage.
    func plan() throws -> PipelinePlan {
        var camera = CaptureDevice.simulated()
        camera.source = "benchmarkcamera name=camera"
        camera.activeFormat = nil
        let preview = PreviewOutput(sink: "fakesink", width: PressBenchmark.preview.0, height: PressBenchmark.preview.1)
        let planned = try PipelinePlan(device: camera, preview: preview, formats: formats)
        var text = planned.text
        for stage in stages { text = try Self.marking(stage, in: text) }
        return try PipelinePlan(reading: text)
    }

    /// Returns the pipeline text with a mark before the element at which the stage ends.
    private static func marking(_ stage: String, in text: String) throws -> String {
        let next =
            switch stage {
            case "taken": "! tee name=burst"
            case "fused": "! tee name=photo"
            case "developed": "! gscapjpegenc"
            default: "! multifilesink name=\(stage.prefix { $0 != "-" })"
            }
        guard text.contains(next) else {
            throw GStreamerError(message: "the library's plan has no \"\(next)\", where the stage \(stage) ends")
        }
        return text.replacing(next, with: "! benchmarkmark name=\(stage) \(next)")
    }
}
