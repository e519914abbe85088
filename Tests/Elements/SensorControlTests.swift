import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// The controls of `gscapsensorsrc`: its properties and the events from downstream.
@Suite(.timeLimit(.minutes(10))) struct SensorControlTests {
    init() throws { try GscapPlugin.register() }

    /// Returns the metadata of the frames of a source that is not live; `controls` are sent during frame 0.
    private func frames(_ properties: String, _ controls: [SensorControl] = []) throws -> [FrameMetadata] {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc name=camera is-live=false \(properties) "
                + "! video/x-bayer,format=rggb12le,width=64,height=48 ! appsink name=out sync=false")
        let pad = try #require(pipeline.element(named: "camera")?.pad("src"))
        let probe = pad.addBufferProbe { buffer in
            guard buffer.frameMetadata?.frameNumber == 0 else { return .pass }
            for control in controls { _ = pad.send(.customUpstream(control.structure)) }
            return .pass
        }
        defer { probe.remove() }
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var seen: [FrameMetadata] = []
        while let metadata = sink.nextSample(timeout: .seconds(20))?.buffer?.frameMetadata { seen.append(metadata) }
        return seen
    }

    private func event(_ time: Double? = nil, _ iso: Double? = nil, flash: Bool? = nil) throws -> SensorControl {
        try #require(SensorControl(exposureTime: time, iso: iso, flash: flash))
    }

    @Test func eventsRoundTrip() throws {
        for control in [try event(0.5), try event(nil, 200), try event(0.5, 200, flash: false)] {
            #expect(SensorControl(control.structure) == control)
        }
        #expect(SensorControl(exposureTime: nil, iso: nil) == nil)
    }

    @Test func theAutomaticExposureFollowsTheISONumber() throws {
        let times = try frames("num-buffers=1 iso=1600").map(\.exposureTime)
        #expect(times.count == 1 && abs((times.first ?? 0) - 0.000625) < 1e-9)
        let changed = try frames("num-buffers=3", [event(nil, 400)])
        #expect(changed.map(\.iso) == [100, 100, 400])
        #expect(abs((changed.last?.exposureTime ?? 0) - 0.0025) < 1e-9)
        let fixed = try frames("num-buffers=3 exposure-time=0.02", [event(nil, 400)])
        #expect(fixed.map(\.exposureTime) == [0.02, 0.02, 0.02])
    }

    /// After a requested exposure time, the camera's own makes the exposure automatic again.
    @Test func theAutomaticExposureIsRestored() throws {
        let seen = try frames("num-buffers=3", [event(0.04), event(0.01, 100), event(nil, 200)])
        #expect(abs((seen.last?.exposureTime ?? 0) - 0.005) < 1e-9)
    }

    @Test func theFlashIsStatedOnceItWasRequested() throws {
        #expect(try frames("num-buffers=2").map(\.flashFired) == [nil, nil])
        #expect(try frames("num-buffers=3", [event(flash: true)]).map(\.flashFired) == [nil, nil, true])
    }

    @Test(arguments: [0, 1, 2, 6]) func theDelayIsAProperty(delay: Int) throws {
        let seen = try frames("num-buffers=8 control-delay=\(delay)", [event(nil, 400)])
        #expect(seen.firstIndex { $0.iso == 400 } == max(1, delay))
    }

    @Test func droppedFramesAreMissing() throws {
        let numbers = try frames("num-buffers=20 drop=0.5").map(\.frameNumber)
        #expect(numbers.count == 20)
        #expect(numbers.last ?? 0 > 24, "about half of the frames are lost")
        #expect(numbers == numbers.sorted())
        #expect(try frames("num-buffers=20 drop=0.5").map(\.frameNumber) == numbers)
    }
}
