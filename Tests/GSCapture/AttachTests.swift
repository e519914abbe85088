import GSCapture
import GStreamer
import RawImage
import Testing

/// Photos from a pipeline of the application: PhotoOutput.attach and detach.
@Suite(.timeLimit(.minutes(5))) struct AttachTests {
    @Test func aRunningPipelineGivesPhotos() async throws {
        let host = try HostPipeline()
        try host.play()
        #expect(await host.shows(3))
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        try await output.attach(toTee: host.tee)
        #expect(output.isAttached)
        #expect(host.branches == 2)
        #expect(await output.becomesReady())
        #expect(output.availableRAWFormats == [.bayer, .proRAW])
        #expect(output.maxPhotoDimensions == PhotoDimensions(width: 64, height: 48))
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 2
        let photos = try await output.capturePhoto(with: settings).photos
        #expect(Set(photos.map(\.format)) == [.raw(.proRAW), .processed(.jpeg)])
        #expect(photos.allSatisfy { $0.error == nil && $0.metadata?.capture != nil })
        await output.detach()
        #expect(!output.isAttached)
        #expect(host.branches == 1)
        #expect(!host.elements.contains("gscapphotobin"))
        #expect(await host.shows(3))
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    @Test(arguments: [Element.State.null, .ready, .paused, .playing])
    func aPipelineInAnyStateTakesABranch(state: Element.State) async throws {
        let host = try HostPipeline()
        try host.pipeline.setState(state)
        let output = PhotoOutput()
        try await output.attach(toTee: host.tee)
        if state < .paused {
            #expect(output.captureReadiness != .ready)
        }
        try host.play()
        #expect(await output.becomesReady())
        #expect(try await output.capturePhoto(with: PhotoOutput.quickSettings()).photos.count == 1)
        try host.pipeline.setState(state)
        await output.detach()
        #expect(host.branches == 1)
        host.stop()
    }

    @Test func theEventsAreThoseOfASession() async throws {
        let host = try HostPipeline()
        try host.play()
        let output = PhotoOutput()
        try await output.attach(toTee: host.tee)
        #expect(await output.becomesReady())
        let settings = PhotoOutput.quickSettings()
        let capture = try output.capturePhoto(with: settings)
        let press = AcceptedPress(
            capture: capture, settings: settings,
            reader: .events(
                Task {
                    var records: [CaptureRecord] = []
                    for await event in capture.events { records.append(CaptureRecord(event)) }
                    return records
                }))
        #expect(await press.violations().isEmpty)
        #expect(throws: CaptureError.self) { _ = try output.capturePhoto(with: settings) }
        await output.detach()
        host.stop()
    }

    // MARK: - Pads

    @Test func aPadIsFreeAfterwards() async throws {
        let host = try HostPipeline()
        try host.play()
        let pad = try #require(host.tee.requestPad("src_%u"))
        let output = PhotoOutput()
        for _ in 0..<3 {
            try await output.attach(to: pad)
            #expect(pad.isLinked)
            #expect(await output.becomesReady())
            await output.detach()
            #expect(!pad.isLinked && host.branches == 2)
        }
        #expect(await host.shows(3))
        #expect(host.lostFrames.isEmpty)
        host.stop()
    }

    @Test func unsuitablePadsAreRefused() async throws {
        let host = try HostPipeline()
        let output = PhotoOutput()
        let sink = try #require(host.tee.pad("sink"))
        let linked = try #require(host.tee.pads.first { $0.isSource })
        let lonely = try #require(try Element(factory: "tee").requestPad("src_%u"))
        for pad in [sink, linked, lonely] { await expectRefusal { try await output.attach(to: pad) } }
        let screen = try #require(host.pipeline.element(named: "screen"))
        await expectRefusal { try await output.attach(toTee: screen) }
        let rendered = try HostPipeline("videotestsrc is-live=true ! video/x-raw,format=RGB,width=64,height=48")
        try rendered.play()
        #expect(await rendered.shows(1))
        await expectRefusal { try await output.attach(toTee: rendered.tee) }
        #expect(rendered.branches == 1)
        #expect(!output.isAttached)
        // A refusal changes nothing.
        try await output.attach(toTee: host.tee)
        await output.detach()
        rendered.stop()
        host.stop()
    }

    @Test func anOutputHasOnePlace() async throws {
        let host = try HostPipeline()
        let output = PhotoOutput()
        try await output.attach(toTee: host.tee)
        await expectRefusal { try await output.attach(toTee: host.tee) }
        let session = CaptureSession()
        #expect(!session.canAdd(output))
        #expect(throws: CaptureError.self) { try session.add(output) }
        await output.detach()
        await output.detach()
        try session.add(output)
        await expectRefusal { try await output.attach(toTee: host.tee) }
        session.remove(output)
        try await output.attach(toTee: host.tee)
        await output.detach()
    }

    @Test func deferredDeliveryIsRefused() async throws {
        let host = try HostPipeline()
        let output = PhotoOutput()
        output.deferredFolder = "/tmp"
        await expectRefusal(.deferredDeliveryNotSupported) { try await output.attach(toTee: host.tee) }
        #expect(host.branches == 1)
    }

    private func expectRefusal(
        _ code: CaptureError.Code = .cannotAttach, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("the output was attached")
        } catch {
            #expect((error as? CaptureError)?.code == code)
        }
    }
}
