internal import DNG
internal import FrameStream
internal import GStreamer
internal import PictureFiles
internal import RawImage
internal import Synchronization

/// Encodes each frame as a DNG file on a thread separate from the streaming thread: Bayer mosaics become Bayer DNGs,
/// linear photos become linear DNGs.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! dngenc ! filesink location=frame.dng
final class DNGEncoder: FileEncoder {
    private let input = Mutex<RawFrameFormat?>(nil)
    private let settings = ElementSettings(DNGSettings.properties)
    let encodeQueue: EncodeQueue
    private let element: ElementHandle

    /// Creates the behaviour of a `dngenc` element.
    init(element: ElementHandle) {
        self.element = element
        encodeQueue = EncodeQueue(element)
    }

    static var mediaType: String { FrameCustomMeta.fileType }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    static let elementClass = ElementClass(
        factoryName: "dngenc", typeName: "GscapDNGEnc", longName: "DNG encoder", classification: "Codec/Encoder/Image",
        summary: "Encodes Bayer frames and linear photos as Adobe DNG files with their metadata",
        author: Element.gscapAuthor, rank: .marginal,
        padTemplates: [
            .sink(caps: RawFrameFormat.template), .source(caps: mediaType + ", " + PictureCaps.frames),
        ], properties: DNGSettings.properties.declarations,
        interfaces: [.preset, .tagSetter])

    /// Sets a property to a new value.
    func setProperty(_ name: String, to value: Value) throws(GscapError) {
        try settings.set(name, to: value)
    }

    /// Returns the current value of a property.
    func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Starts the encoder thread. Properties that contradict each other and a missing JPEG XL library fail here, before
    /// any photo is taken that could not be stored.
    func start() throws {
        try settings.current.check()
        if settings.current.needsJPEGXL { try PictureFormat.jxl.prepareElement() }
        encodeQueue.start()
    }

    /// Stores the format of the input frames, mosaic or linear.
    func setCaps(input caps: Caps, output: Caps) throws {
        let format = try RawFrameFormat(caps)
        input.withLock { $0 = format }
    }

    /// Offers buffers of the size of a frame, as many as the queue holds.
    func inputAllocation(for caps: Caps) -> InputAllocation? {
        (try? RawFrameFormat(caps)).map { InputAllocation(size: $0.byteCount, held: EncodeQueue.capacity) }
    }

    /// Queues one frame for encoding with the settings of its capture; the file is pushed on `output` when it is done.
    /// Invalid settings fail this photo only.
    func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let shape = input.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let settings = Result { try self.settings.current(for: frame, of: element) }
        try encodeQueue.add(frame, to: output) { [self] frame in try file(of: frame, shape, settings.get()) }
    }

    private func file(of frame: borrowing Buffer, _ shape: RawFrameFormat, _ settings: DNGSettings) throws -> Buffer {
        var ignored = IgnoredFields()
        let described = element.tags.added(to: frame.frameMetadata(noting: &ignored), or: shape.metadata)
        let metadata = element.addingReceipt(to: described)?.describingCrop
        element.postLoss(of: ignored, capture: metadata?.capture?.statedID)
        try settings.check()
        if let warning = settings.customization.readerWarning(bits: shape.bits) {
            element.post(warning: GscapError(message: warning))
        }
        let data = try atPhotoPriority(frame.photoPriority) { () throws in
            try inheriting(encode(frame.newReference().placingRows(of: shape), shape, metadata, settings), metadata)
        }
        let memory = unsafe UnsafeRawBufferPointer(start: data.base, count: data.count)
        var file = try unsafe Buffer(over: memory, keeping: data)
        file.inherit(from: frame)
        if let metadata { try file.setFrameMetadata(metadata) }
        return file
    }

    /// Returns a photo with the tags of the file that its reference frame was read from; posts a warning if they are
    /// lost.
    private func inheriting(_ photo: DNGData, _ metadata: FrameMetadata?) -> DNGData {
        guard let metadata else { return photo }
        do throws(GscapError) {
            return try photo.inheriting(metadata)
        } catch {
            element.postLoss("tags of the source file are lost: \(error.message)", capture: metadata.capture?.statedID)
            return photo
        }
    }

    private func encode(
        _ frame: borrowing Buffer, _ shape: RawFrameFormat, _ metadata: FrameMetadata?, _ settings: DNGSettings
    ) throws -> DNGData {
        try frame.withValues(of: UInt16.self) { values in
            switch shape {
            case .mosaic(let format):
                let metadata = metadata ?? FrameMetadata(of: format)
                var writer = settings.writer()
                writer.shouldContinue = { [encodeQueue] in !encodeQueue.isClosed }
                writer.setCrop(metadata, width: format.width, height: format.height)
                if settings.hasLook(isMosaic: true) {
                    writer.recipe = try PhotoLook.recipe(mosaic: values, format, metadata)
                } else if settings.keepsLookOfSource, let recipe = metadata.sourceRecipe {
                    writer.recipe = recipe
                }
                try encodeQueue.check()
                writer.preview = try settings.preview(isMosaic: true)?.of(values, format, metadata, writer.recipe)
                return try writer.encode(mosaic: values, format: format, metadata: metadata)
            case .linear(let format):
                let metadata = metadata ?? FrameMetadata()
                var writer = settings.writer()
                writer.shouldContinue = { [encodeQueue] in !encodeQueue.isClosed }
                writer.setCrop(metadata, width: format.width, height: format.height)
                if settings.hasLook(isMosaic: false) {
                    writer.recipe = try PhotoLook.recipe(linear: values, format, metadata)
                }
                try encodeQueue.check()
                writer.preview = try settings.preview(isMosaic: false)?.of(values, format, metadata, writer.recipe)
                return try writer.encode(linear: values, format: format, metadata: metadata)
            }
        }
    }
}

extension FrameMetadata {
    /// The metadata with the field of view of the part that the zoom shows.
    fileprivate var describingCrop: FrameMetadata {
        var metadata = self
        metadata.details = details.zoomed(by: cropFactor)
        return metadata
    }
}

extension DNGWriter {
    /// Sets the crop to the part of a picture of this size that its zoom shows.
    fileprivate mutating func setCrop(_ metadata: FrameMetadata, width: Int, height: Int) {
        if metadata.cropFactor <= 1 { return }
        defaultCrop = PixelRectangle(width: width, height: height, zoomedBy: metadata.cropFactor)
    }
}
