import Dispatch
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// What encoders do with what they cannot make files of, and with what nobody wants any more.
@Suite(.timeLimit(.minutes(10))) struct EncoderRefusalTests {
    init() throws { try GscapPlugin.register() }

    private static let (picture, mosaic) = ("video/x-raw,format=RGB", "video/x-bayer,format=rggb12le")
    private static let size = ",width=32,height=16,framerate=30/1"

    /// A frame of 32×16; a bad one is not whole.
    private func frame(bytes: Int, isBad: Bool = false, capture: UInt64? = nil) throws -> Buffer {
        var frame = try Buffer(copying: [UInt8](repeating: 7, count: isBad ? 10 : 32 * 16 * bytes))
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.capture = capture.map { CaptureTag(id: $0, index: 0, count: 1) }
        try frame.setFrameMetadata(metadata)
        return frame
    }

    /// Sends frames through an encoder; gives the error that comes before the end of the stream.
    private func error(_ encoder: String, _ caps: String, _ frames: [(bytes: Int, isBad: Bool)], capture: UInt64?)
        async throws -> GStreamerError?
    {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(caps)\(Self.size) ! \(encoder) "
                + "! fakesink sync=false async=false")
        let messages = pipeline.bus.messages()
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        for (bytes, isBad) in frames { try source.push(frame(bytes: bytes, isBad: isBad, capture: capture)) }
        source.endOfStream()
        for await message in messages {
            switch message.kind {
            case .error(let error): return error
            case .endOfStream where message.isFromPipeline: return nil
            default: break
            }
        }
        return nil
    }

    @Test(
        arguments: [("gscapjpegenc", picture, nil), ("heifenc", picture, 4), ("dngenc", mosaic, nil)]
            as [(String, String, UInt64?)])
    func aStreamWithoutOneFileEndsInAnError(encoder: String, caps: String, capture: UInt64?) async throws {
        let said = try await error(encoder, caps, [(3, true), (3, true)], capture: capture)
        #expect(said?.message.contains("not one frame") == true, "\(said?.message ?? "nothing")")
        #expect((said?.domain == CaptureMessage.warningDomain) == (capture != nil))
    }

    @Test(arguments: [("gscapjpegenc", picture, 3), ("dngenc", mosaic, 2)])
    func aBadFrameInAStreamIsNoError(encoder: String, caps: String, bytes: Int) async throws {
        #expect(try await error(encoder, caps, [(bytes, false), (bytes, true)], capture: nil) == nil)
        #expect(try await error(encoder, caps, [], capture: nil) == nil)
    }

    /// What was refused before a stop is not held against the stream that comes after it.
    @Test func aStopForgetsWhatWasRefused() async throws {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(Self.picture)\(Self.size) ! gscapjpegenc "
                + "! fakesink sync=false async=false")
        let messages = pipeline.bus.messages()
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        try pipeline.setState(.playing)
        try source.push(frame(bytes: 3, isBad: true))
        for await message in messages {
            if case .warning = message.kind {
                try pipeline.setState(.null)
                try pipeline.setState(.playing)
                source.endOfStream()
            }
            if case .error(let error) = message.kind { Issue.record("\(error)") }
            if case .endOfStream = message.kind { break }
        }
        try pipeline.setState(.null)
    }

    @Test(arguments: [
        ("gscapjpegenc", "RGBA64_LE", "1:1:1:1", false), ("gscapjpegenc", "RGBA64_LE", "1:1:14:7", false),
        ("gscapjpegenc", "RGBA64_LE", "sRGB", true), ("heifenc", "RGBA64_LE", "1:1:1:7", false),
        ("avifenc", "RGBA64_LE", "1:1:14:7", true), ("gscappngenc", "RGB", "1:1:15:7", false),
        ("gscappngenc bit-depth=8", "RGBA64_LE", "1:1:15:7", false), ("tiffenc", "RGBA64_LE", "1:1:1:1", true),
        ("tiffenc", "RGBA64_LE", "1:1:1:0", false), ("exrenc", "RGBA64_LE", "sRGB", false),
        ("dngenc", "RGBA64_LE", "sRGB", false), ("dngenc", "RGBA64_LE", "1:1:1:0", true),
    ]) func formatsThatCannotBeStoredAreRefusedAtOnce(
        encoder: String, format: String, colorimetry: String, isTaken: Bool
    ) async throws {
        let caps = "video/x-raw,format=\(format),colorimetry=(string)\(colorimetry)"
        let said = try await error(encoder, caps, [(format == "RGB" ? 3 : 8, false)], capture: nil)
        #expect((said == nil) == isTaken, "\(said?.message ?? "taken")")
    }

    /// The same holds for the fusion.
    @Test func aStreamWithoutOnePhotoEndsInAnError() async throws {
        let said = try await error("rawfusion ! dngenc", Self.mosaic, [(2, true)], capture: nil)
        #expect(said?.message.contains("not one burst") == true, "\(said?.message ?? "nothing")")
    }

    @Test func aRawPhotoIsNoPicture() async throws {
        let said = try await error("rawfusion ! gscapjpegenc", Self.mosaic, [(2, false)], capture: nil)
        #expect(said?.message.contains("rawdevelop") == true, "\(said?.message ?? "nothing")")
    }

    /// A DNG that nobody wants any more is not made to its end.
    @Test func aFlushEndsTheMakingOfADNG() throws {
        // The quality says nothing of a mosaic; the warning of it comes when the work has begun.
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\(Self.mosaic)\(Self.size) ! "
                + "dngenc name=encoder quality=0.5 bit-depth=12 ! fakesink sync=false async=false")
        let (begun, closed) = (Gate(), Gate())
        let isLost = Mutex(false)
        pipeline.bus.setHandler { message in
            if case .warning(let warning) = message.kind, warning.domain != CaptureMessage.warningDomain {
                begun.open()
                closed.wait()
            }
            if case .element(let structure) = message.kind, case .failed(1, _, _)? = CaptureMessage(structure) {
                isLost.withLock { $0 = true }
            }
        }
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let entrance = try #require(pipeline.element(named: "encoder")?.pad("sink"))
        try pipeline.setState(.playing)
        try source.push(frame(bytes: 2, capture: 1))
        begun.wait()
        entrance.send(.flushStart())
        closed.open()
        try pipeline.setState(.null)
        #expect(isLost.withLock { $0 })
    }

    /// Who seeks from where a file arrives gets none of the frames from before the seek.
    @Test func aFlushFromTheLaneDropsWhatWaits() throws {
        let harness = try Harness(factory: "gscapjpegenc")
        let entrance = try #require(harness.element.pad("sink"))
        let (gate, flushed) = (Gate(), Gate())
        let files = Mutex(0)
        _ = try #require(harness.element.pad("src")).addBufferProbe { _ in
            let number = files.withLock { files in
                files += 1
                return files
            }
            guard number == 1 else { return .pass }
            gate.wait()
            _ = entrance.peer?.push(.flushStart())
            _ = entrance.peer?.push(.flushStop(resetTime: true))
            flushed.open()
            return .drop
        }
        harness.send(caps: Self.picture + Self.size)
        for id: UInt64 in 1...3 { harness.push(try frame(bytes: 3, capture: id)) }
        gate.open()
        flushed.wait()
        harness.send(caps: Self.picture + Self.size)
        #expect(harness.push(try frame(bytes: 3, capture: 4)) == 0)
        #expect(harness.waitAndPull()?.captureIdentifier == 4)
    }
}
