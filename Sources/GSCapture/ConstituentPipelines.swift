internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization

/// The pipelines of a virtual device's cameras, one each, which measure time by one clock.
///
/// The session's own pipeline is that of the primary camera; the others run beside it. So a camera that fails takes
/// only its own photos with it: the session reports a warning and goes on. *Thread-safe.*
final class ConstituentPipelines: Sendable {
    let plans: [ConstituentPlan]
    /// The pipelines of all cameras but the primary one, in the order of the plans.
    private let others: [RunningPipeline]
    private let primary = Mutex(WeakPrimary())
    private let report: EventReport

    private struct WeakPrimary {
        weak var pipeline: RunningPipeline?
    }

    /// Creates the pipelines of these plans, without starting them; nil if there are none.
    init?(_ plans: [ConstituentPlan], number: Int, report: EventReport) throws(CaptureError) {
        if plans.isEmpty { return nil }
        self.plans = plans
        self.report = report
        var others: [RunningPipeline] = []
        for constituent in plans {
            guard let plan = constituent.plan else { continue }
            others.append(
                try RunningPipeline(plan, number: number, frameOutputs: []) { event in
                    Self.forward(event, of: constituent.name, to: report)
                })
        }
        self.others = others
    }

    /// Reports an event of a camera as one of the session, which goes on.
    private static func forward(_ event: SessionEvent, of name: String, to report: EventReport) {
        switch event {
        case .failed(let error): report.yield(.warning("\(name) takes no more photos: \(error)"))
        case .ended: report.yield(.warning("\(name) takes no more photos: its stream has ended"))
        case .interrupted(let error): report.yield(.warning("\(name): \(error)"))
        case .resumed: report.yield(.warning("\(name) delivers frames again"))
        case .warning(let text): report.yield(.warning("\(name): \(text)"))
        case .progress, .refused: break
        }
    }

    /// Sets the pipeline of the primary camera, which owns this.
    func setPrimary(_ pipeline: RunningPipeline) {
        primary.withLock { $0.pipeline = pipeline }
        for other in others {
            other.engine.changes.setHandler { [weak pipeline] in pipeline?.engine.changes.send() }
        }
    }

    /// The longest time in milliseconds for which the start waits for a first frame of each camera.
    private static let frameLimit = 3000

    /// Starts the pipelines by the clock of the primary one, and waits until each camera has delivered a frame: the
    /// first frames after a press that came earlier would be of different moments. A camera that does not start fails
    /// only its own photos.
    func start(following primary: Pipeline) async {
        await withTaskGroup(of: Void.self) { group in
            for (other, constituent) in zip(others, plans.dropFirst()) {
                group.addTask { [report] in
                    _ = other.pipeline.followTime(of: primary)
                    do throws(CaptureError) { try await other.start() } catch {
                        report.yield(.warning("\(constituent.name) did not start: \(error)"))
                    }
                }
            }
        }
        for _ in 0..<Self.frameLimit / 5 where !hasFrames { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// Whether each camera that runs has delivered a frame.
    private var hasFrames: Bool {
        guard let primary = primary.withLock({ $0.pipeline }), !primary.engine.isClosed else { return true }
        return primary.framesSeen > 0 && !awaitsFrames
    }

    /// Whether a camera that runs has not delivered a frame yet. A camera that has failed, or delivers nothing for too
    /// long, is not waited for.
    var awaitsFrames: Bool {
        others.contains { other in
            other.framesSeen == 0 && !other.engine.isClosed && !other.engine.activity.summary.isInterrupted
        }
    }

    /// Stops the pipelines; unfinished captures fail because of `reason`.
    func stop(because reason: String) async {
        await withTaskGroup(of: Void.self) { group in
            for other in others { group.addTask { await other.stop(because: reason) } }
        }
    }

    /// Ends all captures under way with this error.
    func failAll(_ error: CaptureError) {
        for other in others { other.engine.failAll(error) }
    }
}

// MARK: - Captures

extension ConstituentPipelines {
    /// The instant of a press for all cameras, in nanoseconds of running time.
    private struct Moment {
        /// The instant of the primary camera's frame nearest to the press; the press itself if that is unknown.
        var instant: Int64
        /// The time from one frame of the primary camera to the next; nil if the instant is the press itself.
        var period: Int64?
    }

    /// Presses the shutters of the cameras that the settings name, and returns their captures as one. `admit` throws if
    /// the capture must wait for an earlier one.
    func capture(
        _ settings: PhotoSettings, _ conditions: CaptureConditions, at quality: PhotoQualityPrioritization,
        admit: (ResolvedPhotoSettings) throws(CaptureError) -> Void
    ) throws(CaptureError) -> PhotoCapture {
        guard let primary = primary.withLock({ $0.pipeline }) else {
            throw CaptureError(.sessionNotRunning, "the session was released")
        }
        var single = settings
        single.constituents = []
        let cameras = zip(plans, [primary] + others).filter { settings.constituents.contains($0.0.uniqueID) }
        var resolved = primary.plan.resolve(settings, conditions, at: quality).0
        resolved.expectedPhotoCount *= cameras.count
        resolved.constituents = cameras.map(\.0.uniqueID)
        let joined = ConstituentCapture(resolved, count: cameras.count, of: primary.engine)
        var refusal: CaptureError?
        do throws(CaptureError) { try admit(resolved) } catch { refusal = error }
        let moment = moment(of: primary, settings)
        let children = cameras.map { constituent, pipeline in
            let child = pipeline.begin(single, conditions, at: quality, constituent, primary)
            if let refusal {
                pipeline.engine.fail(child.uniqueID, refusal)
            } else {
                pipeline.press(child, moment.instant, isNearest: resolved.usesZeroShutterLag, like: primary)
            }
            return child.capture
        }
        for (index, (constituent, child)) in zip(cameras.map(\.0), children).enumerated() {
            let part = ConstituentCapture.Part(
                index: index, constituent: constituent, instant: moment.instant, period: moment.period)
            joined.follow(child, part) { [report] in report.yield(.warning($0)) }
        }
        return PhotoCapture(resolved, joined.events, joined.progress) { for child in children { child.cancel() } }
    }

    /// Returns the instant that all cameras aim at. With zero shutter lag it is that of the primary camera's frame
    /// nearest to the press, so that the other cameras' nearest frames are at most half a period from it.
    private func moment(of primary: RunningPipeline, _ settings: PhotoSettings) -> Moment {
        let admission = primary.admission(frames: 1)
        let press = Int64(clamping: primary.engine.now ?? 0)
        let usesPast = settings.zeroShutterLag ?? (try? primary.shutter?.get("zero-shutter-lag", as: Bool.self)) ?? true
        guard usesPast, let newest = admission?.newestInstant, let period = admission?.period, period > 0,
            abs(press - newest) < 4 * period
        else { return Moment(instant: press, period: nil) }
        let periods = (Double(press - newest) / Double(period)).rounded()
        return Moment(instant: max(0, newest + Int64(periods) * period), period: period)
    }
}

/// The capture of one camera of a virtual device, before its press.
private struct ConstituentChild {
    let settings: PhotoSettings
    let resolved: ResolvedPhotoSettings
    let calibration: CameraCalibration
    let capture: PhotoCapture

    var uniqueID: UInt64 { resolved.uniqueID }
}

extension RunningPipeline {
    /// Begins the capture of one camera.
    fileprivate func begin(
        _ single: PhotoSettings, _ conditions: CaptureConditions, at quality: PhotoQualityPrioritization,
        _ constituent: ConstituentPlan, _ primary: RunningPipeline
    ) -> ConstituentChild {
        let settings = PhotoSettings(from: single)
        var conditions = conditions
        update(&conditions)
        let (resolved, owed) = plan.resolve(settings, conditions, at: quality)
        let (events, progress) = engine.begin(resolved, owed: owed, everyFrame: settings.everyFrame)
        // Readiness counts the whole capture, not its parts.
        engine.activity.finish(resolved.uniqueID)
        let size = conditions.frameSize
        let calibration = constituent.calibration
        return ConstituentChild(
            settings: settings, resolved: resolved,
            calibration: size.map { calibration.scaled(width: $0.width, height: $0.height) } ?? calibration,
            capture: PhotoCapture(resolved, events, progress) { [weak self] in self?.cancel(resolved.uniqueID) })
    }

    /// Presses the shutter of one camera for an instant in nanoseconds of running time. The options of the output,
    /// which are properties of the primary camera's shutter, hold for all.
    fileprivate func press(_ child: ConstituentChild, _ instant: Int64, isNearest: Bool, like primary: RunningPipeline)
    {
        do throws(CaptureError) {
            // Frames that stopped before the capture began end it here; frames that stop later end it as any other.
            if engine.activity.summary.isInterrupted {
                throw CaptureError(.interrupted, "the camera delivers no frames")
            }
            if self !== primary { try copyOptions(of: primary) }
            var request = request(child.settings, child.resolved)
            request["time"] = .uint64(UInt64(max(0, instant)))
            if isNearest { request["nearest"] = .boolean(true) }
            request["camera-geometry"] = .array(child.calibration.numbers.map(Value.double))
            try press(request)
        } catch {
            engine.fail(child.uniqueID, error)
        }
    }

    private func copyOptions(of primary: RunningPipeline) throws(CaptureError) {
        do {
            if let budget = try primary.control?.get("max-queued", as: Int.self) {
                try control?.set("max-queued", .uint(UInt32(clamping: budget)))
            }
            if let zeroLag = try primary.shutter?.get("zero-shutter-lag", as: Bool.self) {
                try shutter?.set("zero-shutter-lag", .boolean(zeroLag))
            }
        } catch {
            throw CaptureError(.captureFailed, error.message, place: error.place, cause: error)
        }
    }
}
