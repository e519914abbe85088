import GSCapture
import GStreamer
import TestClocks
import Testing

/// Changes of a session's configuration, stopped and running.
@Suite(.timeLimit(.minutes(10)), .serialized) struct SessionConfigurationTests {
    private static let camera = CaptureDevice.simulated(width: 160, height: 120, framesPerSecond: 5)

    private func running(_ output: PhotoOutput) async throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: Self.camera))
        try session.add(output)
        try await session.startRunning()
        return session
    }

    /// Settings of a capture that takes twelve seconds, longer than a commit on a busy machine.
    private var long: PhotoSettings {
        var settings = PhotoSettings(raw: [.bayer])
        settings.frames = 60
        settings.momentTolerance = .seconds(60)
        return settings
    }

    private func code(_ body: () throws -> Void) -> CaptureError.Code? {
        #expect(throws: CaptureError.self) { try body() }?.code
    }

    private func asyncCode(_ body: () async throws -> Void) async -> CaptureError.Code? {
        await #expect(throws: CaptureError.self) { try await body() }?.code
    }

    // MARK: - Transactions

    /// A commit whose pipeline cannot be created leaves the running one alone: its capture is completed.
    @Test func aRefusedCommitLeavesThePipelineRunning() async throws {
        let output = PhotoOutput()
        let session = try await running(output)
        let capture = try output.capturePhoto(with: long)
        session.beginConfiguration()
        try session.add(PreviewOutput(sink: "gscap-no-such-sink"))
        try session.setSessionPreset(.low)
        #expect(await asyncCode { try await session.commitConfiguration() } == .missingElement)
        #expect(session.isRunning)
        #expect(session.sessionPreset == .inputPriority)
        let frames = session.framesSeen
        #expect(await reached { session.framesSeen > frames + 5 })
        #expect(try await capture.photos.count == 1)
        // The refused preview is not part of the next transaction.
        output.isProRAWEnabled = true
        try await session.startRunning()
        #expect(output.availableRAWFormats == [.bayer, .proRAW])
        await session.stopRunning()
    }

    @Test func aCommitAddsAFormatAndEndsCaptures() async throws {
        let output = PhotoOutput()
        let session = try await running(output)
        let capture = try output.capturePhoto(with: long)
        let frames = session.framesSeen
        session.beginConfiguration()
        output.isProRAWEnabled = true
        #expect(output.availableRAWFormats == [.bayer])
        try await session.commitConfiguration()
        #expect(session.isRunning)
        #expect(session.framesSeen >= frames)
        try await expectAborted(capture)
        var settings = PhotoSettings(raw: [.proRAW])
        settings.frames = 2
        #expect(try await output.capturePhoto(with: settings).photos.map(\.format) == [.raw(.proRAW)])
        await session.stopRunning()
    }

    /// Outside a transaction a changed render property is applied at once; `startRunning` returns after that.
    @Test func aRenderPropertyChangesTheRunningSession() async throws {
        let output = PhotoOutput()
        let session = try await running(output)
        let capture = try output.capturePhoto(with: long)
        output.processedFormats = [.png]
        try await session.startRunning()
        #expect(session.isRunning)
        #expect(output.availableProcessedFormats == [.png])
        try await expectAborted(capture)
        #expect(try await output.capturePhoto(with: PhotoSettings(processed: [.png])).photos.count == 1)
        await session.stopRunning()
    }

    /// A camera that does not start gives way to the earlier one.
    @Test func aMissingCameraIsRolledBack() async throws {
        let output = PhotoOutput()
        let session = try await running(output)
        session.beginConfiguration()
        session.remove(CaptureDeviceInput(device: Self.camera))
        let missing = CaptureDevice(
            uniqueID: "missing", localizedName: "Missing",
            source: "gscapsensorsrc name=camera device=/nonexistent/camera", formats: Self.camera.formats,
            activeFormat: Self.camera.activeFormat)
        try session.add(CaptureDeviceInput(device: missing))
        #expect(await asyncCode { try await session.commitConfiguration() } == .noDevice)
        #expect(session.isRunning)
        #expect(!session.canAdd(CaptureDeviceInput(device: missing)))
        #expect(try await output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos.count == 1)
        await session.stopRunning()
    }

    @Test func theOutermostCommitApplies() async throws {
        let output = PhotoOutput()
        let session = try await running(output)
        session.beginConfiguration()
        session.beginConfiguration()
        output.isProRAWEnabled = true
        try await session.commitConfiguration()
        #expect(output.availableRAWFormats == [.bayer])
        try await session.commitConfiguration()
        #expect(output.availableRAWFormats == [.bayer, .proRAW])
        #expect(await asyncCode { try await session.commitConfiguration() } == .noTransaction)
        await session.stopRunning()
    }

    /// Outside a transaction, the event `refused` reports a change that cannot be applied.
    @Test func aRefusedChangeIsAnEvent() async throws {
        let output = PhotoOutput()
        let session = try await running(output)
        let events = session.events
        try session.add(PreviewOutput(sink: "gscap-no-such-sink"))
        for await event in events {
            guard case .refused(let error) = event else { continue }
            #expect(error.code == .missingElement)
            break
        }
        #expect(session.isRunning)
        await session.stopRunning()
        // The preview does not stop the next start.
        try await session.startRunning()
        await session.stopRunning()
    }

    @Test func anOutputRemovedInATransactionLeavesAtTheCommit() async throws {
        let (output, frames) = (PhotoOutput(), FrameOutput(format: .raw))
        let session = try await running(output)
        session.beginConfiguration()
        session.remove(output)
        try session.add(frames)
        #expect(!CaptureSession().canAdd(output))
        #expect(try await output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos.count == 1)
        try await session.commitConfiguration()
        #expect(CaptureSession().canAdd(output))
        #expect(!CaptureSession().canAdd(frames))
        #expect(code { _ = try output.capturePhoto(with: PhotoSettings(raw: [.bayer])) } == .sessionNotRunning)
        await session.stopRunning()
    }

    private func expectAborted(_ capture: PhotoCapture) async throws {
        var error: CaptureError?
        for await event in capture.events { if case .finished(_, let last) = event { error = last } }
        #expect(error?.code == .aborted)
    }

    // MARK: - Rules

    @Test func aSessionHasOneCameraAndOnePhotoOutput() throws {
        let session = CaptureSession()
        let input = CaptureDeviceInput(device: Self.camera)
        #expect(session.canAdd(input))
        try session.add(input)
        #expect(!session.canAdd(input))
        #expect(code { try session.add(input) } == .cannotAdd)
        session.remove(input)
        #expect(session.canAdd(input))

        let (first, second) = (PhotoOutput(), PhotoOutput())
        try session.add(first)
        #expect(!session.canAdd(second))
        #expect(code { try session.add(second) } == .cannotAdd)
        // An output that was refused is free.
        #expect(CaptureSession().canAdd(second))
    }

    @Test func aSessionHasManyPreviewsAndFrameOutputs() throws {
        let (session, other) = (CaptureSession(), CaptureSession())
        let preview = PreviewOutput(sink: "fakesink", width: 64, height: 48)
        for _ in 0..<3 { try session.add(preview) }
        session.remove(preview)
        #expect(!session.canAdd(PreviewOutput(width: 0, height: 48)))
        #expect(code { try session.add(PreviewOutput(width: 1, height: 70_000)) } == .cannotAdd)

        let frames = FrameOutput(format: .rgb(width: 64, height: 48))
        try session.add(frames)
        try session.add(FrameOutput(format: .raw))
        #expect(!session.canAdd(frames) && !other.canAdd(frames))
        #expect(code { try session.add(frames) } == .cannotAdd)
        #expect(code { try other.add(frames) } == .cannotAdd)
        session.remove(frames)
        #expect(other.canAdd(frames))
        #expect(code { try other.add(FrameOutput(format: .rgb(width: -1, height: 48))) } == .cannotAdd)
    }

    @Test func aCameraMustDeliverBayerFramesInASupportedColorSpace() throws {
        var device = Self.camera
        device.activeColorSpace = .displayP3
        device.supportedColorSpaces = [.sRGB]
        #expect(!CaptureSession().canAdd(CaptureDeviceInput(device: device)))
        let webcam = CaptureDevice(
            uniqueID: "webcam", localizedName: "Webcam", source: "v4l2src name=camera",
            caps: try Caps("video/x-raw,format=YUY2"))
        #expect(code { try CaptureSession().add(CaptureDeviceInput(device: webcam)) } == .cannotAdd)
    }

    @Test func aCustomPlanTakesPhotoOutputsAlone() throws {
        let plan = try PipelinePlan(
            device: Self.camera, preview: nil, settings: PhotoSettings(raw: [.bayer]))
        let session = CaptureSession(plan: plan)
        #expect(!session.canAdd(CaptureDeviceInput(device: Self.camera)))
        #expect(!session.canAdd(PreviewOutput()))
        #expect(!session.canAdd(FrameOutput(format: .raw)))
        #expect(!session.canSetSessionPreset(.photo))
        #expect(session.canSetSessionPreset(.inputPriority))
        #expect(session.canAdd(PhotoOutput()))
    }

    // MARK: - Presets

    @Test(arguments: [
        (CaptureSession.Preset.photo, 4032), (.high, 1920), (.medium, 1280), (.low, 640), (.inputPriority, 160),
    ])
    func presetsSelectFormats(preset: CaptureSession.Preset, width: Int) {
        #expect(Self.camera.formats.contains { $0.width == 160 })
        #expect(Self.camera.format(for: preset)?.width == width)
    }

    @Test func aPresetWithoutAFormatUsesTheNearest() throws {
        var device = Self.camera
        device.formats = device.formats.filter { $0.width > 640 }
        #expect(device.format(for: .low)?.width == 1280)
        device.formats = []
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: device))
        #expect(!session.canSetSessionPreset(.low))
        #expect(code { try session.setSessionPreset(.low) } == .cannotAdd)
        #expect(session.sessionPreset == .inputPriority)
    }

    /// A preset set while the session runs changes the size of its frames.
    @Test func aPresetChangesTheRunningCamera() async throws {
        let session = CaptureSession()
        let frames = FrameOutput(format: .raw)
        try session.add(CaptureDeviceInput(device: Self.camera))
        try session.add(frames)
        try await session.startRunning()
        try session.setSessionPreset(.low)
        for await frame in frames.frames where frame.width == 640 { break }
        #expect(session.sessionPreset == .low)
        await session.stopRunning()
    }
}
