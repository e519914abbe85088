internal import DNG
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization

/// A source that plays Bayer DNG files as the frames of a camera, with their metadata.
///
///     gst-launch-1.0 dngsrc location="burst/*.dng" ! rawshutter captures=1 frames=8 ! rawfusion ! dngenc ! \
///         filesink location=photo.dng
public final class DNGSource: SourceBehaviour {
    private struct Settings {
        /// A file or a glob pattern; nil, like an empty string, is none.
        var location: String? {
            didSet { if location?.isEmpty == true { location = nil } }
        }
        var isLive = false
        var loops = false
        var acceptsDamage = false

        static let properties = PropertyTable(
            defaults: Settings(),
            [
                .string(
                    "location", \.location,
                    blurb: "A file, or a glob pattern such as burst/*.dng; files play in the order of their names",
                    options: [.readWrite, .mutableReady]),
                .boolean(
                    "is-live", \.isLive, blurb: "Whether frames arrive at the frame rate, as from a camera",
                    options: [.readWrite, .mutableReady]),
                .boolean(
                    "loop", \.loops, blurb: "Whether playback starts over after the last file",
                    options: [.readWrite, .mutableReady]),
                .boolean(
                    "accept-damage", \.acceptsDamage,
                    blurb: "Whether damaged files are played, with a warning, instead of ending in an error",
                    options: [.readWrite, .mutableReady]),
            ])
    }

    private struct Stream {
        var paths: [String]
        var format: MosaicFormat
        var pool: BufferPool?
        var rate = 10.0
        var frame = 0
        var startTime: UInt64 = 0
        /// The warnings that were posted, without their files: what concerns all files is posted once.
        var warnings: Set<Substring> = []
    }

    /// Neither `settings` nor `stream` is locked while a file is decoded.
    private let settings = ElementSettings(Settings.properties)
    private let stream = Mutex<Stream?>(nil)
    private let element: ElementHandle

    /// Creates the behaviour of a `dngsrc` element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "dngsrc", typeName: "GscapDNGSrc", longName: "DNG player", classification: "Source/Video",
        summary: "Plays Bayer DNG files as the frames of a camera, with their metadata",
        author: Element.gscapAuthor, padTemplates: [.source(caps: BayerCaps.template)],
        properties: Settings.properties.declarations)

    /// Sets a property to a new value.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        try settings.set(name, to: value)
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Paced by the pipeline's clock if `is-live` is set; otherwise frames are produced as fast as downstream takes
    /// them.
    public var timing: SourceTiming { settings.current.isLive ? .paced : .free }
}

// MARK: - Streaming

extension DNGSource {
    /// Lists the files and reads the format of the first one, which the others must match.
    public func start() throws {
        let paths = try FilePattern.files(matching: settings.current.location ?? "")
        let format = try DNGFrameDecoder.format(path: paths[0], acceptsDamage: settings.current.acceptsDamage)
        stream.withLock { $0 = Stream(paths: paths, format: format) }
    }

    /// Releases the file list.
    public func stop() { stream.withLock { $0 = nil } }

    /// The caps of the first file's format, with any frame rate.
    public func caps() -> Caps? {
        guard let format = stream.withLock({ $0?.format }) else { return nil }
        return BayerCaps.caps(format, like: (try? Caps(BayerCaps.template))?.first)
    }

    /// Selects 10 frames per second if downstream accepts that rate.
    public func fixate(_ caps: Caps) -> Caps {
        let preferred = caps.intersection(Caps("video/x-bayer", ["framerate": .fraction(Fraction(10, 1))]))
        return preferred.isEmpty ? caps.fixated() : preferred.fixated()
    }

    /// Stores the negotiated frame rate and allocates the buffer pool.
    public func setCaps(_ caps: Caps) throws {
        let format = try BayerCaps.format(caps)
        let pool = try BufferPool(size: BayerCaps.size(format))
        let now = settings.current.isLive ? element.runningTime ?? 0 : 0
        stream.withLock { stream in
            stream?.pool = pool
            stream?.startTime = now
            if case .fraction(let rate)? = caps.first?["framerate"], rate.number > 0 { stream?.rate = rate.number }
        }
    }

    /// Decodes the next file; throws the end of stream after the last one unless `loop` is set.
    public func create() throws -> Buffer {
        let (loops, acceptsDamage) = (settings.current.loops, settings.current.acceptsDamage)
        guard let stream = stream.withLock({ $0 }), let pool = stream.pool else { throw FlowError.notNegotiated }
        guard loops || stream.frame < stream.paths.count else { throw FlowError.endOfStream }
        self.stream.withLock { $0?.frame += 1 }
        let path = stream.paths[stream.frame % stream.paths.count]
        var buffer = try pool.acquire()
        func warn(_ message: String) {
            let text = message.dropFirst(path.count)
            guard self.stream.withLock({ $0?.warnings.insert(text).inserted }) ?? false else { return }
            element.post(warning: GscapError(message: message, place: "location"))
        }
        var metadata = try DNGFrameDecoder.decode(
            path: path, acceptsDamage: acceptsDamage, as: stream.format, into: &buffer, note: warn)
        for damage in metadata.history.acceptedDamage { warn("\(path): \(damage)") }
        metadata.frameNumber = UInt64(stream.frame)
        let time = UInt64(Double(stream.frame) * 1e9 / stream.rate)
        metadata.sensorTimestamp = time
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = stream.startTime + time
        buffer.duration = UInt64(1e9 / stream.rate)
        buffer.offset = UInt64(stream.frame)
        return buffer
    }
}
