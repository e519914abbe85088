import GStreamer
import GscapElements
import RawImage
import Testing

/// Exchange of Bayer frames with GStreamer's own elements: 8 bits in all versions, 10 to 16 bits since GStreamer 1.24.
@Suite(.timeLimit(.minutes(10))) struct BayerFormatTests {
    init() throws { try GscapPlugin.register() }

    /// The output formats of the installed `rgb2bayer`.
    private static let formats: [String] = {
        let caps = ElementFactory(named: "rgb2bayer")?.padTemplates.first { $0.isSource }?.caps ?? ""
        let names = Set(caps.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        return BayerPattern.allCases.flatMap { pattern in
            [pattern.rawValue]
                + [10, 12, 14, 16].flatMap { ["\(pattern.rawValue)\($0)le", "\(pattern.rawValue)\($0)be"] }
        }.filter { names.contains($0) }
    }()

    private static let supports16Bit = formats.contains("rggb12le")
    private static let reason: Comment = "GStreamer's elements before 1.24 support 8-bit Bayer only"

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

    /// Frames of 10 to 16 bits from GStreamer keep their codes in `rawunpack`, which changes only the byte order.
    @Test(.enabled(if: supports16Bit, reason), arguments: formats.filter { $0.count > 4 })
    func unpacksHighBitDepthsFromGStreamer(format: String) throws {
        let frames = try samples(
            "videotestsrc num-buffers=1 ! video/x-raw,format=ARGB,width=64,height=48 ! rgb2bayer "
                + "! video/x-bayer,format=\(format) ! tee name=t t. ! queue ! appsink name=input sync=false "
                + "t. ! queue ! rawunpack ! appsink name=output sync=false", "input", "output")
        let codes = format.hasSuffix("be") ? frames[0].map(\.byteSwapped) : frames[0]
        #expect(codes == frames[1])
        #expect(Set(codes).count > 4)
    }

    /// `bayer2rgb` accepts frames of every bit depth. The test ignores its pixels: `bayer2rgb` of GStreamer 1.26.2
    /// leaves its output buffer unwritten, even after GStreamer's own `rgb2bayer`.
    @Test(.enabled(if: supports16Bit, reason), arguments: [10, 12, 14, 16])
    func feedsHighBitDepthsToGStreamer(bits: Int) throws {
        let pipeline = try Pipeline(
            parsing:
                "gscapsensorsrc num-buffers=1 ! video/x-bayer,format=rggb\(bits)le,width=64,height=48,framerate=10/1 "
                + "! rawunpack ! bayer2rgb name=converter ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        let hasFrame = sink.nextSample(timeout: .seconds(60)) != nil
        let caps = pipeline.element(named: "converter")?.pad("sink")?.currentCaps?.first
        try pipeline.setState(.null)
        #expect(hasFrame)
        #expect(caps?["format"]?.text == "rggb\(bits)le")
    }

    /// 8-bit frames, which every GStreamer version supports, keep their codes in `rawunpack`.
    @Test(arguments: BayerPattern.allCases.map(\.rawValue)) func unpacks8BitFramesFromGStreamer(format: String) throws {
        let frames = try samples(
            "videotestsrc num-buffers=1 ! video/x-raw,format=ARGB,width=64,height=48 ! rgb2bayer "
                + "! video/x-bayer,format=\(format) ! tee name=t t. ! queue ! appsink name=input sync=false "
                + "t. ! queue ! rawunpack ! appsink name=output sync=false", "input", "output")
        let codes = frames[0].flatMap { [$0 & 0xFF, $0 >> 8] }
        #expect(codes == frames[1])
    }
}
