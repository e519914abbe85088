import GStreamer
import GscapElements
import Testing

/// Previews in the format of video encoders, compared with GStreamer's own conversion.
@Suite(.timeLimit(.minutes(5))) struct VideoPreviewTests {
    init() throws { try GscapPlugin.register() }

    /// Returns the bytes and the caps of the third frame of a sensor after the elements `text`.
    private func frame(_ text: String) throws -> (bytes: [UInt8], caps: String) {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc num-buffers=3 is-live=false ! video/x-bayer,width=322,height=242 ! rawunpack ! "
                + "\(text) ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { pipeline.stopOnAnotherThread() }
        var result: ([UInt8], String) = ([], "")
        for _ in 0..<3 {
            let sample = try #require(sink.nextSample(timeout: .seconds(30)))
            let bytes = sample.buffer?.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] } }
            result = (try #require(bytes), "\(try #require(sample.caps))")
        }
        return result
    }

    @Test(arguments: [(160, 120), (161, 121), (322, 242)])
    func thePictureIsThatOfVideoconvert(width: Int, height: Int) throws {
        let size = "width=\(width),height=\(height)"
        let own = try frame("rawdevelop quality=preview ! video/x-raw,format=I420,\(size)")
        let peer = try frame(
            "rawdevelop quality=preview ! video/x-raw,format=BGRx,\(size) ! videoconvert dither=none "
                + "! video/x-raw,format=I420,colorimetry=bt709,chroma-site=mpeg2")
        #expect(own.caps.contains("bt709") && own.caps.contains("mpeg2"))
        #expect(own.bytes.count == peer.bytes.count)
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        let (stride, chromaStride) = ((width + 3) & ~3, (columns + 3) & ~3)
        func worst(from start: Int, stride: Int, width: Int, height: Int) -> Int {
            let places = (0..<height).flatMap { row in (0..<width).map { start + row * stride + $0 } }
            return places.map { abs(Int(own.bytes[$0]) - Int(peer.bytes[$0])) }.max() ?? 255
        }
        #expect(worst(from: 0, stride: stride, width: width, height: height) <= 1)
        // Both chroma planes are of the same size. Conversion before subsampling rounds twice.
        let start = 2 * rows * stride
        #expect(worst(from: start, stride: chromaStride, width: columns, height: 2 * rows) <= 2)
    }

    /// An encoder behind a converter gets its format from the preview, so that nothing is left to convert.
    @Test func anEncodersFormatIsPreferred() throws {
        let preview = "rawdevelop quality=preview name=look ! videoconvert ! video/x-raw,format=I420"
        #expect(try frame("\(preview) ! identity").caps.contains("bt709"))
    }

    /// The fault: of the aspect ratios that a scaler accepts, the smallest was chosen, and the scaler failed.
    @Test(arguments: [
        ("quality=preview", "width=[201,322],height=[1,242]", "width=[1,200],height=[1,160]", "200x150"),
        ("quality=preview", "width=160", "width=80", "80x60"), ("quality=full", "width=322", "width=161", "161x121"),
        ("quality=preview", "width=160,height=[1,60]", "width=[1,322]", "160x60"),
    ])
    func pixelsAreSquare(quality: String, rendered: String, scaled: String, size: String) throws {
        let caps = try frame(
            "rawdevelop \(quality) ! video/x-raw,\(rendered) ! videoscale ! "
                + "video/x-raw,\(scaled),pixel-aspect-ratio=1/1"
        ).caps
        let sides = size.split(separator: "x")
        #expect(caps.contains("width=(int)\(sides[0])") && caps.contains("height=(int)\(sides[1])"), "\(caps)")
    }

    @Test func otherPixelsAreRefused() {
        #expect(throws: (any Error).self) {
            try frame("rawdevelop quality=preview ! video/x-raw,pixel-aspect-ratio=2/1")
        }
    }

    /// A camera that asks for buffers gets none for the pictures of an encoder behind the preview: videotestsrc would
    /// then draw into frames of another format, and fail.
    @Test func theCameraDrawsItsOwnFormat() throws {
        let pipeline = try Pipeline(
            parsing: "videotestsrc num-buffers=1 pattern=white ! video/x-bayer,format=rggb,width=64,height=48 "
                + "! rawunpack ! rawdevelop quality=preview look=none ! video/x-raw,format=I420 "
                + "! videoconvert ! video/x-raw,format=RGB ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { pipeline.stopOnAnotherThread() }
        let sample = try #require(sink.nextSample(timeout: .seconds(30)))
        let darkest = sample.buffer?.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] }.min() ?? 0 }
        #expect(try #require(darkest) > 200)
    }

    /// Pictures at full quality keep their colours in full resolution.
    @Test func fullQualityRefusesTheFormat() {
        #expect(throws: (any Error).self) { try frame("rawdevelop ! video/x-raw,format=I420") }
    }
}
