import CHarness
import DNG
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// State changes, flushes and bad input for every element, and the basic function of each.
@Suite(.timeLimit(.minutes(10))) struct ElementLifecycleTests {
    static let names = [
        "gscapsensorsrc", "rawunpack", "rawshutter", "rawfusion", "rawdevelop", "dngenc", "gscapjpegenc", "exrenc",
        "gscapphotobin",
    ]

    init() throws { try GscapPlugin.register() }

    /// Changes each element from every state to every other state repeatedly, as GStreamer's generic state test does.
    @Test(arguments: names)
    func goesUpAndDownAHundredTimes(name: String) throws {
        let element = try Element(factory: name)
        for _ in 0..<100 {
            for state in [Element.State.ready, .paused, .ready, .null] { try element.setState(state) }
        }
        let states = [Element.State.null, .ready, .paused, .playing]
        for from in states {
            for to in states {
                try element.setState(from)
                try element.setState(to)
            }
        }
        try element.setState(.null)
    }

    /// A stream in byte format, as from a file, has no timestamps. All elements must process it without GLib criticals.
    @Test(arguments: [
        "rawdevelop", "rawdevelop quality=preview ! video/x-raw,width=32,height=24", "dngenc",
        "rawshutter captures=1 frames=2", "rawshutter captures=1 frames=2 ! rawfusion ! dngenc",
    ])
    func aStreamInBytesIsNoFault(elements: String) throws {
        let listener = gscap_criticals_start_counting()
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=bytes caps=\(bayer) ! rawunpack ! \(elements) ! appsink name=out sync=false"
        )
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        for number in 0..<6 { try source.push(frame(UInt64(number))) }
        source.endOfStream()
        let sample = sink.nextSample(timeout: .seconds(20))
        try pipeline.setState(.null)
        #expect(sample != nil)
        #expect(gscap_criticals_stop_counting(listener) == 0)
    }

    private let bayer = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=10/1"

    private func frame(_ number: UInt64 = 0, tag: CaptureTag? = nil) throws -> Buffer {
        var buffer = try Buffer(size: 64 * 48 * 2)
        buffer.withMutableValues(of: UInt16.self) { codes in
            for index in codes.indices { codes[index] = UInt16(300 + (index * 37) % 3000) }
        }
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.frameNumber = number
        metadata.capture = tag
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = number * 100_000_000
        return buffer
    }

    @Test(arguments: ["rawunpack", "rawshutter", "rawfusion", "rawdevelop", "dngenc"])
    func survivesFlushesNewCapsAndEndOfStream(name: String) throws {
        let harness = try Harness(factory: name)
        harness.send(caps: bayer)
        harness.push(try frame())
        harness.push(.flushStart())
        harness.push(.flushStop(resetTime: true))
        harness.send(caps: "video/x-bayer,format=bggr12le,width=32,height=96,framerate=10/1")
        harness.push(try frame(1))
        harness.push(.endOfStream())
        if name != "rawfusion" { #expect(harness.eventKinds().contains(.endOfStream)) }
    }

    @Test(arguments: ["rawshutter", "rawdevelop", "dngenc"])
    func refusesUnsupportedCaps(name: String) throws {
        let harness = try Harness(factory: name)
        harness.send(caps: "audio/x-raw,format=S16LE,rate=8000,channels=1")
        #expect(harness.push(try frame()) == FlowError.notNegotiated.rawValue)
    }

    @Test(arguments: ["rawunpack", "rawdevelop"])
    func aShortBufferIsAnError(name: String) throws {
        let harness = try Harness(factory: name)
        harness.send(caps: bayer)
        #expect(harness.push(try Buffer(size: 10)) == FlowError.error.rawValue)
    }

    @Test func dngencStoresTheSameCodes() throws {
        let harness = try Harness(factory: "dngenc")
        harness.send(caps: bayer)
        let input = try frame()
        let codes = input.withValues(of: UInt16.self) { values in values.indices.map { values[$0] } }
        harness.push(input)
        guard let file = harness.waitAndPull() else {
            Issue.record("no file came out")
            return
        }
        let bytes = file.withBytes { span in
            (0..<span.byteCount).map { unsafe span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
        #expect(try DNGFile(bytes: bytes).mosaic().codes == codes)
    }

    @Test func aBurstBecomesOnePhoto() throws {
        let harness = try Harness(factory: "rawfusion")
        harness.send(caps: bayer)
        for index in 0..<3 {
            harness.push(try frame(UInt64(index), tag: CaptureTag(id: 5, index: index, count: 3)))
        }
        guard let photo = harness.waitAndPull(), let metadata = photo.frameMetadata else {
            Issue.record("no photo came out")
            return
        }
        #expect(metadata.capture?.id == 5)
        #expect(metadata.fusedFrames == 3)
        #expect(metadata.whiteLevel == 65535)
        let size = photo.size
        #expect(size == 64 * 48 * 8)
    }

    @Test(arguments: [
        ("rggb", [UInt8](repeating: 9, count: 8), [UInt16](repeating: 9, count: 8)),
        ("rggb12be", [1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 1, 1, 2, 1, 3], [258, 772, 1286, 1800, 256, 257, 258, 259]),
        (
            "rggb12p", [0x12, 0xAB, 0xC3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 1, 1, 0],
            [0x123, 0xABC, 0, 0, 0xFFF, 0xFFF, 16, 16]
        ),
    ])
    func dialectsAreUnpacked(format: String, bytes: [UInt8], codes: [UInt16]) throws {
        let harness = try Harness(factory: "rawunpack")
        harness.send(caps: "video/x-bayer,format=\(format),width=4,height=2,framerate=10/1")
        harness.push(try Buffer(copying: bytes))
        guard let out = harness.pull() else {
            Issue.record("nothing came out")
            return
        }
        #expect(out.withValues(of: UInt16.self) { values in values.indices.map { values[$0] } } == codes)
        #expect(out.frameMetadata != nil)
    }

    private func pictures(_ text: String, count: Int) throws -> [[UInt8]] {
        let pipeline = try Pipeline(parsing: text + " ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var found: [[UInt8]] = []
        while found.count < count, let buffer = sink.nextSample(timeout: .seconds(20))?.buffer {
            found.append(buffer.withValues(of: UInt8.self) { values in values.indices.map { values[$0] } })
        }
        return found
    }

    @Test(arguments: ["rggb", "bggr10le", "grbg12le", "gbrg14le", "rggb16le"])
    func theSensorGivesTheSameBytesForTheSameSeed(format: String) throws {
        let text =
            "gscapsensorsrc is-live=false num-buffers=2 seed=7 ! video/x-bayer,format=\(format),width=65,height=33"
        let first = try pictures(text, count: 3)
        #expect(first.count == 2)
        #expect(try pictures(text, count: 3) == first)
        #expect(first.first != first.last)
    }

    @Test func exposureChangesTwoFramesAfterItsEvent() throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc name=camera is-live=false num-buffers=7 exposure-time=0.01 iso=100 "
                + "! video/x-bayer,format=rggb12le,width=64,height=48 ! appsink name=out sync=false")
        let pad = try #require(pipeline.element(named: "camera")?.pad("src"))
        let control = try #require(SensorControl(exposureTime: 0.02, iso: 400))
        // The event is sent during frame 2, on the source's streaming thread, so that the frame numbers below are
        // exact.
        let probe = pad.addBufferProbe { buffer in
            if buffer.frameMetadata?.frameNumber == 2 { _ = pad.send(.customUpstream(control.structure)) }
            return .pass
        }
        defer { probe.remove() }
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var seen: [FrameMetadata] = []
        while let metadata = sink.nextSample(timeout: .seconds(20))?.buffer?.frameMetadata { seen.append(metadata) }
        #expect(seen.map(\.frameNumber) == [0, 1, 2, 3, 4, 5, 6])
        #expect(seen.map(\.iso) == [100, 100, 100, 100, 400, 400, 400])
        #expect(seen.map(\.exposureTime) == [0.01, 0.01, 0.01, 0.01, 0.02, 0.02, 0.02])
    }

    @Test func aMissingSceneFileIsReported() async throws {
        let pipeline = try Pipeline(parsing: "gscapsensorsrc scene=/no/such.png ! fakesink")
        let messages = pipeline.bus.messages()
        _ = try? pipeline.setState(.playing)
        for await message in messages {
            guard case .error(let error) = message.kind else { continue }
            #expect(error.message.contains("/no/such.png"))
            break
        }
        try pipeline.setState(.null)
    }

    @Test func aDistortionThatFoldsThePictureIsReported() async throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc distortion=-0.2 calibration=true ! video/x-bayer,width=320,height=180 ! fakesink")
        let messages = pipeline.bus.messages()
        _ = try? pipeline.setState(.playing)
        for await message in messages {
            guard case .error(let error) = message.kind else { continue }
            #expect(error.message.contains("distortion of -0.2 folds"), "\(error.message)")
            break
        }
        try pipeline.setState(.null)
    }

    @Test(arguments: ["full", "preview"])
    func picturesAreDeveloped(quality: String) throws {
        let found = try pictures(
            "gscapsensorsrc is-live=false num-buffers=1 truth=true vignetting=0 ! video/x-bayer,width=640,height=480 "
                + "! rawunpack ! rawdevelop quality=\(quality) ! video/x-raw,format=RGB,width=640,height=480", count: 1)
        let picture = try #require(found.first)
        #expect(picture.count == 640 * 480 * 3)
        // The sky is blue at the top of the built-in scene.
        let (red, blue) = (Int(picture[3 * 640 * 20 + 30]), Int(picture[3 * 640 * 20 + 32]))
        #expect(blue > red + 30)
    }
}
