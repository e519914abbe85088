import Dispatch
import Foundation
import GStreamer
import RandomSequences
import TestClocks
import Testing

@testable import GSCapture

/// A random sequence of calls of a session and its photo output, and the check of their contract. The seed determines
/// the calls, but not how they fall between the frames of the camera.
actor SequenceRun {
    let kind: SequenceKind
    let camera = SequenceCamera()
    /// The tele camera of a virtual device.
    let tele = SequenceCamera()
    /// The folder of the jobs of captures with deferred delivery.
    let jobs = FileManager.default.temporaryDirectory.appending(path: "gscap-jobs-\(UUID().uuidString)")
    let queue = DispatchQueue(label: "gscap.sequence")
    var random: SeededRandom
    var session: CaptureSession?
    var output: PhotoOutput?

    /// The calls so far, for the message of a violation.
    var calls: [String] = []
    var violations: [String] = []
    var presses: [AcceptedPress] = []
    /// Delegates of presses that were refused, which must not be called.
    var refusedDelegates: [RecordingDelegate] = []
    /// The outputs of frames in the session.
    var frameOutputs: [FrameOutput] = []
    /// Reads, preparations and other calls that must end.
    var pending: [(name: String, task: Task<Void, Never>)] = []
    var engines: [CaptureEngine] = []
    private var pipelines: [WeakReference] = []

    private struct WeakReference {
        weak var pipeline: (any PhotoPipeline)?
    }

    init(seed: UInt64) {
        random = SeededRandom(seed)
        kind = RandomSettings.pick(SequenceKind.allCases, &random)
    }

    var report: String { "\(kind): \(violations.joined(separator: "; ")) — \(calls.joined(separator: ", "))" }

    /// Makes the calls, and checks the contract.
    func carryOut() async {
        do { try prepare() } catch { return violations.append("preparation: \(error)") }
        await start()
        for _ in 0..<Int.random(in: 8...14, using: &random) { await step() }
        await finish()
    }

    private func prepare() throws {
        let output = PhotoOutput()
        if kind.isPlan {
            let behindCamera =
                kind == .failing
                ? "identity error-after=40"
                : RandomSettings.pick(["identity", "identity", "identity drop-probability=0.5"], &random)
            let filter = RandomSettings.pick(
                ["identity error-after=2", "identity drop-probability=0.3", "identity drop-probability=1"], &random)
            calls.append("plan \(behindCamera), \(filter)")
            session = CaptureSession(plan: try SequenceCamera.plan(camera: behindCamera, jpeg: filter))
        } else {
            let session = CaptureSession()
            session.recoveryWaits = RecoveryWaits(
                first: .milliseconds(10), longest: .milliseconds(40), frames: kind == .stalling ? 0.5 : 10)
            let device =
                kind == .virtual
                ? try camera.virtualDevice(tele: tele)
                : camera.device(settings: kind == .stalling ? "drop=0.7" : "")
            try session.add(CaptureDeviceInput(device: device))
            output.isProRAWEnabled = Bool.random(using: &random)
            output.deferredFolder = jobs.path
            output.isLivePhotoCaptureEnabled = kind == .live
            self.session = session
        }
        try session?.add(output)
        self.output = output
        for events in [session?.events, session?.events].compactMap({ $0 }) {
            // The stream was taken before the start, and ends with the session.
            pending.append(("the stream of the session's events", Task { for await _ in events {} }))
        }
    }

    func check(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append("after call \(calls.count): \(violation())") }
    }

    /// Notes the pipeline in use, whose captures must be over at the end.
    func notePipeline() {
        guard let running = output?.running, !engines.contains(where: { $0 === running.engine }) else { return }
        engines.append(running.engine)
        pipelines.append(WeakReference(pipeline: running))
    }

    // MARK: - The end

    private func finish() async {
        notePipeline()
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            calls.append("wait, stop")
            await checkPresses()
            await takeLastPhoto()
            await stop()
        case 1:
            calls.append("stop, wait")
            await stop()
            await checkPresses()
            await takeLastPhoto()
            await stop()
        default:
            calls.append("release, wait")
            release()
            await checkPresses()
        }
        check(output?.queueDepth ?? 0 == 0, "queueDepth is \(output?.queueDepth ?? 0)")
        release()
        for item in pending {
            let hasEnded = await ends { await item.task.value }
            check(hasEnded, "\(item.name) did not end")
        }
        // A task that was cancelled does not wait for the end of its capture.
        let areOver = await reached {
            engines.allSatisfy { $0.pending == 0 && $0.activity.summary.unfinished == 0 }
        }
        let unfinished = engines.map { ($0.pending, $0.activity.summary.unfinished) }
        check(areOver, "unfinished captures in an engine: \(unfinished)")
        await checkJobs()
        let areReleased = await reached { pipelines.allSatisfy { $0.pipeline == nil } }
        check(areReleased, "a pipeline was not released")
    }

    /// Every job is complete: those of captures that failed are removed, by the thread that stored their last frame.
    private func checkJobs() async {
        let areComplete = await reached { incompleteJobs.isEmpty }
        check(areComplete, "incomplete jobs: \(incompleteJobs)")
        try? FileManager.default.removeItem(at: jobs)
    }

    private var incompleteJobs: [String] {
        let complete = (try? DeferredJob.all(in: jobs.path).map(\.name)) ?? []
        let all = (try? FileManager.default.contentsOfDirectory(atPath: jobs.path)) ?? []
        return Set(all).subtracting(complete).sorted()
    }

    private func release() {
        (session, output, frameOutputs) = (nil, nil, [])
    }

    private func checkPresses() async {
        for press in presses { violations += await press.violations() }
        check(refusedDelegates.allSatisfy(\.records.isEmpty), "the delegate of a refused press was called")
        (presses, refusedDelegates) = ([], [])
    }

    /// After the sequence, the session still takes a photo.
    private func takeLastPhoto() async {
        guard let session, let output, kind != .failing else { return }
        camera.plugIn()
        tele.plugIn()
        try? session.setVideoZoomFactor(1)
        output.isResponsiveCaptureEnabled = true
        output.maxQueuedBytes = 1 << 30
        let end = ContinuousClock.now + .seconds(30)
        var error: (any Error)?
        repeat {
            _ = await result { try? await session.startRunning() }
            notePipeline()
            var settings = PhotoSettings(raw: [.bayer])
            settings.momentTolerance = .seconds(60)
            if kind == .virtual { settings.constituents = ["wide"] }
            do {
                let capture = try output.capturePhoto(with: settings)
                let count = await result { try? await capture.photos.count }
                if count == .some(.some(1)) { return }
                error = CaptureError(.captureFailed, "the last capture has no photo")
            } catch let failure {
                error = failure
            }
            // A camera that was unplugged, or delivered no frames, may be on its way back.
            if kind.mayPause { await TestClocks.pause(20) }
        } while kind.mayPause && ContinuousClock.now < end
        violations.append("no photo after the sequence: \(error.map { "\($0)" } ?? "")")
    }
}
