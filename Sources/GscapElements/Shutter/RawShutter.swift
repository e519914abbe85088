public import GStreamer
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// The shutter: holds the newest frames in a ring and passes only those of a capture, each tagged with the ticket
/// (capture id).
///
/// Without a capture request it only holds references to a few buffers; no pixels are copied.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawshutter captures=1 frames=1 ! dngenc ! \
///         filesink location=photo.dng
public final class RawShutter: TransformBehaviour {
    private struct Settings {
        var frames = FusionMode.standard.burstLength
        var ring = FusionMode.standard.burstLength
        var captures: Int = 0
        var zeroLag = true

        static let properties = PropertyTable(
            defaults: Settings(),
            [
                .uint32(
                    "frames", \.frames, 1...64, blurb: "Frames per burst, unless the request specifies it",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "ring-frames", \.ring, 1...64,
                    blurb: "Frames held for zero shutter lag; grows with the size of the burst"),
                .uint32(
                    "captures", \.captures, 0...1_000_000,
                    blurb: "Captures to take automatically before the stream ends; 0 waits for the signal",
                    options: [.readWrite, .mutablePlaying]),
                .boolean(
                    "zero-shutter-lag", \.zeroLag, blurb: "Whether a capture may contain frames from before the press",
                    options: [.readWrite, .mutablePlaying]),
            ])
    }

    /// Neither `settings` nor `state` is locked while a buffer, event or message is sent.
    private let settings = ElementSettings(Settings.properties)
    private let state = Mutex(ShutterRing())
    /// The format of the frames; nil before the caps are negotiated.
    private let format = Mutex<MosaicFormat?>(nil)
    private let element: ElementHandle

    private static let lastTicket = Atomic<UInt64>(1 << 32)

    /// Creates the behaviour of a `rawshutter` element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// The factory's description, pad templates, properties and signals, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "rawshutter", typeName: "GscapRawShutter", longName: "RAW burst shutter",
        classification: "Filter/Video",
        summary: "Holds the newest Bayer frames and passes only those of a capture, tagged with its ticket",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: BayerCaps.template), .source(caps: BayerCaps.template)],
        properties: Settings.properties.declarations,
        signals: [ElementSignal("capture", .action, parameters: [.structure], result: .uint64)])

    /// Sets a property to a new value.
    public func setProperty(_ name: String, to value: Value) throws(GStreamerError) {
        try settings.set(name, to: value)
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GStreamerError) -> Value { try settings.value(of: name) }

    /// Performs the action signal `capture`, which requests a capture and returns its id. The structure's fields are
    /// all optional: id, frames, exposure-time (in seconds), iso, fusion-mode (speed, balanced, quality).
    public func perform(action: String, arguments: [Value]) -> Value? {
        var request: Structure?
        if case .structure(let structure)? = arguments.first { request = structure }
        return .uint64(press(request))
    }

    private func press(_ request: Structure?) -> UInt64 {
        let settings = settings.current
        let id = request?["id"]?.unsigned ?? Self.lastTicket.add(1, ordering: .relaxed).newValue
        let frames = min(64, max(1, request?["frames"]?.integer ?? settings.frames))
        let exposureTime = request?["exposure-time"]?.number
        let iso = request?["iso"]?.number
        state.withLock { state in
            let newest = state.newestMark?.number
            state.requests.append(
                CaptureRequest(
                    id: id, frames: frames, moment: settings.zeroLag ? newest : nil,
                    after: settings.zeroLag ? nil : newest, exposureTime: exposureTime, iso: iso,
                    fusionMode: request?["fusion-mode"]?.text.flatMap(FusionMode.init)))
        }
        if let exposure = SensorControl(exposureTime: exposureTime, iso: iso) {
            element.pushUpstream(.customUpstream(exposure.structure))
        }
        element.post(CaptureMessage.begun(id: id, frames: frames).structure)
        return id
    }
}

// MARK: - Streaming

extension RawShutter {
    /// Starts the stream with an empty ring.
    public func start() {
        let settings = settings.current
        state.withLock { state in
            state = ShutterRing(capacity: max(settings.ring, settings.frames))
        }
    }

    /// Releases the frames; captures that still wait for frames fail.
    public func stop() {
        let waiting = state.withLock { state in
            state.ring.removeAll()
            let requests = state.requests
            state.requests = []
            return requests
        }
        abandon(waiting, "the pipeline stopped before the burst was complete")
    }

    /// Clears the ring, because all frames of a burst must have the same format.
    public func setCaps(input: Caps, output: Caps) throws {
        state.withLock { $0.ring.removeAll() }
        let shape = try BayerCaps.format(input)
        format.withLock { $0 = shape }
    }

    /// Adds the frame to the ring, then pushes the frames of each capture that is now complete.
    public func process(_ input: consuming Buffer, output: Pad) throws {
        let settings = settings.current
        let time = input.presentationTime ?? 0
        var frame: Buffer? = input
        let sendsGap = state.withLock { state in
            if let frame = frame.take() { state.ring.append(frame) }
            state.requestOwnCapture(settings.captures, frames: settings.frames, Self.lastTicket)
            let isFirstIdle = !state.hasSentGap && state.requests.isEmpty
            if isFirstIdle { state.hasSentGap = true }
            return isFirstIdle
        }
        // A gap event lets the sinks downstream preroll without a picture; otherwise a pipeline that is not live would
        // never reach PLAYING.
        if sendsGap { output.push(.gap(at: time)) }
        while let burst = state.withLock({ $0.takeBurst() }) {
            try pass(burst, to: output)
        }
        if settings.captures > 0 && state.withLock({ $0.hasDone(settings.captures) }) {
            output.push(.endOfStream())
            throw FlowError.endOfStream
        }
    }

    /// Fails the captures that still wait for frames at the end of the stream, and clears the ring after a flush.
    public func handle(downstream event: Event, output: Pad) throws -> EventDecision {
        switch event.kind {
        case .endOfStream:
            let waiting = state.withLock { state in
                let requests = state.requests
                state.requests = []
                return requests
            }
            abandon(waiting, "the stream ended before the burst was complete; give the source more frames")
        case .flushStop:
            state.withLock { $0.ring.removeAll() }
        case .segment:
            state.withLock { $0.hasSentGap = false }
        default: break
        }
        return .forward
    }

    private func abandon(_ requests: [CaptureRequest], _ reason: String) {
        for request in requests { element.postFailure(of: request.id, reason) }
    }

    private func pass(_ burst: consuming Burst, to output: Pad) throws {
        let (id, count) = (burst.request.id, burst.request.frames)
        if burst.request.isOwn { element.post(CaptureMessage.begun(id: id, frames: count).structure) }
        var hasPostedLoss = false
        for index in 0..<count {
            guard let frame = burst.frames.removeFirst() else { break }
            var tagged = try frame.copySharingMemory()
            var ignored = IgnoredFields()
            var metadata = tagged.frameMetadata(noting: &ignored) ?? FrameMetadata()
            metadata.capture = CaptureTag(
                id: id, index: index, count: count, fusionMode: burst.request.fusionMode)
            metadata.sensorDigests = []
            var losses = ignored.message.map { [$0] } ?? []
            do {
                metadata.sensorDigests = [try digest(of: tagged).description]
            } catch {
                losses.append("the digest is lost, so files cannot be verified against the frame: \(error)")
            }
            if !losses.isEmpty && !hasPostedLoss {
                element.postLoss("frame \(index): " + losses.joined(separator: "; "), capture: id)
                hasPostedLoss = true
            }
            try tagged.setFrameMetadata(metadata)
            element.post(CaptureMessage.frame(id: id, index: index, count: count).structure)
            try output.push(tagged)
        }
        element.post(CaptureMessage.taken(id: id).structure)
    }

    /// Returns the digest of the frame's codes, by which a reader can verify that a file contains the sensor's data;
    /// throws if the buffer is too short.
    private func digest(of frame: borrowing Buffer) throws -> RawDigest {
        guard let format = format.withLock({ $0 }) else { throw FlowError.notNegotiated }
        return try frame.withValues(of: UInt16.self) { codes in try RawDigest(mosaic: codes, format: format) }
    }
}
