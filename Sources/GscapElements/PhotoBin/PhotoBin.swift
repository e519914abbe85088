internal import Dispatch
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization
internal import Waiting

/// The whole photo branch in one element: raw frames in, photos as messages out. It holds a shutter, a fusion, encoders
/// and their ends, so that it can be attached to a running pipeline and detached from it.
///
///     sink ─ rawunpack ─ rawshutter "shutter" ─ tee "burst" … the branches of `PhotoBranches` … appsink "jpeg", …
///
/// A failure of a branch stays in the branch: it is reported by a warning and by the photos that it fails, and the
/// branch is restarted.
///
///     gst-launch-1.0 gscapsensorsrc is-live=true ! tee name=t  t. ! queue ! … live view …
///         t. ! queue leaky=downstream ! gscapphotobin formats=proraw,jpeg location=photos/
public final class PhotoBin: BinBehaviour {
    /// The branches inside, which are created again when the formats change.
    struct Branches: Sendable {
        var formats: [PhotoBranchFormat]
        var bin: Bin
        var gates: BranchGates
        /// Raised when a branch that does not start again was taken out.
        var isIncomplete: AtomicFlag
    }

    let settings = ElementSettings(PhotoBinSettings.properties)
    let ledger: PhotoLedger
    /// The names of the captures' files.
    let reservations = PhotoReservations()
    let branches = Mutex<Branches?>(nil)
    /// Runs the restarts of branches.
    let stateQueue = DispatchQueue(label: "gscap.photo-branches")
    /// Whether the elements inside have started, so that their errors are failures of branches.
    let isRunning = AtomicFlag()
    /// Whether the property `quality` was set.
    let hasQuality = AtomicFlag()
    let missingFrames = MissingFrames()
    /// Why the bin takes no frames; nil while it does.
    let obstacle = Mutex<String?>(nil)
    /// The error of the first element inside, posted since it took a frame; nil if it posted none.
    let entranceError = Mutex<String?>(nil)
    let clock = WaitClock.current
    let element: ElementHandle
    /// The shutter; nil if the elements inside could not be created.
    let shutter: Element?

    /// Creates the behaviour of a `gscapphotobin` element and adds the bin's children.
    public init(element: ElementHandle) {
        self.element = element
        ledger = PhotoLedger { [reservations] message in
            if case .done(let id, _, _, _)? = CaptureMessage(message) { reservations.release(id) }
            element.emit("capture-event", [.structure(message)])
            element.post(message)
        }
        do throws(GscapError) {
            shutter = try Self.addShutter(to: element)
        } catch {
            shutter = nil
            element.post(error: error)
        }
        addEntrance()
        _ = shutter?.pad("sink")?.addBufferProbe { [missingFrames] frame in
            missingFrames.note(frame)
            return .pass
        }
        apply(settings.current)
        try? build(settings.current)
    }

    /// The factory's description, pad template, properties and signals, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "gscapphotobin", typeName: "GscapPhotoBin", longName: "RAW photo bin",
        classification: "Sink/Video",
        summary: "Takes photos of a raw stream on request, and delivers them in messages or as files",
        author: Element.gscapAuthor, padTemplates: [.sink(caps: RawUnpack.template)],
        properties: PhotoBinSettings.properties.declarations + PhotoBinMetrics.properties.declarations,
        signals: [
            ElementSignal("capture", .action, parameters: [.init("request", .structure)], result: .uint64),
            ElementSignal("cancel", .action, parameters: [.init("capture_id", .uint64)], result: .boolean),
            ElementSignal("admission", .action, parameters: [.init("request", .structure)], result: .structure),
            ElementSignal("capture-event", .notification, parameters: [.init("message", .structure)]),
        ], interfaces: [.tagSetter])

    /// Sets a property to a new value. New formats take effect at once while the bin is stopped. A value that cannot
    /// work is refused here while the bin runs, and by the next state change while it is stopped: GStreamer does not
    /// report a refused property to the program that sets it.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        let isStopped = (element.element?.state() ?? .null) <= .ready
        if !isStopped {
            var proposed = settings.current
            try PhotoBinSettings.properties.set(name, to: value, in: &proposed)
            try proposed.check(name, of: element.name)
        }
        let current = try settings.set(name, to: value)
        if name == "quality" { hasQuality.raise() }
        // Not by `apply`: each time that the number of the frame is set, it begins a capture.
        if ["capture-period", "capture-frame"].contains(name) { try shutter?.set(name, value) }
        apply(current)
        if name == "formats", isStopped { try? build(current) }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value {
        if PhotoBinMetrics.properties.declarations.contains(where: { $0.name == name }) {
            return try PhotoBinMetrics.properties.value(of: name, in: metrics)
        }
        return try settings.value(of: name)
    }

    private var metrics: PhotoBinMetrics {
        var metrics = ledger.metrics
        metrics.droppedFrames = missingFrames.count
        let admission = (try? shutter?.query("admission", Structure("admission"))).flatMap(CaptureAdmission.init)
        if let admission {
            metrics.bytesHeld = UInt64(admission.queuedBytes + admission.frameBytes * (admission.ringFrames ?? 0))
        }
        return metrics
    }

    /// Performs an action signal. `capture` requests a capture and returns its id, or 0 if the press is refused;
    /// `cancel` ends a capture; `admission` returns whether a press would be accepted. The structures have the fields
    /// of those of `rawshutter`, and two more: `formats`, those of the photos, and `every-frame`, whether each frame
    /// becomes a Bayer photo.
    public func perform(action: String, arguments: [Value]) -> Value? {
        switch (action, arguments.first) {
        case ("cancel", .uint64(let id)?): .boolean((try? shutter?.emit("cancel", id)) ?? false)
        case ("admission", let request): admission(of: request?.structure).map(Value.structure)
        case ("capture", let request): .uint64(press(request?.structure))
        default: nil
        }
    }

    /// Requests a capture if an event that is sent to the bin, or to its pipeline, does. The branches inside would each
    /// pass it to the shutter.
    public func handle(sent event: Event) -> Bool {
        guard let request = event.captureRequest else { return false }
        _ = press(request)
        return true
    }

    /// Checks the properties before the bin starts, and stops restarting branches before its elements stop.
    public func willChangeState(_ transition: StateTransition) throws {
        switch (transition.from, transition.to) {
        case (.null, .ready), (.ready, .paused):
            guard shutter != nil else {
                throw GscapError(message: "the elements inside the bin could not be created", place: element.name)
            }
            let settings = settings.current
            try settings.check("location", of: element.name)
            try build(settings)
            branches.withLock { $0 }?.gates.resume()
            missingFrames.restart()
        case (.paused, .ready):
            isRunning.lower()
            branches.withLock { $0 }?.gates.suspend()
        default: break
        }
    }

    /// Ends all captures after the elements inside have stopped. The bin's pad stays active then: it drops the frames
    /// of a stream that goes on, whose sender would stop at a refusal.
    public func didChangeState(_ transition: StateTransition) {
        switch (transition.from, transition.to) {
        case (.ready, .paused): isRunning.raise()
        case (.paused, .ready):
            ledger.close("the pipeline stopped before the photos were done")
            element.element?.pad("sink")?.setActive(true)
        case (.ready, .null): element.element?.pad("sink")?.setActive(true)
        default: break
        }
    }
}

/// A counter of the frames that are missing in a stream, by their numbers. *Thread-safe.*
final class MissingFrames: Sendable {
    private struct State {
        var last: UInt64?
        var count: UInt64 = 0
    }

    private let state = Mutex(State())
    /// The largest gap between two numbers that counts; larger ones are jumps of the numbers.
    private static let largestGap: UInt64 = 100_000

    var count: UInt64 { state.withLock { $0.count } }

    /// Records a frame of the stream.
    func note(_ frame: borrowing Buffer) {
        guard let kind = try? FrameCustomMeta.kind(), let number = frame.value(of: "frame-number", in: kind)?.unsigned
        else { return }
        state.withLock { state in
            if let last = state.last, number > last, number - last <= Self.largestGap {
                state.count += number - last - 1
            }
            state.last = number
        }
    }

    /// Begins a new stream, whose first frame may have any number.
    func restart() { state.withLock { $0.last = nil } }
}
