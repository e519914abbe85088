internal import GStreamer
internal import PictureFiles
internal import RawImage
internal import Synchronization

/// What tells one encoder of pictures from another.
protocol PictureEncoderKind: Sendable {
    /// The format, and what gst-inspect shows.
    static var face: PictureEncoderFace { get }
}

/// Makes a file of each picture, with what the frame tells of itself as Exif and XMP.
///
/// It works beside the stream, so that nothing before it waits: not even where a pipeline has no queue.
final class PictureEncoder<Kind: PictureEncoderKind>: TransformBehaviour {
    private let settings = Mutex(PictureEncoderSettings(Kind.face.format))
    private let input = Mutex<PictureCaps?>(nil)
    private let lane = FrameLane()
    private let element: ElementHandle

    init(element: ElementHandle) {
        self.element = element
    }

    static var elementClass: ElementClass { Kind.face.elementClass }

    func setProperty(_ name: String, to value: Value) {
        settings.withLock { $0.set(name, to: value) }
    }

    func property(_ name: String) -> Value {
        settings.withLock { $0.value(of: name) }
    }

    func outputCaps(for input: Caps) -> Caps {
        if input.isAny { return Caps(Kind.face.mediaType, [:]) }
        return Caps(
            input.structures.map { structure in
                var file = Structure(Kind.face.mediaType)
                for field in ["width", "height", "framerate"] { file[field] = structure[field] }
                return file
            })
    }

    /// Who asks for many bits gets pictures that have them.
    func inputCaps(for output: Caps) -> Caps {
        settings.withLock { $0.wantsWords } ? PictureCaps.words : .any
    }

    func setCaps(input caps: Caps, output: Caps) throws {
        let format = try PictureCaps(caps)
        input.withLock { $0 = format }
    }

    func start() throws {
        try Kind.face.format.prepare()
        lane.open()
    }

    func willChangeState(_ transition: StateTransition) throws { lane.follow(transition) }

    func stop() { lane.drain() }

    func handle(downstream event: Event, output: Pad) throws -> EventDecision {
        try lane.keepOrder(with: event)
    }

    func handle(upstream event: Event) -> EventDecision {
        lane.hear(upstream: event)
        return .forward
    }

    func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let format = input.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let encoding = settings.withLock { $0.encoding }
        try lane.add(frame, of: element, to: output) { [self] frame in try file(of: frame, format, encoding) }
    }

    private func file(
        of frame: borrowing Buffer, _ format: PictureCaps, _ wanted: PictureEncoding
    ) throws -> Buffer {
        let metadata = frame.frameMetadata
        var encoding = wanted
        encoding.metadata = metadata
        encoding.software = "gscap \(GscapPlugin.version)"
        var picture = try format.picture(frame)
        if encoding.format == .exr { picture = try picture.linear() }
        var file = try Buffer(copying: try encoding.encode(picture) { [lane] _ in !lane.isClosed })
        file.copyTimes(from: frame)
        if let metadata { try file.setFrameMetadata(metadata) }
        return file
    }
}
