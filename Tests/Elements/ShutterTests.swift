import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

@Suite(.timeLimit(.minutes(10))) struct ShutterTests {
    init() throws { try GscapPlugin.register() }

    private let caps = "video/x-bayer,format=rggb12le,width=4,height=2,framerate=10/1"

    private func frame(_ number: UInt64, iso: Double = 100, bytes: Int = 16) throws -> Buffer {
        var buffer = try Buffer(size: bytes)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.frameNumber = number
        metadata.iso = iso
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = number * 100_000_000
        return buffer
    }

    /// Returns the frame numbers and capture tags of all pending output buffers.
    private func tags(_ harness: Harness) -> [(frame: UInt64, tag: CaptureTag)] {
        var found: [(frame: UInt64, tag: CaptureTag)] = []
        while let buffer = harness.pull() {
            if let metadata = buffer.frameMetadata, let tag = metadata.capture {
                found.append((metadata.frameNumber, tag))
            }
        }
        return found
    }

    @Test func isSilentUntilPressed() throws {
        let harness = try Harness(factory: "rawshutter")
        harness.send(caps: caps)
        for number in 0..<20 as Range<UInt64> { #expect(harness.push(try frame(number)) == 0) }
        #expect(tags(harness).isEmpty)
        // A single gap event lets the sinks preroll without a picture.
        #expect(harness.eventKinds().filter { $0 == .gap }.count == 1)
    }

    /// The sinks of photos preroll after each pause, as at the start. The fault: a view beside them stood still after
    /// the second pause, until a press.
    @Test func aViewRunsAgainAfterPauses() throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=60/1 ! rawunpack "
                + "! tee name=t t. ! queue ! fakesink t. ! queue ! rawshutter ! rawfusion ! dngenc ! fakesink")
        defer { _ = try? pipeline.setState(.null) }
        try pipeline.setState(.playing)
        for _ in 0..<3 {
            #expect(pipeline.state(timeout: .seconds(20)) == .playing)
            try pipeline.setState(.paused)
            try pipeline.setState(.playing)
        }
        #expect(pipeline.state(timeout: .seconds(20)) == .playing)
    }

    /// Frames without metadata are of the bit depth that the caps state.
    @Test func aFrameWithoutMetadataHasTheLevelsOfItsFormat() throws {
        let element = try Element(factory: "rawshutter")
        try element.set("captures", .uint(1))
        try element.set("frames", .uint(1))
        let harness = try Harness(element)
        harness.send(caps: caps)
        harness.push(try Buffer(copying: [UInt8](repeating: 1, count: 16)))
        #expect(harness.pull()?.frameMetadata?.whiteLevel == 4095)
    }

    /// Returns the frame numbers and capture tags of the next `count` buffers of a live stream, waiting for them.
    private func tags(_ harness: Harness, count: Int) -> [(frame: UInt64, tag: CaptureTag)] {
        (0..<count).compactMap { _ in
            guard let metadata = harness.waitAndPull()?.frameMetadata, let tag = metadata.capture else { return nil }
            return (metadata.frameNumber, tag)
        }
    }

    /// Presses the shutter at a time in milliseconds.
    private func press(_ harness: Harness, at time: UInt64, _ fields: KeyValuePairs<String, Value>) throws -> UInt64 {
        var request = Structure("capture", fields)
        request["time"] = .uint64(time * 1_000_000)
        return try harness.element.emit("capture", request)
    }

    private func liveHarness() throws -> Harness {
        let harness = try Harness(factory: "rawshutter", isLive: true)
        harness.send(caps: caps)
        return harness
    }

    @Test func passesExactlyTheBurstTagged() throws {
        let harness = try liveHarness()
        for number in 0..<6 as Range<UInt64> { harness.push(try frame(number)) }
        let id = try press(harness, at: 560, ["frames": 4])
        harness.push(try frame(6))
        let out = tags(harness, count: 4)
        #expect(out.map(\.frame) == [6, 3, 4, 5])
        #expect(out.map(\.tag.index) == [3, 0, 1, 2])
        #expect(out.allSatisfy { $0.tag.id == id && $0.tag.count == 4 })
        #expect(out.map { Int((($0.tag.lag ?? 9) * 1000).rounded()) } == [40, -260, -160, -60])
        #expect(out.map(\.tag.mayBeReference) == [true, false, false, true])
        for number in 7..<12 as Range<UInt64> { harness.push(try frame(number)) }
        #expect(tags(harness).isEmpty)
    }

    @Test func oneFrameIsPassedAtOnce() throws {
        let harness = try liveHarness()
        for number in 0..<6 as Range<UInt64> { harness.push(try frame(number)) }
        _ = try press(harness, at: 590, ["frames": 1])
        let out = tags(harness, count: 1)
        #expect(out.map(\.frame) == [5])
        #expect(out.first?.tag.lag.map { Int(($0 * 1000).rounded()) } == -90)
    }

    @Test func twoCapturesDoNotMix() throws {
        let harness = try liveHarness()
        harness.push(try frame(0))
        let first = try press(harness, at: 60, ["frames": 2])
        let second = try press(harness, at: 60, ["frames": 2, "id": .uint64(77)])
        #expect(first != second)
        #expect(second == 77)
        harness.push(try frame(1))
        #expect(tags(harness, count: 4).map(\.tag.id) == [first, first, second, second])
    }

    @Test func aTicketIsUnderWayOnce() throws {
        let harness = try liveHarness()
        harness.push(try frame(0))
        #expect(try press(harness, at: 60, ["frames": 2, "id": .uint64(78)]) == 78)
        #expect(try press(harness, at: 60, ["frames": 2, "id": .uint64(78)]) == 0)
    }

    @Test func waitsForFramesOfTheExposureAskedFor() throws {
        let harness = try liveHarness()
        for number in 0..<4 as Range<UInt64> { harness.push(try frame(number)) }
        _ = try press(harness, at: 350, ["frames": 2, "iso": 800.0])
        harness.push(try frame(4))
        harness.push(try frame(5, iso: 800))
        #expect(tags(harness).isEmpty)
        harness.push(try frame(6, iso: 800))
        #expect(tags(harness, count: 2).map(\.frame) == [5, 6])
    }

    /// In a stream that is not live each press means the next frames, and none is passed over.
    @Test func withoutALiveSourceEveryFrameIsUsed() throws {
        let harness = try Harness(factory: "rawshutter")
        harness.send(caps: caps)
        let ids = try (0..<3).map { _ in try harness.element.emit("capture", Structure("capture", ["frames": 8])) }
        for number in 0..<24 as Range<UInt64> { #expect(harness.push(try frame(number)) == 0) }
        let out = tags(harness)
        #expect(out.map(\.frame) == Array(0..<24))
        #expect(out.map(\.tag.id) == ids.flatMap { Array(repeating: $0, count: 8) })
    }

    @Test func takesPhotosByItselfThenEnds() throws {
        let harness = try Harness(factory: "rawshutter")
        try harness.element.set("captures", 2)
        try harness.element.set("frames", 3)
        harness.send(caps: caps)
        var flows: [Int32] = []
        for number in 0..<7 as Range<UInt64> { flows.append(harness.push(try frame(number))) }
        #expect(tags(harness).map(\.frame) == [0, 1, 2, 3, 4, 5])
        #expect(flows.prefix(5).allSatisfy { $0 == 0 })
        #expect(flows[5] == FlowError.endOfStream.rawValue)
        #expect(harness.eventKinds().contains(.endOfStream))
    }

    /// Sends frames through a shutter that takes one burst of two; returns the warnings on the bus.
    private func warnings(_ frames: [() throws -> Buffer]) async throws -> [GStreamerError] {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(caps) ! rawshutter name=shutter captures=1 frames=2 "
                + "! fakesink sync=false async=false")
        let messages = pipeline.bus.messages()
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        for frame in frames { try source.push(frame()) }
        source.endOfStream()
        var warnings: [GStreamerError] = []
        for await message in messages {
            switch message.kind {
            case .warning(let warning): warnings.append(warning)
            case .error(let error): throw error
            case .endOfStream where message.isFromPipeline: return warnings
            default: break
            }
        }
        return warnings
    }

    /// Frames that are too short for their caps have no digest, which is reported once for the whole capture.
    @Test func aLostDigestIsReportedOnce() async throws {
        let warnings = try await warnings((0..<2 as Range<UInt64>).map { number in { try frame(number, bytes: 8) } })
        #expect(warnings.count == 1)
        #expect(warnings.first?.place == "shutter")
        #expect(warnings.first?.message.contains("digest") == true)
        #expect(warnings.first?.message.contains("4 codes") == true)
    }

    /// An invalid look in a frame's metadata is left out, which is reported with the field and the cause.
    @Test func anInvalidLookIsReported() async throws {
        let kind = try FrameCustomMeta.kind()
        let warnings = try await warnings(
            (0..<2 as Range<UInt64>).map { number in
                {
                    var buffer = try frame(number)
                    let carried = buffer.structure(of: kind)
                    var fields = try #require(carried)
                    fields["recipe"] = .structure(Structure("GscapRecipe", ["tone-curve": "no curve"]))
                    buffer.setStructure(fields, of: kind)
                    return buffer
                }
            })
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.contains("tone-curve") == true)
    }

    @Test func theRingDoesNotCopyPixels() throws {
        let harness = try Harness(factory: "rawshutter")
        try harness.element.set("captures", 1)
        try harness.element.set("frames", 1)
        harness.send(caps: caps)
        var input = try frame(0)
        let before = address(input)
        input.presentationTime = 5
        harness.push(input)
        guard let passed = harness.pull() else {
            Issue.record("nothing came out")
            return
        }
        #expect(before == address(passed))
    }

    private func address(_ buffer: borrowing Buffer) -> Int {
        buffer.withValues(of: UInt16.self) {
            unsafe $0.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
    }
}
