import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// Failures of photos in a bracket, and lags of presses before the first frame.
@Suite(.timeLimit(.minutes(10))) struct PhotoChargeTests {
    /// A fusion that fails, because a frame was lost, fails the photo of its own exposure only.
    @Test(arguments: [1, 2]) func aFailedFusionIsChargedToItsExposure(exposure: Int) throws {
        try GscapPlugin.register()
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.start()
        _ = host.pipeline.element(named: "fusion")?.pad("sink")?.addBufferProbe { frame in
            let tag = frame.frameMetadata?.capture
            return tag?.exposure == exposure && tag?.index == 1 ? .drop : .pass
        }
        let biases = [-1, 0, 1].map { bias in
            Value.structure(Structure("exposure", ["exposure-bias": .double(bias)]))
        }
        let id = try host.press(["frames": 2, "bracket": .array(biases)])
        #expect(host.result(of: id) == "partial", "\(host.reason(of: id))")
        let photos = host.photos(of: id)
        #expect(photos.filter { $0.error != nil }.map(\.exposure) == [exposure])
        #expect(Set(photos.filter { $0.error == nil }.map(\.exposure)) == Set(0...2).subtracting([exposure]))
    }

    /// The lag of a press before the first frame, and of one before the pipeline has a running time, is that frame's.
    @Test(arguments: [Element.State.paused, .playing]) func aPressBeforeTheFirstFrameHasItsLag(
        state: Element.State
    ) throws {
        try GscapPlugin.register()
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.pipeline.setState(state)
        let id = try host.press(["frames": 1])
        try #require(id > 0, "\(host.allWarnings)")
        try host.pipeline.setState(.playing)
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        let lag = try #require(host.photos(of: id).first?.receipt?.lag)
        #expect(lag > -0.1 && lag < 60)
    }
}
