import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// Changes of the simulated sensor's frame rate in the running stream.
@Suite(.timeLimit(.minutes(10))) struct SensorRateTests {
    init() throws { try GscapPlugin.register() }

    private static func caps(_ rate: Int) -> String {
        "video/x-bayer,format=rggb12le,width=32,height=16,framerate=\(rate)/1"
    }

    /// Frames are counted over all formats, so the first frames of a lower rate have no times far in the future. A live
    /// camera leaves out frames that a busy machine is too late for.
    @Test(arguments: [true, false]) func aLowerRateContinuesTheStream(isLive: Bool) throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=\(isLive) ! capsfilter name=rate caps=\(Self.caps(100)) "
                + "! appsink name=out sync=false max-buffers=1")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        let filter = try #require(pipeline.element(named: "rate"))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        func time() throws -> UInt64 {
            let time = sink.nextSample(timeout: .seconds(5))?.buffer?.presentationTime
            return try #require(time)
        }
        var last: UInt64 = 0
        for _ in 0..<60 { last = try time() }
        try filter.set("caps", .string(Self.caps(10)))
        for _ in 0..<8 {
            let next = try time()
            let limit = isLive ? try #require(pipeline.runningTime) : last + 100_000_000
            #expect(next > last && next <= limit, "\(last) ns is followed by \(next) ns, \(limit) ns at the latest")
            last = next
        }
    }

    /// The wall-clock time of a frame is that of its presentation time, however long the scene was rendered before. On
    /// a busy machine a thread may wait between its looks at both clocks, but not in each of five attempts.
    @Test func theWallClockFollowsTheRunningTime() throws {
        var deviations: [Double] = []
        while deviations.count < 5, deviations.last ?? 1 >= 0.02 { deviations.append(try wallClockDeviation()) }
        #expect(deviations.last ?? 1 < 0.02, "\(deviations)")
    }

    /// Returns the seconds by which the wall-clock time of a sensor's first frame deviates from its presentation time.
    private func wallClockDeviation() throws -> Double {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=true ! video/x-bayer,width=1280,height=960,framerate=10/1 "
                + "! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        guard let buffer = sink.nextSample(timeout: .seconds(30))?.buffer else {
            Issue.record("no frame arrives")
            return .infinity
        }
        let (now, clock) = (Date.now.timeIntervalSince1970, pipeline.runningTime)
        let (presentation, frame) = (buffer.presentationTime, buffer.frameMetadata)
        let (running, time) = try (Double(#require(clock)) / 1e9, Double(#require(presentation)) / 1e9)
        let wallTime = Double(try #require(frame).wallClock) / 1e6
        return abs((now - wallTime) - (running - time))
    }

    /// A thousand frames at one per second would exceed the suite's limit at the clock's pace.
    @Test func aSourceThatIsNotLiveDoesNotWaitForTheClock() throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=false num-buffers=1000 ! capsfilter caps=\(Self.caps(1)) "
                + "! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var last: UInt64?
        for _ in 0..<1000 { last = sink.nextSample(timeout: .seconds(30))?.buffer?.presentationTime ?? last }
        #expect(last == 999_000_000_000)
    }
}
