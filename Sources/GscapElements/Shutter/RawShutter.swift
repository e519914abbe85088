internal import Dispatch
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization
internal import Waiting

/// The shutter: holds the newest frames in a ring and passes only those of a capture, each tagged with the ticket
/// (capture id). Without a capture request it only holds references to a few buffers; no pixels are copied.
///
/// In a live stream a press means an instant: the frames nearest to it are taken, from the ring where they are there
/// already, and a queue pushes them, so that the camera's thread never waits. In a stream that is not live, or with
/// automatic captures, a press means the next frames of the stream: each is used, in order, and pushed by the streaming
/// thread, which waits for the elements behind the shutter.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawshutter captures=1 frames=1 ! dngenc ! \
///         filesink location=photo.dng
public final class RawShutter: TransformBehaviour {
    struct Settings {
        var frames = FusionMode.standard.burstLength
        var ring = FusionMode.standard.burstLength
        var captures: Int = 0
        var zeroLag = true
        var budget = 1024
        var waits = false
        var isBackground = false
        var period = 0.0
        var frameNumber = -1

        /// Whether frames begin captures.
        var hasTrigger: Bool { period > 0 || frameNumber >= 0 }

        /// The number of frames that the ring holds when no capture needs more.
        var ringCapacity: Int { max(ring, frames) }
        var priority: PhotoPriority { isBackground ? .background : .normal }

        static let properties = PropertyTable(
            defaults: Settings(),
            [
                .uint32(
                    "frames", \.frames, 1...64, blurb: "Frames per burst, unless the request specifies it",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "ring-frames", \.ring, 1...64,
                    blurb: "Frames held for zero shutter lag; grows with the size of the burst",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "captures", \.captures, 0...1_000_000,
                    blurb: "Captures to take automatically before the stream ends; 0 waits for the signal",
                    options: [.readWrite, .mutablePlaying]),
                .boolean(
                    "zero-shutter-lag", \.zeroLag, blurb: "Whether a capture may contain frames from before the press",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "max-queued", \.budget, 1...1_000_000,
                    blurb: "Mebibytes of frames that the captures under way may hold; a press beyond is refused",
                    options: [.readWrite, .mutablePlaying]),
                .boolean(
                    "wait-for-capture", \.waits,
                    blurb: "Whether a stream that is not live stops while no capture waits for its frames",
                    options: [.readWrite, .mutableReady]),
                .boolean(
                    "background", \.isBackground,
                    blurb: "Whether photos are computed at a higher nice value, unless the request specifies it",
                    options: [.readWrite, .mutablePlaying]),
                .double(
                    "capture-period", \.period, 0...86_400,
                    blurb: "Seconds from one automatic capture to the next, in a stream that goes on; 0 takes none",
                    options: [.readWrite, .mutablePlaying]),
                .int64(
                    "capture-frame", \.frameNumber, -1...Int64.max,
                    blurb:
                        "Number of the frame that begins one automatic capture, or the first after it; -1 takes none",
                    options: [.readWrite, .mutablePlaying]),
            ])
    }

    /// Neither `settings` nor `state` is locked while a buffer, event or message is sent.
    let settings = ElementSettings(Settings.properties)
    let state: Mutex<ShutterState>
    /// The memory that the frames of captures hold.
    let memory = CaptureMemory()
    let queue = CaptureQueue()
    /// Signalled at a press, a flush and a stop, to wake the streaming thread that waits for a capture.
    let wakeUp = DispatchSemaphore(value: 0)
    /// Ends, on a separate thread, the captures that a timer or the last branch of a burst has found to be over. The
    /// branch may do so under an element's lock, where nothing may be posted.
    let posts = PostQueue()
    /// The tickets of all captures that have not ended, so that stopping can end them.
    let tickets = Mutex<[UInt64: CaptureTicket]>([:])
    /// The captures whose `done` is still to be posted.
    let pendingEnds = PendingEnds()
    /// The format of the frames; nil before the caps are negotiated.
    let format = Mutex<MosaicFormat?>(nil)
    /// Whether the source is live; nil before the first frame of a segment.
    let isLive = Mutex<Bool?>(nil)
    /// Locked on its own: no other lock is taken meanwhile.
    let triggers = Mutex(CaptureTriggers())
    /// The noise of a camera that does not state it.
    let noise = NoiseLearner()
    let element: ElementHandle
    let clock = WaitClock.current

    /// Creates the behaviour of a `rawshutter` element.
    public init(element: ElementHandle) {
        self.element = element
        state = Mutex(ShutterState(memory: memory, clock: clock))
    }

    /// The factory's description, pad templates, properties and signals, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "rawshutter", typeName: "GscapRawShutter", longName: "RAW burst shutter",
        classification: "Filter/Video",
        summary: "Holds the newest Bayer frames and passes only those of a capture, tagged with its ticket",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: BayerCaps.template), .source(caps: BayerCaps.template)],
        properties: Settings.properties.declarations,
        signals: [
            ElementSignal("capture", .action, parameters: [.init("request", .structure)], result: .uint64),
            ElementSignal("cancel", .action, parameters: [.init("capture_id", .uint64)], result: .boolean),
            ElementSignal("admission", .action, parameters: [.init("request", .structure)], result: .structure),
        ])

    /// Sets a property to a new value.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        try settings.set(name, to: value)
        if name == "capture-frame" { triggers.withLock { $0.awaitFrame() } }
        if name == "ring-frames" { state.withLock { $0.setCapacity(settings.current.ringCapacity) } }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Performs an action signal. `capture` requests a capture and returns its id, or 0 if the press is refused; the
    /// structure's fields are all optional: id, frames, time (running time of the press in nanoseconds), tolerance
    /// (seconds), zero-shutter-lag, fusion-mode (speed, balanced, quality); exposure-time (seconds), iso, exposure-bias
    /// (EV), or bracket (an array of structures with these three), and fuse-bracket; flash (off, on, auto); artist,
    /// title, copyright, orientation, white-temperature, white-tint, latitude, longitude, altitude; nearest (whether
    /// one frame is the nearest to the press); every-frame (whether each frame is stored, rather than the reference
    /// alone); priority (normal, background); camera-geometry; crop-factor; receipt-id (the id that receipts state);
    /// settings (a structure for each element). `cancel` ends a capture, and returns whether there was one. `admission`
    /// returns whether `capture` with the same structure would be accepted now, as a `CaptureAdmission`; its field
    /// `expected` adds the frames of presses still to come.
    public func perform(action: String, arguments: [Value]) -> Value? {
        switch (action, arguments.first) {
        case ("cancel", .uint64(let id)?): return .boolean(cancel(id))
        case ("admission", .structure(let request)?): return .structure(admission(of: request).structure)
        case ("admission", _): return .structure(admission(of: nil).structure)
        case ("capture", .structure(let request)?): return .uint64(press(request))
        case ("capture", _): return .uint64(press(nil))
        default: return nil
        }
    }
}
