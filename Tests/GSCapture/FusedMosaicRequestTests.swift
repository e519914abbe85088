import GSCapture
import GStreamer
import Testing

/// A capture without a linear DNG asks for the merged mosaic, which takes less time to render than a linear photo.
@Suite struct FusedMosaicRequestTests {
    private func fusionSettings(_ settings: PhotoSettings) throws -> Value? {
        let plan = try PipelinePlan(
            device: .simulated(), preview: nil, formats: [.raw(.bayer), .raw(.proRAW), .processed(.jpeg)])
        let request = plan.request(settings, plan.resolve(settings, CaptureConditions()).0)
        guard case .structure(let elements)? = request["settings"] else { return nil }
        return elements["fusion"]
    }

    @Test func onlyALinearDNGNeedsALinearPhoto() throws {
        let mosaic = Value.structure(Structure("values", ["demosaic": .boolean(false)]))
        #expect(try fusionSettings(PhotoSettings(processed: [.jpeg])) == mosaic)
        #expect(try fusionSettings(PhotoSettings(raw: [.bayer], processed: [.jpeg])) == mosaic)
        #expect(try fusionSettings(PhotoSettings(raw: [.bayer])) == nil)
        #expect(try fusionSettings(PhotoSettings(raw: [.proRAW], processed: [.jpeg])) == nil)
    }

    @Test func thePlanOfOneCaptureShowsIt() throws {
        let plan = try PipelinePlan(
            device: .simulated(), preview: nil, settings: PhotoSettings(processed: [.jpeg]))
        #expect(plan.launchText.contains("demosaic=false"))
        let linear = try PipelinePlan(
            device: .simulated(), preview: nil, settings: PhotoSettings(raw: [.proRAW], processed: [.jpeg]))
        #expect(!linear.launchText.contains("demosaic"))
    }
}
