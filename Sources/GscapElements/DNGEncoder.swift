internal import DNG
internal import GStreamer
internal import PictureFiles
internal import RawImage
internal import Synchronization

/// Makes a DNG file of each frame: Bayer mosaics become Bayer DNGs, linear photos linear DNGs. It works beside the stream.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! dngenc ! filesink location=frame.dng
final class DNGEncoder: FileEncoder {
    private enum Input {
        case mosaic(MosaicFormat)
        case linear(LinearFormat)
    }

    private let input = Mutex<Input?>(nil)
    private let settings = Mutex(DNGSettings())
    let lane: FrameLane
    private let element: ElementHandle

    /// An encoder for an element.
    init(element: ElementHandle) {
        self.element = element
        lane = FrameLane(element)
    }

    static var mediaType: String { "image/x-adobe-dng" }

    /// What gst-inspect shows.
    static let elementClass = ElementClass(
        factoryName: "dngenc", typeName: "GscapDNGEnc", longName: "DNG encoder", classification: "Codec/Encoder/Image",
        summary: "Writes Bayer frames and linear photos as Adobe DNG files with all their metadata",
        author: Element.gscapAuthor,
        padTemplates: [
            .sink(caps: BayerCaps.template + "; " + LinearCaps.template), .source(caps: mediaType),
        ], properties: DNGSettings.properties)

    /// Takes a new value.
    func setProperty(_ name: String, to value: Value) {
        settings.withLock { $0.set(name, to: value) }
    }

    /// A property's value.
    func property(_ name: String) -> Value {
        settings.withLock { $0.value(of: name) }
    }

    /// Sees to it that no photo is taken which could not be stored.
    func start() throws {
        if settings.withLock({ $0.needsJPEGXL }) { try PictureFormat.jxl.prepareElement() }
        lane.start()
    }

    /// Takes the shape of the frames.
    func setCaps(input caps: Caps, output: Caps) throws {
        let isBayer = caps.first?.name == "video/x-bayer"
        let shape: Input = isBayer ? .mosaic(try BayerCaps.format(caps)) : .linear(try LinearCaps.format(caps))
        input.withLock { $0 = shape }
    }

    /// Has one file written.
    func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let shape = input.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let settings = settings.withLock { $0 }
        try lane.add(frame, to: output) { [self] frame in try file(of: frame, shape, settings) }
    }

    private func file(of frame: borrowing Buffer, _ shape: Input, _ settings: DNGSettings) throws -> Buffer {
        let metadata = frame.frameMetadata
        if let warning = settings.customization.warning {
            element.post(warning: GStreamerError(message: warning))
        }
        let data = try frame.withValues(of: UInt16.self) { values in
            switch shape {
            case .mosaic(let format):
                let metadata = metadata ?? FrameMetadata(bitDepth: format.bitDepth)
                var writer = settings.writer(isMosaic: true)
                writer.isWanted = { [lane] in !lane.isClosed }
                if settings.hasLook(isMosaic: true) {
                    writer.recipe = try PhotoLook.recipe(mosaic: values, format, metadata)
                }
                try lane.check()
                writer.preview = try settings.preview(isMosaic: true)?.of(values, format, metadata, writer.recipe)
                return try writer.encode(mosaic: values, format: format, metadata: metadata)
            case .linear(let format):
                let metadata = metadata ?? FrameMetadata()
                var writer = settings.writer(isMosaic: false)
                writer.isWanted = { [lane] in !lane.isClosed }
                if settings.hasLook(isMosaic: false) {
                    writer.recipe = try PhotoLook.recipe(linear: values, format, metadata)
                }
                try lane.check()
                writer.preview = try settings.preview(isMosaic: false)?.of(values, format, metadata, writer.recipe)
                return try writer.encode(linear: values, format: format, metadata: metadata)
            }
        }
        let memory = unsafe UnsafeRawBufferPointer(start: data.base, count: data.count)
        var file = try unsafe Buffer(over: memory, keeping: data)
        file.copyTimes(from: frame)
        if let metadata { try file.setFrameMetadata(metadata) }
        return file
    }
}
