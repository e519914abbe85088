internal import CaptureSettings
internal import Dispatch
internal import FrameStream
internal import GStreamer
internal import GscapElements
internal import Waiting

/// The photo branch of an attached output: a queue and a `gscapphotobin` behind a source pad of the host, which is the
/// pipeline of the application.
///
///     pad of the host ─ queue ─ gscapphotobin
///
///     built ──host's state taken, linked──► running ──removed──► removed
///
/// The branch holds no reference to the host or to the pad's element, so it never keeps the application's pipeline
/// alive. All changes of the elements run one after another on the branch's own queue of dispatch, never on a streaming
/// thread. *Thread-safe.*
final class AttachedBranch: PhotoPipeline {
    let plan: PipelinePlan
    let engine: CaptureEngine
    let elements: AttachedElements
    private let stateQueue = DispatchQueue(label: "gscap.attached")
    private let frames = CameraSigns()
    private let clock = WaitClock.current

    /// The longest time that the branch may take to reach the state of its host.
    private static let startLimit = Duration.seconds(30)
    /// The longest time for which the removal waits. A branch that takes longer is left to stop by itself.
    private static let stopLimit = Duration.seconds(10)

    /// Creates the branch of a pad, without linking it. Throws if the pad cannot have a branch, or if an element of a
    /// format is missing.
    init(at pad: Pad, ofRequest isRequested: Bool, formats: [PhotoFormat]) throws(CaptureError) {
        plan = try PipelinePlan(device: .simulated(), preview: nil, formats: formats)
        engine = CaptureEngine(
            formats: Dictionary(plan.branches.map { ($0.name, $0.format) }) { first, _ in first })
        elements = try AttachedElements(pad, isRequested: isRequested, formats: plan.branches.map(\.name))
        try elements.connect { [engine, plan] message in
            Self.deliver(message, to: engine, plan)
        }
        _ = entrance?.addEventProbe { [frames] event in
            if CameraWork.isReported(by: event) { frames.noteWork() }
            return .pass
        }
    }

    deinit {
        engine.close(CaptureError(.aborted, "the output was released before the photo was done"))
        // The last reference may be released on a streaming thread, which cannot wait for its own end.
        stateQueue.async { [elements] in elements.remove() }
    }

    var container: Bin { elements.bin }

    var control: Element? { elements.bin }

    var shutter: Element? { plan.shutter.flatMap { elements.bin.element(named: $0) } }

    var entrance: Pad? { elements.queue.pad("sink") }

    var plannedFrameSize: PhotoDimensions? { nil }

    var framesSeen: Int { frames.count }

    var lastWork: WaitClock.Instant? { frames.lastWork }

    /// The bin restarts its branches itself, and refuses presses as long as it takes no frames.
    var isRestarting: Bool { false }

    /// Returns the request for the bin, which also takes the formats of the photos: in a session the branches learn
    /// them from the captures under way.
    func request(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) -> Structure {
        var request = plan.request(settings, resolved)
        request["formats"] = .string(plan.branches(for: settings).map(\.name).joined(separator: ","))
        request["every-frame"] = .boolean(settings.everyFrame)
        return request
    }

    func `defer`(
        _ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings, in folder: String
    ) throws(CaptureError) {
        throw CaptureError(
            .deferredDeliveryNotSupported, .deferred, "an attached output does not defer photos: use a session")
    }
}

// MARK: - Linking and removing

extension AttachedBranch {
    /// Brings the branch to the state of its host and links it; throws after thirty seconds, and then the branch is
    /// removed.
    func link() async throws(CaptureError) {
        let (frames, engine) = (frames, engine)
        let result = await clock.result(on: stateQueue, within: Self.startLimit) {
            [elements] () -> Result<Void, CaptureError> in
            do throws(CaptureError) {
                try elements.link {
                    if frames.add() { engine.changes.send() }
                }
                return .success(())
            } catch {
                elements.remove()
                return .failure(error)
            }
        } late: { [elements] _ in
            elements.remove()
        }
        try (result ?? .failure(CaptureError(.pipelineFailed, "the photo branch did not start within 30 s"))).get()
    }

    /// Ends all captures because of `reason`, and takes the branch out of its host; returns when it is out, or after
    /// ten seconds.
    func remove(because reason: CaptureError) async {
        engine.close(reason)
        _ = await clock.result(on: stateQueue, within: Self.stopLimit) { [elements] in elements.remove() }
    }
}

// MARK: - Messages

extension AttachedBranch {
    /// Gives a message of the bin to the captures; `photo` has the file's bytes.
    private static func deliver(_ structure: Structure, to engine: CaptureEngine, _ plan: PipelinePlan) {
        guard let message = CaptureMessage(structure) else { return }
        if structure["event"]?.text == "photo", let id = structure["capture-id"]?.unsigned {
            deliver(photo: structure, of: id, to: engine, plan)
        }
        engine.receive(message)
    }

    /// Delivers a photo, or fails it. A failure without a format is that of an element that several branches share.
    private static func deliver(
        photo: Structure, of id: UInt64, to engine: CaptureEngine, _ plan: PipelinePlan
    ) {
        let format = photo["format"]?.text
        if case .sample(let sample)? = photo["sample"], let format {
            return engine.deliver(id, branch: format, sample: sample)
        }
        let element = photo["element"]?.text ?? ""
        let branches = format.map { [$0] } ?? plan.branches(behind: element).map(\.name)
        let reason = photo["error"]?.text ?? "the photo has no bytes"
        let error = CaptureError(branches.count == 1 ? .branchFailed : .captureFailed, reason, place: element)
        for branch in branches { engine.deliver(id, branch: branch, sample: nil, error: error) }
    }
}
