import GSCapture
import Testing

/// Commits that are refused while photos are taken.
@Suite(.timeLimit(.minutes(10)), .serialized) struct RefusedCommitTests {
    /// A refused exchange of the photo output leaves the captures of the present one alone.
    @Test func aRefusedExchangeOfTheOutputKeepsItsCaptures() async throws {
        let (session, output, other) = (CaptureSession(), PhotoOutput(), PhotoOutput())
        try session.add(CaptureDeviceInput(device: .simulated(width: 160, height: 120, framesPerSecond: 30)))
        try session.add(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.bayer])
        // More frames than the ring holds, so the capture is under way during the commit.
        settings.frames = 60
        settings.momentTolerance = .seconds(60)
        let capture = try output.capturePhoto(with: settings)
        session.beginConfiguration()
        session.remove(output)
        try session.add(other)
        try session.add(PreviewOutput(sink: "gscap-no-such-sink"))
        let refusal = await #expect(throws: CaptureError.self) { try await session.commitConfiguration() }
        #expect(refusal?.code == .missingElement)
        #expect(try await capture.photos.map { $0.error?.code } == [nil])
        #expect(!session.canAdd(output) && CaptureSession().canAdd(other))
        await session.stopRunning()
    }

    /// A refused change of the folder for deferred photos keeps the present one, also if the change was to have none.
    @Test(arguments: [nil, "other"]) func aRefusedChangeOfTheDeferredFolderIsUndone(folder: String?) async throws {
        let (session, output) = (CaptureSession(), PhotoOutput())
        try session.add(CaptureDeviceInput(device: .simulated(width: 160, height: 120, framesPerSecond: 30)))
        output.deferredFolder = "jobs"
        try session.add(output)
        try await session.startRunning()
        session.beginConfiguration()
        output.deferredFolder = folder
        try session.add(PreviewOutput(sink: "gscap-no-such-sink"))
        await #expect(throws: CaptureError.self) { try await session.commitConfiguration() }
        #expect(output.deferredFolder == "jobs")
        await session.stopRunning()
    }
}
