import GStreamer
import GscapElements
import RawImage
import Testing

/// Bayer formats that GStreamer's own elements give and take: 8 bits always, 10 to 16 bits since GStreamer 1.24.
@Suite(.timeLimit(.minutes(10))) struct BayerFormatTests {
    init() throws { try GscapPlugin.register() }

    /// The formats that `rgb2bayer` gives here.
    private static let formats: [String] = {
        let caps = ElementFactory(named: "rgb2bayer")?.padTemplates.first { $0.isSource }?.caps ?? ""
        let names = Set(caps.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        return BayerPattern.allCases.flatMap { pattern in
            [pattern.rawValue]
                + [10, 12, 14, 16].flatMap { ["\(pattern.rawValue)\($0)le", "\(pattern.rawValue)\($0)be"] }
        }.filter { names.contains($0) }
    }()

    private static let takesWords = formats.contains("rggb12le")
    private static let reason: Comment = "GStreamer's elements before 1.24 give and take Bayer of 8 bits only"

    private func samples(_ text: String, _ names: String...) throws -> [[UInt16]] {
        let pipeline = try Pipeline(parsing: text)
        let sinks = try names.map { try #require(pipeline.element(named: $0).flatMap(AppSink.init)) }
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        return try sinks.map { sink in
            guard let buffer = sink.nextSample(timeout: .seconds(60))?.buffer else {
                throw GStreamerError(message: "no frame came out", place: text)
            }
            return buffer.withValues(of: UInt16.self) { values in values.indices.map { values[$0] } }
        }
    }

    /// `rawunpack` changes the order of bytes, and no code.
    @Test(.enabled(if: takesWords, reason), arguments: formats.filter { $0.count > 4 })
    func wordsComeInFromGStreamer(format: String) throws {
        let frames = try samples(
            "videotestsrc num-buffers=1 ! video/x-raw,format=ARGB,width=64,height=48 ! rgb2bayer "
                + "! video/x-bayer,format=\(format) ! tee name=t t. ! queue ! appsink name=given sync=false "
                + "t. ! queue ! rawunpack ! appsink name=taken sync=false", "given", "taken")
        let given = format.hasSuffix("be") ? frames[0].map(\.byteSwapped) : frames[0]
        #expect(given == frames[1])
        #expect(Set(given).count > 4)
    }

    /// `bayer2rgb` takes frames of every depth. Its pixels are no judge: that of GStreamer 1.26.2 leaves its output
    /// unwritten, also behind GStreamer's own `rgb2bayer`.
    @Test(.enabled(if: takesWords, reason), arguments: [10, 12, 14, 16])
    func wordsGoOutToGStreamer(bits: Int) throws {
        let pipeline = try Pipeline(
            parsing:
                "gscapsensorsrc num-buffers=1 ! video/x-bayer,format=rggb\(bits)le,width=64,height=48,framerate=10/1 "
                + "! rawunpack ! bayer2rgb name=taker ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        let came = sink.nextSample(timeout: .seconds(60)) != nil
        let taken = pipeline.element(named: "taker")?.pad("sink")?.currentCaps?.first
        try pipeline.setState(.null)
        #expect(came)
        #expect(taken?["format"]?.text == "rggb\(bits)le")
    }

    /// The formats that every version has.
    @Test(arguments: BayerPattern.allCases.map(\.rawValue)) func bytesComeInFromGStreamer(format: String) throws {
        let frames = try samples(
            "videotestsrc num-buffers=1 ! video/x-raw,format=ARGB,width=64,height=48 ! rgb2bayer "
                + "! video/x-bayer,format=\(format) ! tee name=t t. ! queue ! appsink name=given sync=false "
                + "t. ! queue ! rawunpack ! appsink name=taken sync=false", "given", "taken")
        let given = frames[0].flatMap { [$0 & 0xFF, $0 >> 8] }
        #expect(given == frames[1])
    }
}
