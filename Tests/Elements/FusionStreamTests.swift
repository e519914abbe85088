import GStreamer
import GscapElements
import RawImage
import Testing

/// `rawfusion` without a shutter, in streams whose segments, formats and ends are not those of a camera.
@Suite(.timeLimit(.minutes(10))) struct FusionStreamTests {
    init() throws { try GscapPlugin.register() }

    private func caps(_ pattern: String = "rggb") -> String {
        "video/x-bayer,format=\(pattern)12le,width=64,height=48,framerate=10/1"
    }

    private func frame(_ number: Int) throws -> Buffer {
        var buffer = try Buffer(copying: (0..<64 * 48 * 2).map { UInt8($0 % 2 == 0 ? ($0 * 7 + number) % 200 : 3) })
        buffer.presentationTime = UInt64(number) * 100_000_000
        buffer.duration = 100_000_000
        return buffer
    }

    private func harness(frames: UInt32) throws -> Harness {
        let element = try Element(factory: "rawfusion")
        try element.set("frames", .uint(frames))
        let harness = try Harness(element)
        harness.send(caps: caps())
        return harness
    }

    /// Returns a pipeline of elements between a source whose samples have segments and a sink, which may show them in
    /// time.
    private func stream(through elements: String, isTimed: Bool) throws -> (Pipeline, AppSrc, AppSink) {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time handle-segment-change=true caps=\"\(caps())\" ! \(elements) "
                + "! appsink name=out sync=\(isTimed)")
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        return (pipeline, source, try #require(pipeline.element(named: "out").flatMap(AppSink.init)))
    }

    /// A photo is in the segment of its frames, so that its running time is theirs.
    @Test func aPhotoHasTheRunningTimeOfItsFrames() throws {
        let (pipeline, source, sink) = try stream(through: "rawfusion frames=2", isTimed: false)
        defer { _ = try? pipeline.setState(.null) }
        // The segment is stated again after a stop.
        for _ in 0..<2 {
            try pipeline.setState(.ready)
            try pipeline.setState(.playing)
            for (number, start) in [(200, 20), (201, 20), (300, 30), (301, 30)] as [(Int, UInt64)] {
                try source.push(Sample(frame(number), caps: nil, segment: Segment(start: start * 1_000_000_000)))
            }
            for time in [20.1, 30.1] {
                let found = sink.nextSample(timeout: .seconds(60))
                let photo = try #require(found)
                let timestamp = photo.buffer?.presentationTime
                #expect(timestamp == UInt64(time * 1e9))
                #expect(photo.segment?.runningTime(of: timestamp ?? 0) == 100_000_000)
            }
        }
    }

    /// The gap with which the sinks of photos preroll is at the running time of its frame, too: a sink that waits for
    /// it would hold the photo back.
    @Test func aGapHasTheRunningTimeOfItsFrame() throws {
        let (pipeline, source, sink) = try stream(through: "rawshutter name=shutter ! rawfusion", isTimed: true)
        defer { _ = try? pipeline.setState(.null) }
        let shutter = try #require(pipeline.element(named: "shutter"))
        try pipeline.setState(.playing)
        let segment = Segment(start: 60_000_000_000)
        try source.push(Sample(frame(600), caps: nil, segment: segment))
        #expect(pipeline.state(timeout: .seconds(20)) == .playing)
        let _: UInt64 = try shutter.emit("capture", Structure("capture", ["frames": .uint(1)]))
        for number in 601..<604 { try source.push(Sample(frame(number), caps: nil, segment: segment)) }
        #expect(sink.nextSample(timeout: .seconds(30)) != nil, "the photo came a minute late")
    }

    /// The photo of an incomplete burst has the time of its last frame, as others have.
    @Test func theLastPhotoHasATime() throws {
        let harness = try harness(frames: 4)
        for number in 1...3 { harness.push(try frame(number)) }
        harness.push(.endOfStream())
        guard let photo = harness.waitAndPull() else { throw GStreamerError(message: "no photo came out") }
        let (time, duration) = (photo.presentationTime, photo.duration)
        #expect(time == 300_000_000 && duration == 100_000_000)
    }

    /// A change of the format ends a burst; the next one begins with the first frame of the new format.
    @Test func aChangeOfTheFormatEndsABurst() throws {
        let harness = try harness(frames: 3)
        for number in 0..<2 { harness.push(try frame(number)) }
        harness.send(caps: caps("bggr"))
        for number in 2..<5 { harness.push(try frame(number)) }
        let times = [harness.waitAndPull()?.presentationTime, harness.waitAndPull()?.presentationTime]
        #expect(times == [100_000_000, 400_000_000])
    }

    /// A flush stop without a flush start, as some sources send it, returns.
    @Test func aFlushStopAloneReturns() throws {
        let harness = try harness(frames: 2)
        harness.push(try frame(0))
        harness.push(.flushStop(resetTime: true))
        harness.send(caps: caps())
        for number in 1..<3 { harness.push(try frame(number)) }
        #expect(harness.waitAndPull()?.presentationTime == 200_000_000)
    }
}
