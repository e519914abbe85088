import Dispatch
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// The picture encoders: formats, negotiation with rawdevelop, and encoding beside the stream.
@Suite(.timeLimit(.minutes(10))) struct PictureEncoderTests {
    init() throws { try GscapPlugin.register() }

    private static let encoders = [
        "gscapjpegenc", "gscappngenc", "tiffenc", "heifenc", "avifenc", "jxlenc", "gscapwebpenc", "exrenc",
    ]

    /// Returns a frame of 34×18 pixels with camera metadata.
    private func frame(bytes: Int, capture: UInt64? = nil) throws -> Buffer {
        let stride = (34 * bytes + 3) & ~3
        var frame = try Buffer(copying: (0..<stride * 18).map { UInt8(truncatingIfNeeded: $0 * 7) })
        var metadata = FrameMetadata()
        metadata.model = "Test camera"
        metadata.capture = capture.map { CaptureTag(id: $0, index: 0, count: 1) }
        try frame.setFrameMetadata(metadata)
        return frame
    }

    private func caps(_ format: String, _ colorimetry: String? = nil) -> String {
        "video/x-raw,format=\(format),width=34,height=18,framerate=30/1"
            + (colorimetry.map { ",colorimetry=(string)\($0)" } ?? "")
    }

    @Test(
        arguments: [
            ("tiffenc", 0, "RGB", 3, [0x49, 0x49]), ("tiffenc", 16, "RGBA64_LE", 8, [0x49, 0x49]),
            ("tiffenc", 0, "RGBA64_LE", 8, [0x49, 0x49]), ("heifenc", 0, "BGRx", 4, [0, 0]),
            ("heifenc", 10, "RGBA64_LE", 8, [0, 0]), ("avifenc", 0, "BGR", 3, [0, 0]),
            ("avifenc", 10, "RGBA64_LE", 8, [0, 0]), ("gscapjpegenc", 0, "RGBx", 4, [0xFF, 0xD8]),
            ("gscappngenc", 0, "BGRx", 4, [0x89, 0x50]), ("gscappngenc", 16, "RGBA64_LE", 8, [0x89, 0x50]),
            ("gscapwebpenc", 0, "RGBx", 4, [0x52, 0x49, 0x46, 0x46]),
            ("jxlenc", 0, "RGBA", 4, [0, 0, 0, 12]), ("jxlenc", 16, "RGBA64_LE", 8, [0, 0, 0, 12]),
        ] as [(String, Int32, String, Int, [UInt8])])
    func aPictureBecomesAFile(factory: String, bits: Int32, format: String, bytes: Int, start: [UInt8]) throws {
        let element = try Element(factory: factory)
        if bits > 0 { try element.set("bit-depth", .int(bits)) }
        let harness = try Harness(element)
        harness.send(caps: caps(format))
        harness.play()
        #expect(harness.push(try frame(bytes: bytes)) == 0)
        try expectFile(harness, start: start)
    }

    @Test(arguments: ["1:1:14:7", "1:1:1:1"]) func linearAndPQPicturesBecomeOpenEXR(colorimetry: String) throws {
        let harness = try Harness(factory: "exrenc")
        harness.send(caps: caps("RGBA64_LE", colorimetry))
        harness.play()
        #expect(harness.push(try frame(bytes: 8)) == 0)
        try expectFile(harness, start: [0x76, 0x2F, 0x31, 0x01])
    }

    private func expectFile(_ harness: Harness, start: [UInt8]) throws {
        guard let file = harness.waitAndPull() else {
            Issue.record("no file came out")
            return
        }
        let content = file.withValues(of: UInt8.self) { bytes in bytes.indices.map { bytes[$0] } }
        #expect(content.starts(with: start))
        #expect(String(decoding: content, as: UTF8.self).contains("Test camera"))
    }

    /// An encoder with a `bit-depth` above 8 negotiates 16-bit pictures from rawdevelop without a capsfilter.
    @Test(arguments: [
        ("rawdevelop ! heifenc", "sRGB", false), ("rawdevelop ! heifenc bit-depth=10", "sRGB", true),
        ("rawdevelop ! gscappngenc bit-depth=16", "sRGB", true), ("rawdevelop ! exrenc", "1:1:14:7", true),
        (
            "rawdevelop ! video/x-raw,format=RGBA64_LE,colorimetry=(string)1:1:15:7 ! avifenc bit-depth=10", "1:1:15:7",
            true
        ),
        ("rawdevelop ! video/x-raw,format=RGBA64_LE,colorimetry=(string)1:1:7:11 ! tiffenc", "1:1:7:11", true),
    ])
    func rawdevelopNegotiatesTheBitDepthOfTheEncoder(elements: String, colorimetry: String, isWide: Bool) throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc num-buffers=1 ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=10/1 "
                + "! rawunpack ! \(elements) name=encoder ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        let size = sink.nextSample(timeout: .seconds(30))?.buffer?.size
        let caps = pipeline.element(named: "encoder")?.pad("sink")?.currentCaps?.first
        try pipeline.setState(.null)
        #expect(try #require(size) > 100)
        #expect((caps?["format"]?.text == "RGBA64_LE") == isWide)
        if isWide { #expect(caps?["colorimetry"]?.text == colorimetry) }
    }

    /// An encoder accepts frames while downstream blocks the first file, and outputs all files in the end.
    @Test func aSlowSinkDoesNotBlockTheSource() throws {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(caps("RGB")) ! gscapjpegenc name=encoder ! appsink name=out "
                + "sync=false async=false")
        let gate = Gate()
        _ = try #require(pipeline.element(named: "encoder")?.pad("src")).addBufferProbe { _ in
            gate.wait()
            return .pass
        }
        let taken = Mutex(0)
        let passed = Gate()
        _ = try #require(pipeline.element(named: "encoder")?.pad("sink")).addBufferProbe { _ in
            if taken.withLock({
                $0 += 1
                return $0
            }) == 3 {
                passed.open()
            }
            return .pass
        }
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        for _ in 0..<5 { try source.push(frame(bytes: 3)) }
        source.endOfStream()
        // A third frame arrives while the first file is blocked only if the encoder has its own thread.
        passed.wait()
        gate.open()
        var files = 0
        while sink.nextSample(timeout: .seconds(30)) != nil { files += 1 }
        #expect(files == 5)
        try pipeline.setState(.null)
    }

    /// In a pipeline without queues, the preview continues while a photo's file is blocked downstream.
    @Test(arguments: ["rawdevelop ! heifenc", "dngenc"])
    func thePreviewGoesOnWithoutAQueue(encoder: String) throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=false ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1 "
                + "! rawunpack ! tee name=raw raw. ! rawdevelop quality=preview ! fakesink name=preview sync=false "
                + "async=false raw. ! rawshutter name=shutter frames=1 ! \(encoder) "
                + "! fakesink name=end sync=false async=false")
        let (gate, held, shown) = (Gate(), Gate(), Gate())
        _ = try #require(pipeline.element(named: "end")?.pad("sink")).addBufferProbe { _ in
            held.open()
            gate.wait()
            return .pass
        }
        let frames = Mutex<Int?>(nil)
        _ = try #require(pipeline.element(named: "preview")?.pad("sink")).addBufferProbe { _ in
            let count = frames.withLock { frames in
                frames = frames.map { $0 + 1 }
                return frames
            }
            if count == 50 { shown.open() }
            return .pass
        }
        try pipeline.setState(.playing)
        _ = try #require(pipeline.element(named: "shutter")).emit(
            "capture", Structure("capture", ["id": .uint64(3), "frames": 1]))
        held.wait()
        frames.withLock { $0 = 0 }
        shown.wait()
        gate.open()
        try pipeline.setState(.null)
    }

    /// Flushing and stopping cancel queued and running frames, and report their captures as failed.
    @Test(arguments: encoders) func stoppingCancelsQueuedFrames(factory: String) throws {
        let isEXR = factory == "exrenc"
        let format = isEXR ? caps("RGBA64_LE", "1:1:14:7") : caps("RGB")
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(format) ! \(factory) name=encoder "
                + "! fakesink sync=false async=false")
        let failed = Mutex<Set<UInt64>>([])
        pipeline.bus.setHandler { message in
            guard case .element(let structure) = message.kind,
                case .photo(let id, "encoder", _, .some)? = CaptureMessage(structure)
            else { return }
            failed.withLock { _ = $0.insert(id) }
        }
        let (gate, held, third) = (Gate(), Gate(), Gate())
        let entrance = try #require(pipeline.element(named: "encoder")?.pad("sink"))
        _ = try #require(pipeline.element(named: "encoder")?.pad("src")).addBufferProbe { _ in
            held.open()
            gate.wait()
            return .pass
        }
        _ = entrance.addBufferProbe { frame in
            if frame.captureIdentifier == 3 { third.open() }
            return .pass
        }
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        try pipeline.setState(.playing)
        for id: UInt64 in 1...3 { try source.push(frame(bytes: isEXR ? 8 : 3, capture: id)) }
        held.wait()
        third.wait()
        // The first file is blocked downstream of the encoder; the frames queued after it are dropped.
        entrance.send(.flushStart())
        gate.open()
        entrance.send(.flushStop(resetTime: true))
        try pipeline.setState(.null)
        let lost = failed.withLock { $0 }
        #expect(lost.contains(2))
    }

    /// An encoder whose source pad was not linked outputs files again after the pad is linked.
    @Test func filesGoOnWhenTheEncoderIsLinkedAgain() throws {
        let element = try Element(factory: "gscapjpegenc")
        let harness = try Harness(element, source: false)
        harness.send(caps: caps("RGB"))
        harness.play()
        var flow: Int32 = 0
        while flow == 0 { flow = harness.push(try frame(bytes: 3)) }
        #expect(flow == FlowError.notLinked.rawValue)
        // A serialized event returns after all queued frames are encoded.
        harness.push(.customDownstream(Structure("nothing")))
        let sink = try Element(factory: "fakesink")
        try sink.set("async", false)
        try sink.setState(.playing)
        let entrance = try #require(sink.pad("sink"))
        let came = Gate()
        _ = entrance.addBufferProbe { _ in
            came.open()
            return .pass
        }
        try #require(element.pad("src")).link(to: entrance)
        #expect(harness.push(try frame(bytes: 3)) == 0)
        came.wait()
        try sink.setState(.null)
    }

    /// A picture with a short buffer fails its own capture only; the stream continues.
    @Test func aBadPictureFailsItsOwnCaptureOnly() throws {
        let harness = try Harness(factory: "gscapjpegenc")
        harness.send(caps: caps("RGB"))
        harness.play()
        #expect(harness.push(try frame(bytes: 2, capture: 4)) == 0)
        #expect(harness.push(try frame(bytes: 3, capture: 5)) == 0)
        #expect(harness.waitAndPull()?.captureIdentifier == 5)
    }
}
