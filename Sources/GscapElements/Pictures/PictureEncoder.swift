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
final class PictureEncoder<Kind: PictureEncoderKind>: FileEncoder {
    private let settings = Mutex(PictureEncoderSettings(Kind.face.format))
    private let input = Mutex<PictureCaps?>(nil)
    let lane: FrameLane

    init(element: ElementHandle) { lane = FrameLane(element) }

    static var elementClass: ElementClass { Kind.face.elementClass }
    static var mediaType: String { Kind.face.mediaType }

    func setProperty(_ name: String, to value: Value) {
        settings.withLock { $0.set(name, to: value) }
    }

    func property(_ name: String) -> Value {
        settings.withLock { $0.value(of: name) }
    }

    /// Who asks for many bits gets pictures that have them.
    func inputCaps(for output: Caps) -> Caps {
        settings.withLock { $0.wantsWords } ? PictureCaps.words : .any
    }

    func setCaps(input caps: Caps, output: Caps) throws {
        let format = try PictureCaps(caps)
        // What light OpenEXR can be given is in its caps.
        if Kind.face.format != .exr { try settings.withLock { $0.encoding }.check(format.color, format.depth) }
        input.withLock { $0 = format }
    }

    func start() throws {
        try Kind.face.format.prepareElement()
        lane.start()
    }

    func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let format = input.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let encoding = settings.withLock { $0.encoding }
        try lane.add(frame, to: output) { [self] frame in try file(of: frame, format, encoding) }
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
