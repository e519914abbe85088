internal import FrameStream
internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization
internal import Waiting

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
    private let clock = WaitClock.current
    /// The zoom factor for which the last warning said that photos are not fused; nil before the first.
    private let unfusedZoom = Mutex<Double?>(nil)

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
            let isOver = AtomicFlag()
            others.append(
                try RunningPipeline(plan, number: number, frameOutputs: []) { event in
                    Self.forward(event, of: constituent.name, isOver, to: report)
                })
        }
        self.others = others
    }

    /// Reports an event of a camera as one of the session, which goes on. `isOver` is raised when the camera fails: the
    /// events that follow are consequences, such as further errors of its elements.
    private static func forward(
        _ event: SessionEvent, of name: String, _ isOver: AtomicFlag, to report: EventReport
    ) {
        if isOver.isRaised { return }
        switch event {
        case .failed(let error):
            if isOver.raise() { report.yield(.warning("\(name) takes no more photos: \(error)")) }
        case .ended:
            if isOver.raise() { report.yield(.warning("\(name) takes no more photos: its stream has ended")) }
        case .interrupted(let error): report.yield(.warning("\(name): \(error)"))
        case .resumed: report.yield(.warning("\(name) delivers frames again"))
        case .warning(let text): report.yield(.warning("\(name): \(text)"))
        case .progress, .previewHidden, .refused: break
        }
    }

    /// Sets the pipeline of the primary camera, which owns this.
    func setPrimary(_ pipeline: RunningPipeline) {
        primary.withLock { $0.pipeline = pipeline }
        for (index, other) in others.enumerated() {
            pipeline.view.feed(index + 1, from: other.pipeline)
            other.engine.changes.setHandler { [weak pipeline] in
                pipeline?.engine.changes.send()
                // A camera that has failed is no longer active.
                pipeline?.updateView()
            }
        }
    }

    /// The longest time for which the start waits for a first frame of each camera, apart from that in which cameras
    /// compute them.
    private static let frameLimit = Duration.seconds(3)

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
        let begin = clock.now
        let changes = self.primary.withLock { $0.pipeline?.engine.changes }
        _ = await changes?.wait(by: clock) { [self] in
            max(begin, lastWork ?? begin) + Self.frameLimit
        } until: {
            hasFrames
        }
    }

    /// When a camera last reported that it computes a frame.
    private var lastWork: WaitClock.Instant? {
        let primary = primary.withLock { $0.pipeline }
        return ([primary].compactMap(\.self) + others).compactMap(\.lastWork).max()
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
    fileprivate struct Moment {
        /// The instant of the primary camera's frame nearest to the press; the press itself if that is unknown.
        var instant: Int64
        /// Whether it is the instant of a frame.
        var isOfFrame: Bool
        /// The time from one frame of the primary camera to the next; nil if unknown, or if the photos need not be near
        /// the instant.
        var period: Int64?

        /// Returns how the photos of a camera with a frame period have to compare with the instant.
        func simultaneity(period own: Int64?) -> Simultaneity? {
            guard let period else { return nil }
            let longest = max(period, own ?? 0)
            return isOfFrame ? .frame(period: longest) : .press(period: longest)
        }
    }

    /// The cameras of a capture, and the zoom factor by which their photos are cropped.
    struct Choice {
        var cameras: Set<String>
        var cropFactor = 1.0
        /// The longer lens whose detail the photo of the one camera also shows; nil for none.
        var tele: String?
        /// Why the longer lens takes no photo, although the settings request its detail; nil if it takes one.
        var teleError: CaptureError?
        /// Whether the settings request the detail of a longer lens than the device has.
        var lacksLongerLens = false
    }

    /// Returns the cameras that take a capture: those that the settings name, or else the one that the zoom selects;
    /// nil for a capture of the primary camera.
    func choice(for settings: PhotoSettings, _ conditions: CaptureConditions) -> Choice? {
        if !settings.constituents.isEmpty { return Choice(cameras: settings.constituents) }
        if settings.isOfPrimaryCamera { return nil }
        let active = active(at: conditions.zoomFactor)
        if active.camera == 0 && !settings.fusesConstituents { return nil }
        var choice = Choice(cameras: [plans[active.camera].uniqueID], cropFactor: active.cropFactor)
        if settings.fusesConstituents { setTele(active.camera + 1, of: &choice) }
        return choice
    }

    /// Adds the camera with this index to a choice, as that whose photo is fused with the active camera's.
    private func setTele(_ index: Int, of choice: inout Choice) {
        guard index < plans.count else {
            choice.lacksLongerLens = true
            return
        }
        choice.teleError = failure(of: index).map(plans[index].named)
        if choice.teleError == nil { choice.tele = plans[index].uniqueID }
    }

    /// Returns the camera that a zoom factor selects: the longest lens that shows the whole zoomed view. A camera that
    /// has failed or delivers no frames is not active: a shorter lens shows its view, too.
    func active(at zoomFactor: Double) -> CameraChoice {
        CameraChoice(at: zoomFactor, switchOverFactors: plans.map(\.switchOverFactor), isInUse: isInUse)
    }

    /// Whether a camera other than the primary one delivers frames.
    private func isInUse(_ index: Int) -> Bool { failure(of: index) == nil }

    /// Why a camera other than the primary one delivers no frames; nil if it does.
    private func failure(of index: Int) -> CaptureError? {
        let engine = others[index - 1].engine
        if let error = engine.closingError { return error }
        return engine.activity.summary.isInterrupted
            ? CaptureError(.interrupted, "the camera delivers no frames") : nil
    }

    /// Presses the shutters of the chosen cameras, and returns their captures as one. `admit` throws if the capture
    /// must wait for an earlier one. Throws if a camera has no memory for the capture now, or if all refuse the press;
    /// a camera that fails alone fails its own photos.
    func capture(
        _ settings: PhotoSettings, _ choice: Choice, _ conditions: CaptureConditions,
        at quality: PhotoQualityPrioritization,
        admit: (ResolvedPhotoSettings) throws(CaptureError) -> Void
    ) throws(CaptureError) -> PhotoCapture {
        guard let primary = primary.withLock({ $0.pipeline }) else {
            throw CaptureError(.sessionNotRunning, "the session was released")
        }
        var single = settings
        (single.constituents, single.fusesConstituents) = ([], false)
        let cameras = zip(plans, [primary] + others).filter { choice.cameras.contains($0.0.uniqueID) }
        var conditions = conditions
        conditions.cropFactor = choice.cropFactor
        cameras.first?.1.update(&conditions)
        let tele = zip(plans, [primary] + others).first { $0.0.uniqueID == choice.tele }
        let unfused = conditions
        if tele != nil { conditions.photoScale = ConstituentPair.photoScale }
        var resolved = primary.plan.resolve(settings, conditions, at: quality).0
        resolved.expectedPhotoCount *= cameras.count
        single.receiptID = resolved.uniqueID
        // A capture of the primary camera alone names no constituents.
        if cameras.count > 1 || cameras.first?.1 !== primary { resolved.constituents = cameras.map(\.0.uniqueID) }
        if let tele { resolved.fusedConstituents = [cameras[0].0.uniqueID, tele.0.uniqueID] }
        let chosen = conditions
        let participants = cameras + (tele.map { [$0] } ?? [])
        let pair = tele.map { _ in ConstituentPair() }
        let joined = ConstituentCapture(
            resolved, cameras: participants.map(\.0.uniqueID), tele: tele?.0, pair: pair, teleError: choice.teleError,
            of: primary.engine, report: report)
        if choice.lacksLongerLens { warnOfLens(of: cameras[0].0, at: conditions.zoomFactor) }
        do throws(CaptureError) {
            try admit(resolved)
        } catch {
            joined.refuse(error)
            throw error
        }
        let moment = moment(of: primary, resolved, isShared: participants.count > 1)
        let children = participants.enumerated().map { index, camera in
            let isDelivered = index < cameras.count
            return camera.1.begin(
                isDelivered ? single : single.withoutSurplusFormats, isDelivered ? chosen : unfused, at: quality,
                camera.0, pair?.companion(as: isDelivered ? .wide : .tele))
        }
        if let refusal = press(children, participants, delivering: cameras.count, moment) {
            for (child, (_, pipeline)) in zip(children, participants) {
                pipeline.cancel(child.uniqueID)
            }
            pair?.end()
            joined.refuse(refusal)
            throw refusal
        }
        for (index, ((constituent, pipeline), child)) in zip(participants, children).enumerated() {
            let part = ConstituentCapture.Part(
                index: index, constituent: constituent, instant: moment.instant,
                simultaneity: moment.simultaneity(period: pipeline.admission(frames: 1)?.period),
                isDelivered: index < cameras.count)
            joined.follow(child.capture, part)
        }
        return PhotoCapture(resolved, joined.reports) {
            for child in children { child.capture.cancel() }
        }
    }

    /// Presses the shutters of cameras, of which the first `count` deliver photos. Returns why the whole capture is
    /// refused: a camera has no memory for it now, or none of those takes a photo; nil if it is not.
    private func press(
        _ children: [ConstituentChild], _ participants: [(ConstituentPlan, RunningPipeline)], delivering count: Int,
        _ moment: Moment
    ) -> CaptureError? {
        guard let primary = primary.withLock({ $0.pipeline }) else {
            return CaptureError(.sessionNotRunning, "the session was released")
        }
        // Asked before the first press, so that no camera takes a photo of a capture that another one refuses.
        let busy = zip(children, participants).compactMap { child, participant in
            participant.1.busyError(frames: child.resolved.neededFrames).map(participant.0.named)
        }
        if let longest = busy.max(by: { ($0.retryAfter ?? .zero) < ($1.retryAfter ?? .zero) }) { return longest }
        let refusals = zip(children, participants).map { child, participant in
            participant.1.press(child, moment, like: primary).map(participant.0.named)
        }
        if let busy = refusals.compactMap({ $0 }).first(where: { $0.code == .busy }) { return busy }
        return refusals.prefix(count).contains { $0 == nil } ? nil : refusals.first.flatMap { $0 }
    }

    /// Reports, once for each zoom factor, that a photo is not fused because no camera has a longer lens.
    private func warnOfLens(of camera: ConstituentPlan, at zoomFactor: Double) {
        let isNew = unfusedZoom.withLock { last in
            defer { last = zoomFactor }
            return last != zoomFactor
        }
        guard isNew else { return }
        report.yield(
            .warning(
                "the photo is of \(camera.name) alone: at the zoom factor \(Self.text(zoomFactor)) it shows the whole "
                    + "view, and no camera has a longer lens; photos are fused below "
                    + Self.text(camera.switchOverFactor)))
    }

    /// Returns a zoom factor in hundredths.
    private static func text(_ factor: Double) -> String {
        let rounded = (factor * 100).rounded() / 100
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }

    /// Returns the instant that all cameras aim at; for a single camera it is the press. It is the instant of the
    /// primary camera's frame nearest to the press. Without zero shutter lag, it is that of its first frame at least
    /// half a period after the press, so that no other camera uses a frame from before the press. The other cameras'
    /// nearest frames are at most half a period from the instant.
    private func moment(
        of primary: RunningPipeline, _ resolved: ResolvedPhotoSettings, isShared: Bool
    ) -> Moment {
        let admission = primary.admission(frames: 1)
        let press = Int64(clamping: primary.engine.now ?? 0)
        guard isShared, let newest = admission?.newestInstant, let period = admission?.period, period > 0,
            abs(press - newest) < 4 * period
        else {
            // A burst's reference may be any of its frames.
            let isNear = isShared && resolved.frames == 1
            return Moment(instant: press, isOfFrame: false, period: isNear ? admission?.period : nil)
        }
        let periods = Double(press - newest) / Double(period)
        let count = resolved.usesZeroShutterLag ? periods.rounded() : (periods + 0.5).rounded(.up)
        return Moment(instant: max(0, newest + Int64(count) * period), isOfFrame: true, period: period)
    }
}

extension PhotoSettings {
    /// The settings with a single format, for a camera whose photo is only fused with another's: the one that takes the
    /// least time among those of the session.
    fileprivate var withoutSurplusFormats: PhotoSettings {
        var settings = PhotoSettings(from: self)
        if processedFormats.contains(.jpeg) {
            (settings.rawFormats, settings.processedFormats) = ([], [.jpeg])
        } else if rawFormats.contains(.proRAW) {
            settings.processedFormats = []
        } else {
            settings.processedFormats = processedFormats.min { $0.rawValue < $1.rawValue }.map { [$0] } ?? []
        }
        return settings
    }
}

/// The capture of one camera of a virtual device, before its press.
private struct ConstituentChild {
    let settings: PhotoSettings
    let resolved: ResolvedPhotoSettings
    let calibration: CameraCalibration
    let capture: PhotoCapture
    /// The field of the request that names its part in a pair; nil without one.
    let companion: Value?

    var uniqueID: UInt64 { resolved.uniqueID }
}

extension RunningPipeline {
    /// Begins the capture of one camera.
    fileprivate func begin(
        _ single: PhotoSettings, _ conditions: CaptureConditions, at quality: PhotoQualityPrioritization,
        _ constituent: ConstituentPlan, _ companion: Value?
    ) -> ConstituentChild {
        let settings = PhotoSettings(from: single)
        var conditions = conditions
        update(&conditions)
        let (resolved, owed) = plan.resolve(settings, conditions, at: quality)
        let reports = engine.begin(resolved, owed: owed, everyFrame: settings.everyFrame, isPart: true)
        let size = conditions.frameSize
        let calibration = constituent.calibration
        return ConstituentChild(
            settings: settings, resolved: resolved,
            calibration: size.map { calibration.scaled(width: $0.width, height: $0.height) } ?? calibration,
            capture: PhotoCapture(resolved, reports) { [weak self] in self?.cancel(resolved.uniqueID) },
            companion: companion)
    }

    /// Presses the shutter of one camera for an instant; returns why it is refused, nil if it is not. The options of
    /// the output, which are properties of the primary camera's shutter, hold for all.
    fileprivate func press(
        _ child: ConstituentChild, _ moment: ConstituentPipelines.Moment, like primary: RunningPipeline
    ) -> CaptureError? {
        do throws(CaptureError) {
            if self !== primary { try copyOptions(of: primary) }
            var request = request(child.settings, child.resolved)
            request["time"] = .uint64(UInt64(max(0, moment.instant)))
            if moment.isOfFrame {
                // The instant is that of a frame, which may be the one before or after its clock time.
                request["nearest"] = .boolean(true)
                request["zero-shutter-lag"] = .boolean(true)
            }
            request["companion"] = child.companion
            request["camera-geometry"] = .array(child.calibration.numbers.map(Value.double))
            try press(request)
            return nil
        } catch {
            // Does nothing if the shutter has ended the capture already, with the reason.
            engine.fail(child.uniqueID, error)
            return child.capture.reports.failure ?? error
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
