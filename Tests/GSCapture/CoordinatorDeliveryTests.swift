import Dispatch
import Synchronization
import TestClocks
import Testing

@testable import GSCapture

/// The calls of a coordinator's delegate, and the requests on their way to the output.
@Suite(.timeLimit(.minutes(10)), .serialized) struct CoordinatorDeliveryTests {
    /// While the delegate's queue is busy, newer values replace each other instead of piling up.
    @Test func aSlowDelegateReceivesTheNewestValue() async throws {
        let camera = try await SmallCamera()
        camera.output.isResponsiveCaptureEnabled = false
        let (delegate, queue) = (CountingDelegate(), DispatchQueue(label: "slow"))
        let coordinator = PhotoReadinessCoordinator(camera.output)
        queue.suspend()
        coordinator.setDelegate(delegate, on: queue)
        let settings = camera.settings(frames: 2)
        for _ in 0..<100 {
            coordinator.startTrackingCaptureRequest(using: settings)
            await Task.yield()
            coordinator.stopTrackingCaptureRequest(using: settings.uniqueID)
            await Task.yield()
        }
        coordinator.startTrackingCaptureRequest(using: settings)
        queue.resume()
        #expect(await reached { delegate.calls.withLock { $0.last } == .notReadyWaitingForCapture })
        #expect(delegate.calls.withLock { $0.count } <= 3)
        await camera.session.stopRunning()
    }

    @TaskLocal private static var isPressing = false

    /// During the press a tracked request is still counted as one to come, because the shutter does not count it yet.
    @Test func aRequestIsCountedThroughoutItsPress() async throws {
        let camera = try await SmallCamera()
        let (output, settings) = (camera.output, camera.settings(frames: 1))
        let answers = Answers()
        let observer = output.readiness.observe {
            guard Self.isPressing else { return }
            answers.list.withLock { $0.append(output.hasCaptured(settings.uniqueID)) }
        }
        let capture = try Self.$isPressing.withValue(true) { try output.capturePhoto(with: settings) }
        output.readiness.remove(observer: observer)
        let list = answers.list.withLock { $0 }
        #expect(list.count >= 2)
        #expect(list.last == true)
        #expect(!list.dropLast().contains(true))
        #expect(await camera.error(of: capture) == nil)
        await camera.session.stopRunning()
    }
}

private final class CountingDelegate: PhotoReadinessDelegate {
    let calls = Mutex<[CaptureReadiness]>([])

    func readinessCoordinator(
        _ coordinator: PhotoReadinessCoordinator, captureReadinessDidChange readiness: CaptureReadiness
    ) {
        calls.withLock { $0.append(readiness) }
    }
}

private final class Answers: Sendable {
    let list = Mutex<[Bool]>([])
}
