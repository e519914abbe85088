internal import FrameStream
internal import GStreamer
internal import PictureFiles
internal import RawImage
internal import Synchronization

/// A picture file format, as the type parameter of `PictureEncoder`: GStreamer needs one class per element.
protocol PictureEncoderKind: Sendable {
    /// The file format and the element's description for gst-inspect.
    static var info: PictureEncoderInfo { get }
}

/// Encodes each picture as a file, with the frame metadata as Exif and XMP.
///
/// Encoding runs on its own thread, so that a slow encoder does not block the elements upstream even without a queue.
final class PictureEncoder<Kind: PictureEncoderKind>: FileEncoder {
    private let settings = ElementSettings(Kind.info.properties)
    /// The format of the pictures, or why this encoder cannot store it; nil before the caps are negotiated.
    private let input = Mutex<Result<PictureCaps, any Error>?>(nil)
    let encodeQueue: EncodeQueue
    private let element: ElementHandle

    init(element: ElementHandle) {
        self.element = element
        encodeQueue = EncodeQueue(element)
    }

    static var elementClass: ElementClass { Kind.info.elementClass }
    static var mediaType: String { Kind.info.mediaType }

    func setProperty(_ name: String, to value: Value) throws(GscapError) {
        try settings.set(name, to: value)
    }

    func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Requests 16-bit input when `bit-depth` selects more than 8 bits per sample.
    func inputCaps(for output: Caps) -> Caps {
        settings.current.needs16BitInput ? PictureCaps.rgba64 : .any
    }

    /// Stores the format of the pictures. A format that the file cannot hold fails each photo instead of the
    /// negotiation, so that the other branches of a pipeline go on.
    func setCaps(input caps: Caps, output: Caps) throws {
        let format = Result {
            let format = try PictureCaps(caps)
            // OpenEXR is excepted: its pad template already limits the colorimetry, and pictures are converted to
            // linear.
            if Kind.info.format != .exr { try settings.current.encoding.check(format.color, format.depth) }
            return format
        }
        input.withLock { $0 = format }
    }

    /// Offers buffers of the size of a picture, as many as the queue holds.
    func inputAllocation(for caps: Caps) -> InputAllocation? {
        (try? PictureCaps(caps)).map { InputAllocation(size: $0.byteCount, held: EncodeQueue.capacity) }
    }

    func start() throws {
        try Kind.info.format.prepareElement()
        encodeQueue.start()
    }

    /// Queues one picture for encoding with the settings of its capture; invalid ones fail this photo only.
    func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let format = input.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let settings = Result { try self.settings.current(for: frame, of: element) }
        try encodeQueue.add(frame, to: output) { [self] frame in
            try file(of: frame, format.get(), settings.get().encoding)
        }
    }

    private func file(
        of frame: borrowing Buffer, _ format: PictureCaps, _ base: PictureEncoding
    ) throws -> Buffer {
        let metadata = element.addingReceipt(to: element.tags.added(to: frame.frameMetadata, or: FrameMetadata()))
        var encoding = base
        encoding.metadata = metadata
        encoding.software = "gscap \(GscapPlugin.version)"
        let bytes = try atPhotoPriority(frame.photoPriority) { () throws in
            try format.file(of: frame, encoding) { [encodeQueue] _ in !encodeQueue.isClosed }
        }
        var file = try Buffer(sharing: bytes)
        file.inherit(from: frame)
        if let metadata { try file.setFrameMetadata(metadata) }
        return file
    }
}
