import GStreamer
import GscapElements
import Testing

/// The shutter's warning about a capture whose picture is mostly white.
@Suite(.timeLimit(.minutes(10))) struct OverexposureTests {
    init() throws { try GscapPlugin.register() }

    /// Takes `captures` bursts of two frames with a camera set as `camera` says; returns the warnings on the bus.
    private func warnings(_ camera: String, captures: Int) async throws -> [GStreamerError] {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=false \(camera) "
                + "! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1 "
                + "! rawshutter name=shutter captures=\(captures) frames=2 ! fakesink sync=false async=false")
        let messages = pipeline.bus.messages()
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var warnings: [GStreamerError] = []
        for await message in messages {
            switch message.kind {
            case .warning(let warning): warnings.append(warning)
            case .error(let error): throw error
            case .endOfStream where message.isFromPipeline: return warnings
            default: break
            }
        }
        return warnings
    }

    /// An exposure 16 times too long leaves about four fifths of the picture white: one warning for each capture.
    @Test func eachOverexposedCaptureWarnsOnce() async throws {
        let warnings = try await warnings("exposure-time=0.16", captures: 2)
        #expect(warnings.count == 2)
        for warning in warnings {
            #expect(warning.place == "shutter")
            #expect(warning.message.contains("of the picture is overexposed"))
            let percent = warning.message.split(separator: " ").compactMap { Int($0) }.first
            #expect(percent.map { (70...90).contains($0) } == true, "\(warning.message)")
        }
        #expect(Set(warnings.map(\.message)).count == 2)
    }

    /// Bright highlights, here 1 % of the picture, are no fault.
    @Test func aCorrectExposureIsSilent() async throws {
        #expect(try await warnings("exposure-time=0.01", captures: 2).isEmpty)
    }
}
