public import GStreamer
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// The shutter: holds the newest frames in a ring and lets through just those of a capture, each tagged with its ticket.
///
/// While nobody presses it, it keeps references to a few buffers and does nothing else.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawshutter captures=1 frames=1 ! dngenc ! filesink location=photo.dng
public final class RawShutter: TransformBehaviour {
    private struct Settings {
        var frames: Int = 8
        var ring: Int = 8
        var captures: Int = 0
        var zeroLag = true
    }

    /// Lock order: `settings` before `state`; neither is held while anything is pushed or posted.
    private let settings = Mutex(Settings())
    private let state = Mutex(ShutterRing())
    /// The shape of the frames; nil before it is agreed on.
    private let format = Mutex<MosaicFormat?>(nil)
    private let element: ElementHandle

    private static let lastTicket = Atomic<UInt64>(1 << 32)

    /// A shutter for an element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// What gst-inspect shows.
    public static let elementClass = ElementClass(
        factoryName: "rawshutter", typeName: "GscapRawShutter", longName: "RAW burst shutter",
        classification: "Filter/Video",
        summary: "Keeps the newest Bayer frames and passes exactly those of a capture, tagged with its ticket",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: BayerCaps.template), .source(caps: BayerCaps.template)],
        properties: [
            ElementProperty(
                "frames", .uint32(1...64, default: 8), blurb: "Frames in a burst, when the request does not say",
                options: [.readWrite, .mutablePlaying]),
            ElementProperty(
                "ring-frames", .uint32(1...64, default: 8),
                blurb: "Frames kept for pictures of the moment before the press; a larger burst makes it larger"),
            ElementProperty(
                "captures", .uint32(0...1_000_000, default: 0),
                blurb: "Photos to take without being asked, after which the stream ends; 0 waits for the signal",
                options: [.readWrite, .mutablePlaying]),
            ElementProperty(
                "zero-shutter-lag", .boolean(default: true),
                blurb: "Whether frames from before the press may be part of the capture",
                options: [.readWrite, .mutablePlaying]),
        ],
        signals: [ElementSignal("capture", .action, parameters: [.structure], result: .uint64)])

    /// Takes a new value.
    public func setProperty(_ name: String, to value: Value) {
        settings.withLock { settings in
            switch name {
            case "frames": settings.frames = value.integer ?? settings.frames
            case "ring-frames": settings.ring = value.integer ?? settings.ring
            case "captures": settings.captures = value.integer ?? settings.captures
            default: settings.zeroLag = value.truth ?? settings.zeroLag
            }
        }
    }

    /// A property's value.
    public func property(_ name: String) -> Value {
        settings.withLock { settings in
            switch name {
            case "frames": .uint(UInt32(settings.frames))
            case "ring-frames": .uint(UInt32(settings.ring))
            case "captures": .uint(UInt32(settings.captures))
            default: .boolean(settings.zeroLag)
            }
        }
    }

    /// `capture`: presses the shutter. Fields of the structure, all optional: id, frames, exposure-time (s), iso,
    /// fusion-mode (speed, balanced, quality).
    public func perform(action: String, arguments: [Value]) -> Value? {
        var wishes: Structure?
        if case .structure(let given)? = arguments.first { wishes = given }
        return .uint64(press(wishes))
    }

    private func press(_ wishes: Structure?) -> UInt64 {
        let settings = settings.withLock { $0 }
        let id = wishes?["id"]?.unsigned ?? Self.lastTicket.add(1, ordering: .relaxed).newValue
        let frames = min(64, max(1, wishes?["frames"]?.integer ?? settings.frames))
        let exposureTime = wishes?["exposure-time"]?.number
        let iso = wishes?["iso"]?.number
        state.withLock { state in
            let newest = state.newestMark?.number
            state.requests.append(
                CaptureRequest(
                    id: id, frames: frames, moment: settings.zeroLag ? newest : nil,
                    after: settings.zeroLag ? nil : newest, exposureTime: exposureTime, iso: iso,
                    fusionMode: wishes?["fusion-mode"]?.text))
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
    /// Starts with an empty ring.
    public func start() {
        let settings = settings.withLock { $0 }
        state.withLock { state in
            state = ShutterRing(capacity: max(settings.ring, settings.frames))
        }
    }

    /// Lets the frames go.
    public func stop() {
        let left = state.withLock { state in
            state.ring.removeAll()
            let requests = state.requests
            state.requests = []
            return requests
        }
        abandon(left, "the pipeline stopped before the burst was complete")
    }

    /// Frames of another shape are no part of a burst.
    public func setCaps(input: Caps, output: Caps) {
        state.withLock { $0.ring.removeAll() }
        let shape = try? BayerCaps.format(input)
        format.withLock { $0 = shape }
    }

    /// Keeps the frame, and passes the frames of each capture that is complete with it.
    public func process(_ input: consuming Buffer, output: Pad) throws {
        let settings = settings.withLock { $0 }
        let time = input.presentationTime ?? 0
        var frame: Buffer? = input
        let tellsGap = state.withLock { state in
            if let frame = frame.take() { state.ring.append(frame) }
            state.requestOwnCapture(settings.captures, frames: settings.frames, Self.lastTicket)
            let isFirstIdle = !state.hasSentGap && state.requests.isEmpty
            if isFirstIdle { state.hasSentGap = true }
            return isFirstIdle
        }
        // Sinks behind need not wait for a first picture to start: without this a pipeline that is not live never plays.
        if tellsGap { output.push(.gap(at: time)) }
        while let burst = state.withLock({ $0.takeBurst() }) {
            try pass(burst, to: output)
        }
        if settings.captures > 0 && state.withLock({ $0.hasDone(settings.captures) }) {
            output.push(.endOfStream())
            throw FlowError.endOfStream
        }
    }

    /// At the end of the stream, captures that still wait for frames fail; after a flush the ring is stale.
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
        for index in 0..<count {
            guard let frame = burst.frames.removeFirst() else { break }
            var tagged = try frame.sharingMemory()
            var metadata = tagged.frameMetadata ?? FrameMetadata()
            metadata.capture = CaptureTag(
                id: id, index: index, count: count, fusionMode: burst.request.fusionMode)
            metadata.sensorDigests = digest(of: tagged).map { [$0.description] } ?? []
            try tagged.setFrameMetadata(metadata)
            element.post(CaptureMessage.frame(id: id, index: index, count: count).structure)
            try output.push(tagged)
        }
        element.post(CaptureMessage.taken(id: id).structure)
    }

    /// What proves later that a file holds what the sensor gave; nil when the frame is too short to tell.
    private func digest(of frame: borrowing Buffer) -> RawDigest? {
        guard let format = format.withLock({ $0 }) else { return nil }
        return try? frame.withValues(of: UInt16.self) { codes in try RawDigest(mosaic: codes, format: format) }
    }
}
