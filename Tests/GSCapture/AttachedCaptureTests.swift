import GStreamer
import TestClocks
import Testing

@testable import GSCapture

/// Captures of an attached output while the output, its branch or the host changes.
@Suite(.timeLimit(.minutes(10))) struct AttachedCaptureTests {
    private func attached(
        _ camera: String = HostPipeline.simulatedCamera
    ) async throws -> (HostPipeline, PhotoOutput) {
        let host = try HostPipeline(camera)
        try host.play()
        let output = PhotoOutput()
        try await output.attach(toTee: host.tee)
        try #require(await output.becomesReady())
        return (host, output)
    }

    @Test func detachingCancelsCaptures() async throws {
        let (host, output) = try await attached(HostPipeline.slowCamera)
        let capture = try output.capturePhoto(with: PhotoOutput.longSettings())
        #expect(await host.shows(3))
        await output.detach()
        let end = try #require(await result { await capture.end } ?? nil)
        #expect(end.code == .cancelled)
        #expect(end.message == "the output was detached")
        #expect(throws: CaptureError.self) { _ = try output.capturePhoto(with: PhotoOutput.quickSettings()) }
        #expect(output.captureReadiness == .sessionNotRunning)
        #expect(await host.shows(3))
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    @Test func aHostThatStopsEndsCaptures() async throws {
        let (host, output) = try await attached(HostPipeline.slowCamera)
        let capture = try output.capturePhoto(with: PhotoOutput.longSettings())
        #expect(await host.shows(3))
        host.stop()
        #expect(await result { await capture.end } ?? nil != nil)
        #expect(output.captureReadiness != .ready)
        try host.play()
        #expect(await output.becomesReady())
        #expect(try await output.capturePhoto(with: PhotoOutput.quickSettings()).photos.count == 1)
        await output.detach()
        host.stop()
    }

    /// The output keeps neither the host's pipeline nor its tee alive.
    @Test func aHostThatIsReleasedEndsCaptures() async throws {
        var (host, output): (HostPipeline?, PhotoOutput) = try await attached(HostPipeline.slowCamera)
        let capture = try output.capturePhoto(with: PhotoOutput.longSettings())
        let tee = host?.tee
        host = nil
        #expect(await result { await capture.end } ?? nil != nil)
        #expect(await reached { tee?.parentBin == nil })
        #expect(output.isAttached)
        await output.detach()
        #expect(!output.isAttached)
    }

    @Test func anOutputThatIsReleasedLeavesTheHost() async throws {
        var (host, output): (HostPipeline, PhotoOutput?) = try await attached()
        weak let branch = output?.attachment.branch
        let capture = try output?.capturePhoto(with: PhotoOutput.longSettings())
        output = nil
        #expect(await result { await capture?.end } ?? nil != nil)
        #expect(await reached { host.branches == 1 && branch == nil })
        #expect(await host.shows(3))
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    @Test func cancellingEndsACapture() async throws {
        let (host, output) = try await attached(HostPipeline.slowCamera)
        let capture = try output.capturePhoto(with: PhotoOutput.longSettings())
        capture.cancel()
        let end = await result { await capture.end } ?? nil
        #expect(end?.code == .cancelled)
        #expect(await output.becomesReady())
        await output.detach()
        host.stop()
    }

    @Test func preparedSettingsAndOptionsReachTheShutter() async throws {
        let (host, output) = try await attached()
        output.maxQueuedBytes = 64 << 20
        output.isZeroShutterLagEnabled = false
        var settings = PhotoOutput.quickSettings()
        settings.frames = 5
        #expect(try await output.setPreparedPhotoSettings([settings]))
        let branch = try #require(output.attachment.branch)
        #expect(try branch.control?.get("max-queued", as: Int.self) == 64)
        #expect(try branch.shutter?.get("zero-shutter-lag", as: Bool.self) == false)
        #expect(try branch.shutter?.get("ring-frames", as: Int.self) ?? 0 >= 5)
        await output.detach()
        host.stop()
    }

    // MARK: - The stream of the host

    @Test func aNewFormatOfTheHostIsTaken() async throws {
        let host = try HostPipeline(HostPipeline.testCamera)
        try host.play()
        let output = PhotoOutput()
        try await output.attach(toTee: host.tee)
        try #require(await output.becomesReady())
        let first = try output.capturePhoto(with: PhotoOutput.longSettings())
        let filter = try #require(host.pipeline.element(named: "format"))
        try filter.set("caps", "video/x-bayer,format=rggb,width=96,height=72,framerate=50/1")
        #expect(await result { await first.end } != nil)
        let size = PhotoDimensions(width: 96, height: 72)
        #expect(await reached { output.maxPhotoDimensions == size && output.captureReadiness == .ready })
        let photos = try await output.capturePhoto(with: PhotoOutput.quickSettings()).photos
        #expect(photos.first?.resolvedSettings.dimensions[.processed(.jpeg)] == size)
        await output.detach()
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    /// A flush that reaches the branch in mid-capture ends the capture at the latest with the output's next detach, and
    /// later captures work.
    @Test func aFlushIsSurvived() async throws {
        let (host, output) = try await attached()
        let capture = try output.capturePhoto(with: PhotoOutput.longSettings())
        let pad = try #require(host.tee.pads.last { $0.isSource })
        let input = try #require(pad.peer)
        for _ in 0..<3 {
            pad.unlink(from: input)
            input.send(.flushStart())
            input.send(.flushStop(resetTime: false))
            // A new link repeats the segment, which a flush removes.
            try pad.link(to: input)
            #expect(await host.shows(2))
        }
        capture.cancel()
        #expect(await result { await capture.end } != nil)
        #expect(await output.becomesReady())
        let photos = try await output.capturePhoto(with: PhotoOutput.quickSettings()).photos
        #expect(photos.count == 1)
        await output.detach()
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    // MARK: - Several outputs and hosts

    @Test func twoOutputsShareATee() async throws {
        let (host, first) = try await attached()
        let second = PhotoOutput()
        second.processedFormats = [.png]
        try await second.attach(toTee: host.tee)
        #expect(await second.becomesReady())
        var settings = PhotoSettings(processed: [.png])
        settings.frames = 1
        settings.momentTolerance = .seconds(60)
        let (one, two) = (
            try first.capturePhoto(with: PhotoOutput.quickSettings()), try second.capturePhoto(with: settings)
        )
        #expect(try await one.photos.map(\.format) == [.processed(.jpeg)])
        #expect(try await two.photos.map(\.format) == [.processed(.png)])
        await first.detach()
        #expect(try await second.capturePhoto(with: PhotoSettings(from: settings)).photos.count == 1)
        await second.detach()
        #expect(host.branches == 1)
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    @Test func fourHostsInOneProcess() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let (host, output) = try await attached()
                    for _ in 0..<2 {
                        let photos = try await output.capturePhoto(with: PhotoOutput.quickSettings()).photos
                        #expect(photos.count == 1)
                    }
                    await output.detach()
                    #expect(host.lostFrames.isEmpty)
                    host.stop()
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - Many changes

    /// Half of the cycles are in mid-capture. `Benchmarks attach` runs a thousand, and measures them.
    @Test func cyclesLoseNoFrameAndEndEveryCapture() async throws {
        let host = try HostPipeline(HostPipeline.slowCamera)
        try host.play()
        let output = PhotoOutput()
        for cycle in 0..<30 {
            try await output.attach(toTee: host.tee)
            var capture: PhotoCapture?
            if cycle.isMultiple(of: 2), await output.becomesReady() {
                capture = try output.capturePhoto(with: PhotoOutput.longSettings())
            }
            await output.detach()
            if let capture {
                let end = await result { await capture.end } ?? nil
                #expect(end?.code == .cancelled)
            }
        }
        #expect(host.branches == 1)
        #expect(await host.shows(3))
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    @Test func callsFromManyTasksAreCarriedOutInTurn() async throws {
        let host = try HostPipeline()
        try host.play()
        let output = PhotoOutput()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<24 {
                group.addTask {
                    switch index % 3 {
                    case 0: try? await output.attach(toTee: host.tee)
                    case 1: await output.detach()
                    default: _ = try? output.capturePhoto(with: PhotoOutput.quickSettings())
                    }
                }
            }
        }
        #expect(output.attachment.phase == (host.branches == 2 ? .attached : .detached))
        await output.detach()
        #expect(host.branches == 1)
        #expect(output.queueDepth == 0)
        #expect(await host.shows(3))
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }
}
