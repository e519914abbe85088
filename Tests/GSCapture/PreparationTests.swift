import GStreamer
import Testing

@testable import GSCapture

/// Prepared settings and readiness while the session changes.
@Suite(.timeLimit(.minutes(2)), .serialized) struct PreparationTests {
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
}
