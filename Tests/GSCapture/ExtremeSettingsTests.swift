import GStreamer
import Testing

@testable import GSCapture

/// Settings with extreme values: none of them traps or changes its meaning.
@Suite(.timeLimit(.minutes(10))) struct ExtremeSettingsTests {
    private let plan: PipelinePlan

    init() throws {
        plan = try PipelinePlan(
            device: .simulated(width: 64, height: 48), preview: nil, formats: [.raw(.bayer), .processed(.jpeg)])
    }

    /// Readiness is computed for settings that a capture would refuse.
    @Test(arguments: [Int.max, Int.min, 0, 65]) func anyNumberOfFramesIsResolved(frames: Int) {
        var settings = PhotoSettings(raw: [.bayer], processed: [.jpeg])
        settings.photoQualityPrioritization = .speed
        settings.frames = frames
        settings.everyFrame = true
        settings.bracket = [.bias(-1), .bias(1)]
        settings.fusesBracket = true
        settings.thumbnailLongestSide = frames
        let (resolved, owed) = plan.resolve(settings, CaptureConditions())
        #expect((2...128).contains(resolved.neededFrames))
        #expect(resolved.expectedPhotoCount == owed.values.reduce(0, +))
        #expect(CaptureRules.broken(by: settings, plan: plan, CaptureConditions())?.code == .framesOutOfRange)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(20_000_000_000), .seconds(1), .zero])
    func aLongToleranceStaysLong(tolerance: Duration) {
        var settings = PhotoSettings(raw: [.bayer])
        settings.momentTolerance = tolerance
        let request = plan.request(settings, plan.resolve(settings, CaptureConditions()).0)
        #expect(request["tolerance"]?.number == Double(tolerance.components.seconds))
    }
}
