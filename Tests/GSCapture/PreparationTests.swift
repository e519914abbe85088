import GStreamer
import Testing

@testable import GSCapture

/// Prepared settings and readiness while the session changes.
@Suite(.timeLimit(.minutes(10)), .serialized) struct PreparationTests {
    private func ringFrames(_ camera: SmallCamera) throws -> Int {
        let shutter = try #require(camera.output.running?.shutter)
        return try shutter.get("ring-frames")
    }

    /// A change of the session that keeps its pipeline does not make the enlarged ring the normal one.
    @Test func theMemoryIsGivenBackAfterAChangeOfTheSession() async throws {
        let camera = try await SmallCamera()
        let normal = try ringFrames(camera)
        #expect(try await camera.output.setPreparedPhotoSettings([camera.settings(frames: 40)]))
        #expect(try ringFrames(camera) == 40)
        try camera.session.setSessionPreset(.inputPriority)
        #expect(try ringFrames(camera) == 40)
        #expect(try await camera.output.setPreparedPhotoSettings([]))
        #expect(try ringFrames(camera) == normal)
        await camera.session.stopRunning()
    }

    /// A memory too small for the newest capture's number of frames does not end readiness: smaller ones are accepted.
    @Test func aSmallerMemoryLimitsTheExpectedCapture() async throws {
        let camera = try await SmallCamera()
        #expect(await camera.error(of: try camera.output.capturePhoto(with: camera.settings(frames: 30))) == nil)
        // 27 frames; the fraction of a mebibyte is ignored.
        camera.output.maxQueuedBytes = (1 << 20) + 1000
        #expect(camera.output.maxQueuedBytes == 1 << 20)
        await camera.waitForReadiness(.ready)
        #expect(await camera.error(of: try camera.output.capturePhoto(with: camera.settings(frames: 27))) == nil)
        await camera.session.stopRunning()
    }

    /// What is set before the start limits what is valid before the start.
    @Test func theRulesBeforeTheStartKnowTheMemoryAndThePlan() async throws {
        let camera = try await SmallCamera(starts: false)
        #expect(camera.output.maxBracketedCapturePhotoCount == 16)
        #expect(camera.output.availableProcessedFormats == [.jpeg])
        #expect(camera.output.availableRAWFormats == [.bayer])
        let error = #expect(throws: CaptureError.self) {
            try camera.output.validate(PhotoSettings(processed: [.png]))
        }
        #expect(error?.code == .formatNotAvailable)
        let output = PhotoOutput()
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 640, height: 480)))
        try session.add(output)
        output.maxQueuedBytes = 4 << 20
        // 6 frames of 614,400 bytes.
        #expect(output.maxBracketedCapturePhotoCount == 6)
        var bracket = PhotoSettings(raw: [.bayer])
        bracket.bracket = Array(repeating: .bias(0), count: 7)
        let refusal = #expect(throws: CaptureError.self) { try output.validate(bracket) }
        #expect(refusal?.code == .bracketTooLong)
        withExtendedLifetime(session) {}
    }

    /// A pipeline that is no longer in use is taken from its output, but not from another one.
    @Test func onlyThePipelineInUseIsDisconnected() async throws {
        let (camera, other) = (try await SmallCamera(), try await SmallCamera())
        let (own, foreign) = (try #require(camera.output.running), try #require(other.output.running))
        camera.output.disconnect(foreign)
        #expect(camera.output.running === own)
        camera.output.disconnect(own)
        #expect(camera.output.captureReadiness == .sessionNotRunning)
        await camera.session.stopRunning()
        await other.session.stopRunning()
    }
}
