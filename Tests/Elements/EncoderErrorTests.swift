import Dispatch
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// Encoders given frames that cannot be encoded, formats that cannot be stored, and flushes.
@Suite(.timeLimit(.minutes(10))) struct EncoderErrorTests {
    init() throws { try GscapPlugin.register() }

    private static let (picture, mosaic) = ("video/x-raw,format=RGB", "video/x-bayer,format=rggb12le")
    private static let size = ",width=32,height=16,framerate=30/1"

    /// Returns a frame of 32×16 pixels; the buffer of a bad one is too short.
    private func frame(bytes: Int, isBad: Bool = false, capture: UInt64? = nil) throws -> Buffer {
        var frame = try Buffer(copying: [UInt8](repeating: 7, count: isBad ? 10 : 32 * 16 * bytes))
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.capture = capture.map { CaptureTag(id: $0, index: 0, count: 1) }
        try frame.setFrameMetadata(metadata)
        return frame
    }

    /// Pushes frames through an encoder; returns the error posted before the end of the stream, if any.
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
    func aStreamWithoutAnyFileEndsInAnError(encoder: String, caps: String, capture: UInt64?) async throws {
        let error = try await error(encoder, caps, [(3, true), (3, true)], capture: capture)
        #expect(error?.message.contains("no frame of the stream") == true, "\(error?.message ?? "nothing")")
        #expect((error?.domain == CaptureMessage.warningDomain) == (capture != nil))
    }

    @Test(arguments: [("gscapjpegenc", picture, 3), ("dngenc", mosaic, 2)])
    func aBadFrameInAStreamIsNoError(encoder: String, caps: String, bytes: Int) async throws {
        #expect(try await error(encoder, caps, [(bytes, false), (bytes, true)], capture: nil) == nil)
        #expect(try await error(encoder, caps, [], capture: nil) == nil)
    }

    /// Frames that failed before a stop do not make the next stream end in an error.
    @Test func aStopForgetsFailedFrames() async throws {
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
        let error = try await error(encoder, caps, [(format == "RGB" ? 3 : 8, false)], capture: nil)
        #expect((error == nil) == isTaken, "\(error?.message ?? "taken")")
    }

    /// A stream whose bursts all fail to fuse ends in an error too.
    @Test func aStreamWithoutAnyPhotoEndsInAnError() async throws {
        let error = try await error("rawfusion ! dngenc", Self.mosaic, [(2, true)], capture: nil)
        #expect(error?.message.contains("no burst of the stream") == true, "\(error?.message ?? "nothing")")
    }

    @Test func aRawPhotoIsNoPicture() async throws {
        let error = try await error("rawfusion ! gscapjpegenc", Self.mosaic, [(2, false)], capture: nil)
        #expect(error?.message.contains("rawdevelop") == true, "\(error?.message ?? "nothing")")
    }

    /// A flush cancels a running DNG encoding.
    @Test func aFlushCancelsDNGEncoding() throws {
        // 13 of 16 bits post a warning about some readers when encoding starts: the test's signal to flush.
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=video/x-bayer,format=rggb16le\(Self.size) ! "
                + "dngenc name=encoder bit-depth=13 ! fakesink sync=false async=false")
        let (begun, closed) = (Gate(), Gate())
        let isLost = Mutex(false)
        pipeline.bus.setHandler { message in
            if case .warning(let warning) = message.kind, warning.domain != CaptureMessage.warningDomain {
                begun.open()
                closed.wait()
            }
            if case .element(let structure) = message.kind, case .photo(1, _, _, .some)? = CaptureMessage(structure) {
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

    /// A flush sent from the encoder's thread, as by a seek on arrival of a file, drops the frames queued before it.
    @Test func aFlushFromTheEncoderThreadDropsQueuedFrames() throws {
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
        for id: UInt64 in 1...2 { harness.push(try frame(bytes: 3, capture: id)) }
        gate.open()
        flushed.wait()
        harness.send(caps: Self.picture + Self.size)
        #expect(harness.push(try frame(bytes: 3, capture: 3)) == 0)
        #expect(harness.waitAndPull()?.captureIdentifier == 3)
    }
}
