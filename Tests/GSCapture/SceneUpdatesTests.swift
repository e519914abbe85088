import GSCapture
import RawImage
import Testing

/// The scene updates of a session with the simulated sensor, whose motion and exposure are known.
@Suite(.timeLimit(.minutes(10)), .serialized) struct SceneUpdatesTests {
    private func plan(_ camera: String) throws -> PipelinePlan {
        let text = """
            gscapsensorsrc name=camera \(camera)
              ! video/x-bayer,format=rggb12le,width=128,height=96,framerate=30/1 ! rawunpack ! tee name=raw
            raw. ! queue ! rawshutter name=shutter frames=2 ! dngenc ! filesink name=bayer location=a.dng
            """
        return try PipelinePlan(reading: text)
    }

    private func session(_ camera: String) throws -> CaptureSession { CaptureSession(plan: try plan(camera)) }

    private func first(
        _ updates: AsyncStream<SceneState>, where condition: (SceneState) -> Bool = { _ in true }
    ) async -> SceneState? {
        for await state in updates where condition(state) { return state }
        return nil
    }

    @Test func aStillSceneIsStatic() async throws {
        let session = try session("motion=false shake=0 exposure-time=0.01")
        let updates = session.sceneUpdates
        try await session.startRunning()
        let state = try #require(await first(updates) { $0.isStatic })
        #expect(try #require(state.motion) < 0.003)
        #expect(state.exposureTime == 0.01)
        #expect(state.clippedFraction < 0.05)
        #expect(!state.isFlashScene)
        await session.stopRunning()
    }

    @Test func aShakenCameraIsNotStatic() async throws {
        let session = try session("motion=false shake=8 exposure-time=0.01")
        try await session.startRunning()
        let state = try #require(await first(session.sceneUpdates) { $0.motion != nil })
        #expect(try #require(state.motion) > 0.006)
        #expect(!state.isStatic)
        await session.stopRunning()
    }

    @Test func theExposureDoesNotChangeTheIlluminance() async throws {
        var lux: [Double] = []
        for exposure in ["exposure-time=0.01", "exposure-time=0.0025", "exposure-time=0.000625 iso=1600"] {
            let session = try session("motion=false shake=0 \(exposure)")
            try await session.startRunning()
            lux.append(try #require(await first(session.sceneUpdates)?.illuminance))
            await session.stopRunning()
        }
        for value in lux { #expect(abs(value / lux[0] - 1) < 0.1, "\(lux)") }
    }

    /// A stream continues over a stop and a start, and a second reader receives the current state at once.
    @Test func updatesContinueAfterARestart() async throws {
        let session = try session("motion=false shake=0 exposure-time=0.01")
        let updates = session.sceneUpdates
        for _ in 0..<2 {
            try await session.startRunning()
            // The first of the two may be the last of the previous start.
            for _ in 0..<2 { #expect(await first(updates) != nil) }
            #expect(await first(session.sceneUpdates) != nil)
            await session.stopRunning()
        }
    }

    /// The warning about an overexposed capture is an event of the session.
    @Test func anOverexposedCaptureWarns() async throws {
        let plan = try plan("exposure-time=0.16")
        let (session, output) = (CaptureSession(plan: plan), PhotoOutput())
        try session.add(output)
        let events = session.events
        try await session.startRunning()
        let settings = PhotoSettings(everythingOf: plan)
        let photos = try await output.capturePhoto(with: settings).photos
        #expect(photos.allSatisfy { $0.error == nil })
        for await event in events {
            guard case .warning(let text) = event else { continue }
            #expect(text.contains("capture \(settings.uniqueID): ") && text.contains("is overexposed"))
            break
        }
        await session.stopRunning()
    }
}
