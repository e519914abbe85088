import CHarness
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// `rawfusion`: settings, fusion report, failures and stopping.
@Suite(.timeLimit(.minutes(10)), .serialized) struct FusionTests {
    init() throws { try GscapPlugin.register() }

    private func bayer(_ width: Int, _ height: Int) -> String {
        "video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=10/1"
    }

    /// Returns a frame of a fixed scene with noise that depends on the frame number.
    private func frame(_ number: Int, tag: CaptureTag? = nil, width: Int = 128, height: Int = 96) throws -> Buffer {
        var buffer = try Buffer(size: width * height * 2)
        buffer.withMutableValues(of: UInt16.self) { codes in
            var noise = UInt32(number &* 2_654_435 &+ 1)
            for index in codes.indices {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let (row, column) = (index / width, index % width)
                let scene = 600 + (row / 12 + column / 12) % 5 * 500
                codes[index] = UInt16(scene + Int(noise >> 27))
            }
        }
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.noise = [NoiseProfile(shot: 1e-4, read: 4e-6)]
        metadata.frameNumber = UInt64(number)
        metadata.sensorDigests = ["\(number)"]
        metadata.capture = tag
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = UInt64(number) * 100_000_000
        return buffer
    }

    private func harness(_ setUp: (Element) throws -> Void = { _ in }) throws -> Harness {
        let element = try Element(factory: "rawfusion")
        try setUp(element)
        let harness = try Harness(element)
        harness.send(caps: bayer(128, 96))
        return harness
    }

    /// Pushes a burst of six frames and returns the fusion report of its photo.
    private func report(_ harness: Harness, id: UInt64, mode: String? = nil) throws -> FusionReport {
        let kind = try FrameCustomMeta.kind()
        for index in 0..<6 {
            var frame = try frame(index, tag: CaptureTag(id: id, index: index, count: 6))
            let carried = frame.structure(of: kind)
            var fields = try #require(carried)
            fields["capture-fusion-mode"] = mode.map(Value.string)
            frame.setStructure(fields, of: kind)
            harness.push(frame)
        }
        let photo = harness.waitAndPull()?.frameMetadata
        return try #require(photo?.fusion)
    }

    /// A host plays a recording to its end, seeks, and takes further photos. The fault: the inner appsrc stayed at its
    /// end, so that every later photo was lost.
    @Test func aStreamAfterTheEndIsFused() throws {
        let harness = try harness()
        let ended = Gate()
        _ = try #require(harness.element.pad("src")).addEventProbe(.downstream) { event in
            if event.kind == .endOfStream { ended.open() }
            return .pass
        }
        #expect(try report(harness, id: 1).usedFrames == 6)
        let upstream = try #require(harness.element.pad("sink")?.peer)
        _ = upstream.push(.endOfStream())
        ended.wait()
        _ = upstream.push(.flushStart())
        _ = upstream.push(.flushStop(resetTime: true))
        harness.send(caps: bayer(128, 96))
        #expect(try report(harness, id: 2).usedFrames == 6)
    }

    @Test func aReportSurvivesTheBufferMetadata() throws {
        var report = FusionReport()
        report.frames = [
            .init(index: 0, mergedShare: 1),
            .init(index: 1, rejection: "too dark", motion: SIMD2(1.5, -2), mergedShare: 0.25),
        ]
        report.reference = 1
        report.effectiveFrames = 1.5
        report.leastEffectiveFrames = 1.1
        report.effectiveFramesMap = EffectiveFramesMap(columns: 2, rows: 1, values: [1.5, 1.25])
        report.expectedNoiseGain = 3
        report.measuredNoiseGain = 2.9
        report.repairedPixels = 5
        report.superResolvedFraction = 0.125
        report.superResolutionScale = 2
        report.denoising = 0.5
        report.teleUsedFraction = 0.25
        report.teleEnlargement = 1.5
        report.add(0.1, to: "alignment")
        var metadata = FrameMetadata()
        metadata.fusion = report
        var buffer = try Buffer(size: 4)
        try buffer.setFrameMetadata(metadata)
        #expect(buffer.frameMetadata?.fusion == report)
        metadata.fusion = nil
        try buffer.setFrameMetadata(metadata)
        #expect(buffer.frameMetadata?.fusion == nil)
        let message = CaptureMessage.fused(id: 7, report: report)
        #expect(CaptureMessage(message.structure) == message)
    }

    @Test func settingsCountFromTheNextBurstOn() throws {
        let element = try Element(factory: "rawfusion")
        let harness = try Harness(element)
        harness.send(caps: bayer(128, 96))
        let first = try report(harness, id: 1)
        #expect(first.frames.map(\.index) == [0, 1, 2, 3, 4, 5])
        #expect(first.usedFrames == 6)
        // Properties changed in the middle of a burst apply to the next burst.
        for index in 0..<2 { harness.push(try frame(index, tag: CaptureTag(id: 2, index: index, count: 6))) }
        try element.set("mode", "speed")
        try element.set("reference", 3)
        for index in 2..<6 { harness.push(try frame(index, tag: CaptureTag(id: 2, index: index, count: 6))) }
        #expect(harness.waitAndPull()?.frameMetadata?.fusion?.usedFrames == 6)
        let third = try report(harness, id: 3)
        #expect(third.usedFrames == 4)
        #expect(third.reference == 3)
        #expect(third.frames.compactMap(\.rejection).allSatisfy { $0.contains("speed") })
    }

    @Test func aCaptureMayHaveItsOwnMode() throws {
        let harness = try harness()
        #expect(try report(harness, id: 1, mode: "speed").usedFrames == 4)
        #expect(try report(harness, id: 2).usedFrames == 6)
        #expect(try report(harness, id: 3, mode: "a future mode").usedFrames == 6)
    }

    @Test func withoutStrengthNothingIsMerged() throws {
        let harness = try harness { try $0.set("strength", 0.0) }
        let report = try report(harness, id: 1)
        #expect(report.frames.dropFirst().allSatisfy { $0.mergedShare < 0.01 })
        #expect(report.effectiveFrames < 1.1)
    }

    /// Returns a playing pipeline with a fusion, its source and sink, and the ids of the captures that failed.
    private func pipeline(
        _ width: Int, _ height: Int
    ) throws -> (pipeline: Pipeline, source: AppSrc, photos: AppSink, failed: @Sendable () -> [UInt64]) {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time caps=\"\(bayer(width, height))\" ! rawfusion name=fusion "
                + "! appsink name=out sync=false async=false")
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        let failures = Failures()
        pipeline.bus.setHandler { message in
            guard case .element(let structure) = message.kind,
                case .photo(let id, _, _, .some)? = CaptureMessage(structure)
            else { return }
            failures.add(id)
        }
        try pipeline.setState(.playing)
        return (pipeline, source, sink, { failures.all })
    }

    /// Returns the metadata of the next photo.
    private func next(_ photos: AppSink) -> FrameMetadata? {
        photos.nextSample(timeout: .seconds(20))?.buffer?.frameMetadata
    }

    private final class Failures: Sendable {
        private let ids = Mutex<[UInt64]>([])

        func add(_ id: UInt64) { ids.withLock { $0.append(id) } }

        var all: [UInt64] { ids.withLock { $0 } }
    }

    /// An end of stream sent to the pipeline, as `gst-launch-1.0 -e` does, reaches the sources only, not the appsink
    /// inside rawfusion: it follows the burst that is being fused.
    @Test func anEndOfStreamSentToThePipelineFollowsTheBurst() async throws {
        let (pipeline, source, photos, failed) = try pipeline(512, 384)
        let entrance = try #require(pipeline.element(named: "fusion")?.pad("sink"))
        let received = Mutex(0)
        let last = Gate()
        _ = entrance.addBufferProbe { _ in
            let count = received.withLock { (count: inout Int) -> Int in
                count += 1
                return count
            }
            if count == 6 { last.open() }
            return .pass
        }
        for index in 0..<6 {
            try source.push(frame(index, tag: CaptureTag(id: 1, index: index, count: 6), width: 512, height: 384))
        }
        last.wait()
        #expect(pipeline.send(.endOfStream()))
        #expect(try #require(next(photos)).capture?.id == 1)
        #expect(failed().isEmpty)
        try pipeline.setState(.null)
    }

    @Test func anIncompleteBurstIsReported() async throws {
        let (pipeline, source, photos, failed) = try pipeline(128, 96)
        for index in 0..<3 { try source.push(frame(index, tag: CaptureTag(id: 1, index: index, count: 6))) }
        for index in 0..<6 { try source.push(frame(index, tag: CaptureTag(id: 2, index: index, count: 6))) }
        let photo = try #require(next(photos))
        #expect(photo.capture?.id == 2)
        #expect(photo.sensorDigests == ["0", "1", "2", "3", "4", "5"])
        #expect(failed() == [1])
        try pipeline.setState(.null)
    }

    @Test func aBurstWithABadFrameFailsOnceAndTheNextIsWhole() throws {
        let (pipeline, source, photos, failed) = try pipeline(128, 96)
        for index in 0..<6 {
            var buffer = try frame(index, tag: CaptureTag(id: 1, index: index, count: 6))
            if index == 2, var metadata = buffer.frameMetadata {
                metadata.whiteLevel = 0
                try buffer.setFrameMetadata(metadata)
            }
            try source.push(buffer)
        }
        for index in 0..<6 { try source.push(frame(index, tag: CaptureTag(id: 2, index: index, count: 6))) }
        let photo = try #require(next(photos))
        #expect(photo.capture?.id == 2)
        #expect(failed() == [1])
        try pipeline.setState(.null)
    }

    /// With the eighth frame as the reference, aligning and merging the whole burst happens in one step, when the last
    /// frame arrives; with the first, after each frame from the third on. Tests/Fusion proves that every stage can be
    /// cancelled; this test, that stopping the pipeline cancels instead of waiting for the work to end.
    @Test(arguments: [(reference: 0, merged: 3), (7, 7)])
    func stoppingDoesNotWaitForTheWork(reference: Int, merged: Int) throws {
        let (width, height) = (4032, 3024)
        let (pipeline, source, _, _) = try pipeline(width, height)
        try #require(pipeline.element(named: "fusion")).set("reference", .int(Int32(reference)))
        let reports = Mutex<[CaptureMessage]>([])
        let (step, stop) = (Gate(), Gate())
        pipeline.bus.setHandler { message in
            // The element cancels its work before it stops the elements inside. On a busy machine, messages of their
            // start may come as late.
            if message.bins.contains("fusion"), step.isOpen {
                switch message.kind {
                case .stateChanged(from: .playing, _), .stateChanged(from: .paused, to: .ready): stop.open()
                default: break
                }
            }
            guard case .element(let structure) = message.kind, let report = CaptureMessage(structure) else { return }
            reports.withLock { $0.append(report) }
            guard report == .fusing(id: 1, merged: merged, count: 8) else { return }
            step.open()
            // The same thread begins the next step as soon as this handler returns.
            stop.wait()
        }
        let still = try frame(0, width: width, height: height)
        for index in 0..<8 {
            var copy = try still.copySharingMemory()
            var metadata = copy.frameMetadata ?? FrameMetadata()
            metadata.capture = CaptureTag(id: 1, index: index, count: 8)
            try copy.setFrameMetadata(metadata)
            try source.push(copy)
        }
        step.wait()
        try pipeline.setState(.null)
        // If the pipeline waited for the step, the step would end and report the merged burst.
        let all = reports.withLock { $0 }
        #expect(!all.contains(.fusing(id: 1, merged: 8, count: 8)), "\(all)")
        #expect(!all.contains { if case .fused = $0 { true } else { false } }, "\(all)")
        #expect(all.count { if case .photo(1, _, _, .some) = $0 { true } else { false } } == 1, "\(all)")
    }
}
