internal import Develop
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization

/// Renders Bayer frames and linear photos as display pictures, according to the metadata of each frame.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawdevelop quality=preview ! videoconvert ! autovideosink
public final class RawDevelop: TransformBehaviour {
    /// The state of a negotiated stream, used by the streaming thread.
    struct Stream {
        var input: RawFrameFormat
        /// The format of the pictures without a colour space of their own.
        let negotiated: Format
        /// The format of the last caps event.
        var output: Format
        var developer: PreviewRenderer?
        var live = LiveLook()
        /// The presentation time of the last frame, in nanoseconds.
        var lastTime: UInt64?
    }

    /// A format of the pictures, and the pool of their buffers.
    struct Format {
        var caps: Caps
        var shape: DisplayCaps.Shape
        var pool: BufferPool
        /// The part of the rendered picture that is output.
        var crop: RenderedCrop
    }

    private let settings = ElementSettings(DevelopSettings.properties)
    let stream = Mutex<Stream?>(nil)
    let element: ElementHandle

    /// Creates the behaviour of a `rawdevelop` element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "rawdevelop", typeName: "GscapRawDevelop", longName: "RAW developer",
        classification: "Filter/Converter/Video",
        summary: "Renders Bayer frames and linear photos for display: levels, white balance, colour, look",
        author: Element.gscapAuthor,
        padTemplates: [
            .sink(caps: RawFrameFormat.template), .source(caps: DisplayCaps.template),
        ],
        properties: DevelopSettings.properties.declarations)

    /// Sets a property to a new value. A new colour space is negotiated before the next frame.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        let earlier = settings.current.colorSpace
        if try settings.set(name, to: value).colorSpace != earlier { element.renegotiate() }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }
}

// MARK: - Formats

extension RawDevelop {
    /// Returns the possible output caps: the input size, or for a preview any size up to it.
    public func outputCaps(for input: Caps) -> Caps {
        let settings = settings.current
        let isPreview = settings.isPreview
        return Caps(
            DisplayCaps.formats(isPreview: isPreview, color: settings.colorSpace?.color).flatMap { format in
                input.structures.map { structure in
                    var output = format
                    for field in ["width", "height"] {
                        output[field] = isPreview ? DisplayCaps.upTo(structure[field]) : structure[field]
                    }
                    output["framerate"] = structure["framerate"]
                    // Of the ratios that a scaler accepts, GStreamer would choose the smallest.
                    output["pixel-aspect-ratio"] = .fraction(Fraction(1, 1))
                    if case .fraction? = structure["pixel-aspect-ratio"] {
                        output["pixel-aspect-ratio"] = structure["pixel-aspect-ratio"]
                    }
                    return output
                }
            })
    }

    /// Returns the possible input caps: the output size, or for a preview any size.
    public func inputCaps(for output: Caps) -> Caps {
        let isPreview = settings.current.isPreview
        return Caps(
            output.structures.flatMap { structure in
                [Structure("video/x-bayer"), Structure("video/x-raw", ["format": "RGBA64_LE"])].map { format in
                    var input = format
                    if !isPreview {
                        for field in ["width", "height"] { input[field] = structure[field] }
                    }
                    input["framerate"] = structure["framerate"]
                    return input
                }
            })
    }

    /// Selects the size of a preview that downstream leaves open: the largest in the frame's aspect ratio that fits the
    /// largest size downstream accepts, and at most 1920×1080.
    public func fixate(output: Caps, input: Caps) -> Caps {
        guard let structure = input.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer, width > 0, height > 0
        else { return output.fixated() }
        let (widest, highest) = (Self.most(output, "width") ?? 1920, Self.most(output, "height") ?? 1080)
        let scale = min(1, Double(widest) / Double(width), Double(highest) / Double(height))
        func even(_ side: Double, most: Int) -> Value {
            .int(Int32(max(2, min(Int((side / 2).rounded()), most / 2) * 2)))
        }
        let fitting = Caps(
            "video/x-raw",
            [
                "width": scale < 1 ? even(Double(width) * scale, most: widest) : .int(Int32(width)),
                "height": scale < 1 ? even(Double(height) * scale, most: highest) : .int(Int32(height)),
            ])
        let accepted = output.intersection(fitting)
        if !accepted.isEmpty { return accepted.fixated() }
        return withAspectRatio(output, width: width, height: height).fixated()
    }

    /// Returns the upper end of the range of a field, "width" or "height", in the first structure of caps, but at most
    /// 1920 or 1080; nil if the field is not a range.
    private static func most(_ caps: Caps, _ field: String) -> Int? {
        guard case .intRange(let range)? = caps.first?[field] else { return nil }
        return min(Int(range.upperBound), field == "width" ? 1920 : 1080)
    }

    /// Returns the caps with the free side (width or height) computed from the fixed one, so that the picture has the
    /// frame's aspect ratio as far as the caps allow. `width` and `height` are the frame's.
    private func withAspectRatio(_ output: Caps, width: Int, height: Int) -> Caps {
        var structure = output.first ?? Structure("video/x-raw")
        func set(_ side: String, to length: Int) {
            guard case .intRange(let range)? = structure[side] else { return }
            structure[side] = .int(min(max(Int32(clamping: length), range.lowerBound), range.upperBound))
        }
        if let outputWidth = structure["width"]?.integer {
            set("height", to: (outputWidth * height + width / 2) / width)
        } else if let outputHeight = structure["height"]?.integer {
            set("width", to: (outputHeight * width + height / 2) / height)
        }
        let accepted = output.intersection(Caps([structure]))
        return accepted.isEmpty ? output : accepted
    }

    /// Stores the negotiated formats. Keeps the buffer pool if the size of the pictures stays the same, as between
    /// linear photos and mosaics.
    public func setCaps(input: Caps, output: Caps) throws {
        let source = try RawFrameFormat(input)
        let target = try DisplayCaps.shape(output)
        let earlier = stream.withLock { $0?.negotiated.pool }
        let pool = earlier?.size == target.size ? earlier : nil
        let format = Format(
            caps: output, shape: target, pool: try pool ?? BufferPool(size: target.size),
            crop: RenderedCrop(target, nil))
        stream.withLock { $0 = Stream(input: source, negotiated: format, output: format) }
    }

    /// Offers buffers of the size of a frame.
    public func inputAllocation(for caps: Caps) -> InputAllocation? {
        (try? RawFrameFormat(caps)).map { InputAllocation(size: $0.byteCount) }
    }

    /// Releases the buffer pool and the cached preview renderer.
    public func stop() { stream.withLock { $0 = nil } }
}

// MARK: - Frames

extension RawDevelop {
    /// Renders a frame and pushes the picture. A frame of a capture that cannot be rendered fails only its own photo;
    /// the stream continues.
    public func process(_ frame: consuming Buffer, output: Pad) throws {
        let picture: Buffer
        do {
            picture = try self.picture(of: frame, output)
        } catch {
            guard let place = CapturePlace(frame), !(error is FlowError) else { throw error }
            return element.postFailure(of: place, "\(error)")
        }
        try output.push(picture)
    }

    /// Returns the picture of a frame, whose metadata contains the recipe that was used. The settings of the frame's
    /// capture may change the format of `output` first.
    private func picture(of frame: borrowing Buffer, _ output: Pad) throws -> Buffer {
        let settings = try settings.current(for: frame, of: element)
        var outputMetadata = frame.frameMetadata
        try selectFormat(settings, outputMetadata, output)
        guard let (input, format) = stream.withLock({ $0.map { ($0.input, $0.output) } }) else {
            throw FlowError.notNegotiated
        }
        var metadata = outputMetadata ?? input.metadata
        let time = frame.presentationTime
        var picture = try format.pool.acquire()
        try atPhotoPriority(frame.photoPriority, if: !settings.isPreview) { () throws in
            try frame.newReference().placingRows(of: input).withValues(of: UInt16.self) { values throws in
                try setLook(of: &metadata, values, input, at: time, settings)
                switch format.shape {
                case .display(let shape, let color):
                    try picture.withMutableValues(of: UInt8.self) { (bytes: inout MutableSpan<UInt8>) throws in
                        try format.crop.withWhole(shape, &bytes) { (bytes: inout MutableSpan<UInt8>, shape) throws in
                            try develop(values, input, metadata, into: &bytes, shape, color, settings)
                        }
                    }
                case .subsampled(let shape):
                    try picture.withMutableValues(of: UInt8.self) { (bytes: inout MutableSpan<UInt8>) throws in
                        try preview(values, input, metadata, into: &bytes, shape, settings)
                    }
                case .wide(let color, _, _):
                    let wide = format.crop.rows(of: try developWide(values, input, metadata, color, settings))
                    picture.withMutableValues(of: UInt16.self) { DisplayCaps.store(wide, in: &$0) }
                }
            }
        }
        let view = settings.isPreview ? settings.view(of: input, in: format) : format.crop.view
        picture.inherit(from: frame, view: view)
        outputMetadata?.recipe = metadata.recipe
        outputMetadata.map { outputMetadata = format.crop.metadata($0) }
        if settings.isPreview {
            // The gain map and the tone curve are removed from the preview's metadata: they are already applied, and
            // too large to copy for each frame of a live view.
            outputMetadata?.recipe?.gainTableMap = nil
            outputMetadata?.recipe?.toneCurve = nil
        }
        if let outputMetadata { try picture.setFrameMetadata(outputMetadata) }
        return picture
    }

    /// Sets the recipe for rendering the frame. In a live view the recipe and the white balance follow those of the
    /// earlier frames smoothly.
    private func setLook(
        of metadata: inout FrameMetadata, _ values: Span<UInt16>, _ input: RawFrameFormat, at time: UInt64?,
        _ settings: DevelopSettings
    ) throws {
        guard settings.hasLook else {
            metadata.recipe = nil
            return
        }
        switch input {
        case .linear(let format): metadata.recipe = try PhotoLook.recipe(linear: values, format, metadata)
        case .mosaic(let format) where !settings.isPreview:
            metadata.recipe = try PhotoLook.recipe(mosaic: values, format, metadata)
        case .mosaic(let format):
            guard let (earlier, last) = stream.withLock({ $0.map { ($0.live, $0.lastTime) } }) else { return }
            var live = earlier
            let state = try live.next(
                mosaic: values, format: format, metadata: metadata, after: Self.seconds(from: last, to: time))
            stream.withLock { stream in
                stream?.live = live
                stream?.lastTime = time
            }
            metadata.recipe = state.recipe
            metadata.neutral = state.neutral
        }
    }

    /// Returns the time between two frames in seconds from their timestamps in nanoseconds; 1/30 s if one is missing or
    /// time runs backwards.
    private static func seconds(from last: UInt64?, to time: UInt64?) -> Double {
        guard let last, let time, time >= last else { return 1.0 / 30 }
        return Double(time - last) / 1e9
    }

    /// Renders an 8-bit picture: previews with the fast preview renderer, others with the full renderer and the
    /// complete recipe.
    @_lifetime(bytes: copy bytes)
    private func develop(
        _ values: Span<UInt16>, _ input: RawFrameFormat, _ metadata: FrameMetadata,
        into bytes: inout MutableSpan<UInt8>,
        _ shape: DisplayFormat, _ color: PictureColor, _ settings: DevelopSettings
    ) throws {
        let recipe = Self.recipe(of: metadata, settings)
        let output = Renderer.Output(color: color)
        switch (input, settings.isPreview) {
        case (.linear(let format), true):
            try developer(for: metadata, recipe).develop(
                values, format: format, into: &bytes, output: shape, view: settings.view(of: input))
        case (.mosaic(let format), true):
            // Uses one core only: the preview runs while captures are fused and encoded.
            try developer(for: metadata, recipe).preview(
                values, format: format, into: &bytes, output: shape, view: settings.view(of: input), cores: 1)
        case (.linear(let format), false):
            try Renderer.render(
                linear: values, format: format, metadata: metadata, recipe: recipe, output, into: &bytes, display: shape
            )
        case (.mosaic(let format), false):
            try Renderer.render(
                mosaic: values, format: format, metadata: metadata, recipe: recipe, output, into: &bytes, display: shape
            )
        }
    }

    /// Renders a preview as luma and subsampled chroma.
    @_lifetime(bytes: copy bytes)
    private func preview(
        _ values: Span<UInt16>, _ input: RawFrameFormat, _ metadata: FrameMetadata,
        into bytes: inout MutableSpan<UInt8>,
        _ shape: SubsampledFormat, _ settings: DevelopSettings
    ) throws {
        let developer = try developer(for: metadata, Self.recipe(of: metadata, settings))
        switch input {
        case .linear(let format):
            try developer.develop(values, format: format, into: &bytes, output: shape, view: settings.view(of: input))
        case .mosaic(let format):
            try developer.preview(
                values, format: format, into: &bytes, output: shape, view: settings.view(of: input), cores: 1)
        }
    }

    /// Returns the frame's recipe with the property `exposure` added, limited to ±16 EV.
    private static func recipe(of metadata: FrameMetadata, _ settings: DevelopSettings) -> Recipe {
        var recipe = metadata.recipe ?? .plain
        recipe.exposure = max(-16, min(16, recipe.exposure + settings.exposure))
        return recipe
    }

    /// Renders the picture with 16 bits per sample.
    private func developWide(
        _ values: Span<UInt16>, _ input: RawFrameFormat, _ metadata: FrameMetadata, _ color: PictureColor,
        _ settings: DevelopSettings
    ) throws -> [UInt16] {
        let output = Renderer.Output(color: color, depth: .sixteen)
        let recipe = Self.recipe(of: metadata, settings)
        let picture =
            switch input {
            case .linear(let format):
                try Renderer.picture(linear: values, format: format, metadata: metadata, recipe: recipe, output)
            case .mosaic(let format):
                try Renderer.picture(mosaic: values, format: format, metadata: metadata, recipe: recipe, output)
            }
        guard case .words(let words) = picture.samples else {
            throw GscapError(message: "the renderer returned 8 bits per sample, not 16")
        }
        return words
    }

    /// Returns the cached preview renderer if it fits the frame, or else a new one: creating one costs more than
    /// rendering a small picture.
    private func developer(for metadata: FrameMetadata, _ recipe: Recipe) throws -> PreviewRenderer {
        if let cached = stream.withLock({ $0?.developer }), cached.serves(metadata, recipe: recipe) { return cached }
        let developer = try PreviewRenderer(metadata: metadata, recipe: recipe)
        stream.withLock { $0?.developer = developer }
        return developer
    }
}

extension DevelopSettings {
    /// Returns the part of a frame that a preview shows and the preview's size, for metadata with positions in the
    /// frame.
    fileprivate func view(of input: RawFrameFormat, in format: RawDevelop.Format) -> PictureView {
        let whole = PixelRectangle(left: 0, top: 0, width: input.size.width, height: input.size.height)
        let part = view(of: input) ?? whole
        return PictureView(
            left: part.left, top: part.top, width: part.width, height: part.height,
            outputWidth: format.crop.width, outputHeight: format.crop.height)
    }

    /// Returns the part of a frame that a preview shows; nil for all of it.
    fileprivate func view(of input: RawFrameFormat) -> PixelRectangle? {
        zoom <= 1 ? nil : PixelRectangle(width: input.size.width, height: input.size.height, zoomedBy: zoom)
    }
}
