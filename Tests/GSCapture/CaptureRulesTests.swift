import GSCapture
import Testing

@Suite(.timeLimit(.minutes(10))) struct CaptureRulesTests {
    private func code(_ body: () throws -> Void) -> CaptureError.Code? {
        do {
            try body()
            return nil
        } catch let error as CaptureError {
            return error.code
        } catch {
            return nil
        }
    }

    private func plan(_ settings: PhotoSettings) -> CaptureError.Code? {
        code { _ = try PipelinePlan(device: .simulated(), preview: nil, settings: settings) }
    }

    @Test func settingsWithoutFormatsAreRefused() {
        #expect(plan(PhotoSettings()) == .nothingRequested)
    }

    @Test func bayerIsForSpeed() {
        var settings = PhotoSettings(raw: [.bayer])
        #expect(plan(settings) == nil)
        settings.photoQualityPrioritization = .balanced
        #expect(plan(settings) == .bayerRAWNeedsSpeed)
    }

    @Test func copiedSettingsHaveNewTickets() {
        let first = PhotoSettings(raw: [.proRAW])
        let second = PhotoSettings(from: first)
        #expect(first.uniqueID != second.uniqueID)
        #expect(second.rawFormats == [.proRAW])
    }

    /// A copy that is changed can be captured.
    @Test func changedCopiesHaveNewTickets() {
        let first = PhotoSettings(raw: [.proRAW])
        var second = first
        #expect(first.uniqueID == second.uniqueID)
        second.frames = 4
        #expect(first.uniqueID != second.uniqueID)
    }

    @Test func anOutputBelongsToOneSession() throws {
        let output = PhotoOutput()
        let (first, second) = (CaptureSession(), CaptureSession())
        try first.add(output)
        #expect(!second.canAdd(output))
        #expect(code { try second.add(output) } == .cannotAdd)
        first.remove(output)
        #expect(second.canAdd(output))
    }

    @Test func aSessionMustRun() {
        let output = PhotoOutput()
        #expect(code { _ = try output.capturePhoto(with: PhotoSettings(raw: [.bayer])).events } == .sessionNotRunning)
    }

    @Test func aSessionNeedsACamera() async {
        let session = CaptureSession()
        await #expect(throws: CaptureError.self) { try await session.startRunning() }
    }

    @Test func settingsBecomePipelineText() throws {
        let settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        let plan = try PipelinePlan(device: .simulated(), preview: PreviewOutput(), settings: settings)
        #expect(plan.branches.map(\.format) == [.raw(.proRAW), .processed(.jpeg)])
        // Parsing the text of the plan again gives the same plan.
        let again = try PipelinePlan(reading: plan.text)
        #expect(again.branches == plan.branches)
        #expect(again.launchText == plan.launchText)
    }

    @Test(arguments: [
        (PhotoQualityPrioritization.speed, "frames=4", "mode=speed"), (.balanced, "frames=8", "mode=balanced"),
        (.quality, "frames=12", "mode=quality"),
    ])
    func qualitySelectsFramesAndMode(quality: PhotoQualityPrioritization, frames: String, mode: String) throws {
        var settings = PhotoSettings(raw: [.proRAW])
        settings.photoQualityPrioritization = quality
        let plan = try PipelinePlan(device: .simulated(), preview: nil, settings: settings)
        #expect(plan.text.contains("rawshutter name=shutter \(frames)"))
        #expect(plan.text.contains("rawfusion name=fusion \(mode)"))
        #expect(plan.burstFrames == quality.frames)
        let again = try PipelinePlan(reading: plan.text)
        #expect(again.burstFrames == plan.burstFrames)
        #expect(again.launchText == plan.launchText)
    }

    @Test func aMosaicAloneIsOneFrame() throws {
        let plan = try PipelinePlan(device: .simulated(), preview: nil, settings: PhotoSettings(raw: [.bayer]))
        #expect(plan.burstFrames == 1)
        #expect(!plan.text.contains("rawfusion"))
    }
}
