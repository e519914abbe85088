import GSCapture
import RawImage
import Testing

/// The coordinator, fast-capture prioritization, prepared settings, and the switch for zero shutter lag.
@Suite(.timeLimit(.minutes(10)), .serialized) struct ResponsiveCaptureTests {
    // MARK: - Coordinator

    @Test func aTrackedRequestCounts() async throws {
        let camera = try await SmallCamera()
        let output = camera.output
        let coordinator = PhotoReadinessCoordinator(output)
        #expect(coordinator.captureReadiness == .ready)
        output.isResponsiveCaptureEnabled = false
        let settings = camera.settings(frames: 2)
        coordinator.startTrackingCaptureRequest(using: settings)
        #expect(coordinator.captureReadiness == .notReadyWaitingForCapture)
        #expect(output.captureReadiness == .ready)
        coordinator.stopTrackingCaptureRequest(using: settings.uniqueID)
        #expect(coordinator.captureReadiness == .ready)
        coordinator.startTrackingCaptureRequest(using: settings)
        #expect(await camera.error(of: try output.capturePhoto(with: settings)) == nil)
        #expect(coordinator.captureReadiness == .ready)
        await camera.session.stopRunning()
        #expect(coordinator.captureReadiness == .sessionNotRunning)
    }

    @Test func trackedRequestsNeedMemory() async throws {
        let camera = try await SmallCamera()
        // 27 frames.
        camera.output.maxQueuedBytes = 1 << 20
        let coordinator = PhotoReadinessCoordinator(camera.output)
        let settings = camera.settings(frames: 20)
        coordinator.startTrackingCaptureRequest(using: settings)
        #expect(coordinator.captureReadiness == .notReadyWaitingForProcessing)
        #expect(camera.output.captureReadiness == .ready)
        var updates = coordinator.captureReadinessUpdates.makeAsyncIterator()
        #expect(await updates.next() == .notReadyWaitingForProcessing)
        coordinator.stopTrackingCaptureRequest(using: settings.uniqueID)
        #expect(await updates.next() == .ready)
        await camera.session.stopRunning()
    }

    @Test func theDelegateIsCalledForEachChange() async throws {
        let camera = try await SmallCamera()
        let delegate = ReadinessDelegate()
        let coordinator = PhotoReadinessCoordinator(camera.output)
        coordinator.setDelegate(delegate)
        var calls = delegate.calls.makeAsyncIterator()
        #expect(await calls.next() == .ready)
        await camera.session.stopRunning()
        #expect(await calls.next() == .sessionNotRunning)
        coordinator.setDelegate(nil)
    }

    // MARK: - Fast-capture prioritization

    @Test func fastCapturesLowerTheQuality() async throws {
        let camera = try await SmallCamera()
        let output = camera.output
        #expect(try await frames(camera, 2) == [12, 12])
        output.isFastCapturePrioritizationEnabled = true
        #expect(try await frames(camera, 4) == [12, 8, 4, 4])
        // All are finished, so the quality is that of the settings again.
        #expect(try await frames(camera, 1) == [12])
        await camera.session.stopRunning()
    }

    /// Returns the numbers of frames of captures that are pressed at once, after their ends.
    private func frames(_ camera: SmallCamera, _ count: Int) async throws -> [Int] {
        // The first capture waits for frames of the camera, because the ring has fewer than twelve.
        let captures = try (0..<count).map { _ in
            try camera.output.capturePhoto(with: camera.settings(frames: nil))
        }
        for capture in captures { #expect(await camera.error(of: capture) == nil) }
        return captures.map(\.resolvedSettings.frames)
    }

    @Test func bayerKeepsItsQuality() async throws {
        let camera = try await SmallCamera()
        camera.output.isFastCapturePrioritizationEnabled = true
        let long = try camera.output.capturePhoto(with: camera.settings(frames: 12))
        let bayer = try camera.output.capturePhoto(with: PhotoSettings(raw: [.bayer]))
        #expect(bayer.resolvedSettings.frames == 1)
        #expect(await camera.error(of: bayer) == nil)
        #expect(await camera.error(of: long) == nil)
        await camera.session.stopRunning()
    }

    // MARK: - Prepared settings

    /// The first burst after the preparation consists of frames from before the press.
    @Test func aPreparedBurstIsInTheRing() async throws {
        let camera = try await SmallCamera()
        var settings = PhotoSettings(raw: [.bayer])
        settings.frames = 20
        settings.everyFrame = true
        settings.momentTolerance = .seconds(100)
        #expect(try await camera.output.setPreparedPhotoSettings([settings]))
        #expect(camera.output.preparedPhotoSettings == [settings])
        let photos = try await camera.output.capturePhoto(with: settings).photos
        let lags = photos.compactMap { $0.metadata?.capture?.lag }
        #expect(lags.count == 20)
        // The reference may be half a period after the press; the others are before it.
        #expect(lags.allSatisfy { $0 < 1 / 30 }, "\(lags)")
        #expect(try await camera.output.setPreparedPhotoSettings([]))
        #expect(camera.output.preparedPhotoSettings.isEmpty)
        await camera.session.stopRunning()
    }

    @Test func settingsPreparedBeforeTheStartApplyAtTheStart() async throws {
        let camera = try await SmallCamera(starts: false)
        let settings = camera.settings(frames: 16)
        #expect(try await !camera.output.setPreparedPhotoSettings([settings]))
        try await camera.start()
        #expect(camera.output.preparedPhotoSettings == [settings])
        #expect(try await camera.output.setPreparedPhotoSettings([settings]))
        #expect(await camera.error(of: try camera.output.capturePhoto(with: settings)) == nil)
        await camera.session.stopRunning()
    }

    @Test func settingsAboveTheBudgetAreNotPrepared() async throws {
        let camera = try await SmallCamera()
        camera.output.maxQueuedBytes = 1 << 20
        #expect(try await !camera.output.setPreparedPhotoSettings([camera.settings(frames: 64)]))
        #expect(camera.output.preparedPhotoSettings.isEmpty)
        #expect(camera.output.captureReadiness == .ready)
        let error = await #expect(throws: CaptureError.self) {
            try await camera.output.setPreparedPhotoSettings([PhotoSettings()])
        }
        #expect(error?.code == .nothingRequested)
        await camera.session.stopRunning()
    }

    // MARK: - Zero shutter lag

    @Test func withoutZeroShutterLagTheFrameIsFromAfterThePress() async throws {
        let camera = try await SmallCamera(starts: false)
        #expect(camera.output.isZeroShutterLagEnabled)
        camera.output.isZeroShutterLagEnabled = false
        try await camera.start()
        // A press before the first frame has no instant.
        while camera.session.framesSeen == 0 { await Task.yield() }
        for _ in 0..<3 {
            let photos = try await camera.output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos
            let lag = try #require(photos.first?.metadata?.capture?.lag)
            #expect(lag > 0)
        }
        #expect(!camera.output.isZeroShutterLagEnabled)
        await camera.session.stopRunning()
    }
}

/// Records the calls of a readiness delegate as a stream.
private final class ReadinessDelegate: PhotoReadinessDelegate {
    let calls: AsyncStream<CaptureReadiness>
    private let continuation: AsyncStream<CaptureReadiness>.Continuation

    init() { (calls, continuation) = AsyncStream<CaptureReadiness>.makeStream() }

    func readinessCoordinator(
        _ coordinator: PhotoReadinessCoordinator, captureReadinessDidChange readiness: CaptureReadiness
    ) {
        continuation.yield(readiness)
    }
}
