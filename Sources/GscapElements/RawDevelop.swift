internal import Develop
public import GStreamer
internal import RawImage
internal import Synchronization

/// Makes display pictures of Bayer frames and linear photos, by what the frames tell of themselves.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawdevelop quality=preview ! videoconvert ! autovideosink
public final class RawDevelop: TransformBehaviour {
    private struct Settings {
        var isPreview = false
        var exposure = 0.0
        var hasLook = true
    }

    private enum Input {
        case mosaic(MosaicFormat)
        case linear(LinearFormat)
    }

    /// What the streaming thread works with.
    private struct Stream {
        var input: Input
        var output: DisplayCaps.Shape
        var pool: BufferPool
        var developer: Developer?
        var live = LiveLook()
        /// When the last frame was shown, in nanoseconds of the stream.
        var shown: UInt64?
    }

    private let settings = Mutex(Settings())
    private let stream = Mutex<Stream?>(nil)
    private let element: ElementHandle

    /// A developer for an element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// What gst-inspect shows.
    public static let elementClass = ElementClass(
        factoryName: "rawdevelop", typeName: "GscapRawDevelop", longName: "RAW developer",
        classification: "Filter/Converter/Video",
        summary: "Turns Bayer frames and linear photos into pictures for the eye: levels, white balance, colours, look",
        author: Element.gscapAuthor,
        padTemplates: [
            .sink(caps: BayerCaps.template + "; " + LinearCaps.template), .source(caps: DisplayCaps.template),
        ],
        properties: [
            ElementProperty(
                "quality",
                .enumeration(
                    EnumerationType(
                        "GscapDevelopQuality",
                        [
                            .init(0, nick: "full", name: "Every pixel, at full size"),
                            .init(1, nick: "preview", name: "Fast, at any smaller size, for live view"),
                        ]), default: 0), blurb: "What matters more", options: [.readWrite, .mutableReady]),
            ElementProperty(
                "exposure", .double(-16...16, default: 0), blurb: "Brighter or darker, in EV",
                options: [.readWrite, .mutablePlaying]),
            ElementProperty(
                "look",
                .enumeration(
                    EnumerationType(
                        "GscapDevelopLook",
                        [
                            .init(0, nick: "auto", name: "The photo's own, or one made of its light"),
                            .init(1, nick: "none", name: "As the camera took it"),
                        ]), default: 0), blurb: "How the picture is to look", options: [.readWrite, .mutablePlaying]),
        ])

    /// Takes a new value.
    public func setProperty(_ name: String, to value: Value) {
        settings.withLock { settings in
            switch name {
            case "quality": settings.isPreview = value.integer == 1
            case "look": settings.hasLook = value.integer != 1
            default: settings.exposure = value.number ?? settings.exposure
            }
        }
    }

    /// A property's value.
    public func property(_ name: String) -> Value {
        settings.withLock { settings in
            switch name {
            case "quality":
                .enumeration(settings.isPreview ? 1 : 0, nick: settings.isPreview ? "preview" : "full")
            case "look": .enumeration(settings.hasLook ? 0 : 1, nick: settings.hasLook ? "auto" : "none")
            default: .double(settings.exposure)
            }
        }
    }
}

// MARK: - Formats

extension RawDevelop {
    /// Pictures of the same size, or of any smaller one for a preview.
    public func outputCaps(for input: Caps) -> Caps {
        let isPreview = settings.withLock { $0.isPreview }
        return Caps(
            DisplayCaps.formats(isPreview: isPreview).flatMap { format in
                input.structures.map { structure in
                    var output = format
                    for field in ["width", "height"] {
                        output[field] = isPreview ? DisplayCaps.upTo(structure[field]) : structure[field]
                    }
                    output["framerate"] = structure["framerate"]
                    return output
                }
            })
    }

    /// Frames of the same size, or of any larger one for a preview.
    public func inputCaps(for output: Caps) -> Caps {
        let isPreview = settings.withLock { $0.isPreview }
        return Caps(
            output.structures.flatMap { structure in
                [Structure("video/x-bayer"), Structure("video/x-raw", ["format": "RGBA64_LE"])].map { bare in
                    var input = bare
                    if !isPreview {
                        for field in ["width", "height"] { input[field] = structure[field] }
                    }
                    input["framerate"] = structure["framerate"]
                    return input
                }
            })
    }

    /// For a preview whose size nobody asks for: what fits a 1080-line screen, in the frame's proportions.
    public func fixate(output: Caps, input: Caps) -> Caps {
        guard let structure = input.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer, width > 0, height > 0
        else { return output.fixated() }
        let scale = min(1, 1920 / Double(width), 1080 / Double(height))
        func even(_ side: Double) -> Value { .int(Int32(max(2, Int(side / 2) * 2))) }
        let fitting = Caps(
            "video/x-raw",
            [
                "width": scale < 1 ? even(Double(width) * scale) : .int(Int32(width)),
                "height": scale < 1 ? even(Double(height) * scale) : .int(Int32(height)),
            ])
        let met = output.intersection(fitting)
        if !met.isEmpty { return met.fixated() }
        return withProportions(output, width: width, height: height).fixated()
    }

    /// One side asked for: the other follows.
    private func withProportions(_ output: Caps, width: Int, height: Int) -> Caps {
        var structure = output.first ?? Structure("video/x-raw")
        if let wanted = structure["width"]?.integer {
            structure["height"] = .int(Int32(max(1, (wanted * height + width / 2) / width)))
        } else if let wanted = structure["height"]?.integer {
            structure["width"] = .int(Int32(max(1, (wanted * width + height / 2) / height)))
        }
        let met = output.intersection(Caps([structure]))
        return met.isEmpty ? output : met
    }

    /// Takes the formats agreed on.
    public func setCaps(input: Caps, output: Caps) throws {
        let isBayer = input.first?.name == "video/x-bayer"
        let source: Input = isBayer ? .mosaic(try BayerCaps.format(input)) : .linear(try LinearCaps.format(input))
        let target = try DisplayCaps.shape(output)
        let pool = try BufferPool(size: target.size, caps: output)
        stream.withLock { $0 = Stream(input: source, output: target, pool: pool) }
    }

    /// Lets the buffers go.
    public func stop() { stream.withLock { $0 = nil } }
}

// MARK: - Frames

extension RawDevelop {
    /// Develops a frame.
    public func process(_ frame: consuming Buffer, output: Pad) throws {
        guard let (input, shape, pool) = stream.withLock({ $0.map { ($0.input, $0.output, $0.pool) } }) else {
            throw FlowError.notNegotiated
        }
        var told = frame.frameMetadata
        var metadata = told ?? Self.unknown(input)
        let time = frame.presentationTime
        var picture = try pool.acquire()
        try frame.withValues(of: UInt16.self) { values throws in
            try giveLook(to: &metadata, values, input, at: time)
            switch shape {
            case .display(let shape):
                try picture.withMutableValues(of: UInt8.self) { (bytes: inout MutableSpan<UInt8>) throws in
                    try develop(values, input, metadata, into: &bytes, shape)
                }
            case .wide(let color, _, _):
                let wide = try developWide(values, input, metadata, color)
                picture.withMutableValues(of: UInt16.self) { DisplayCaps.store(wide, in: &$0) }
            }
        }
        picture.copyTimes(from: frame)
        told?.recipe = metadata.recipe
        if settings.withLock({ $0.isPreview }) {
            // What is shown has them in it, and so many numbers are not to ride on each frame of a live view.
            told?.recipe?.gainTableMap = nil
            told?.recipe?.toneCurve = nil
        }
        if let told { try picture.setFrameMetadata(told) }
        try output.push(picture)
    }

    /// Sets the recipe that the frame is shown by. A live view's comes smoothly out of those of the frames before.
    private func giveLook(
        to metadata: inout FrameMetadata, _ values: Span<UInt16>, _ input: Input, at time: UInt64?
    ) throws {
        let settings = settings.withLock { $0 }
        guard settings.hasLook else {
            metadata.recipe = nil
            return
        }
        switch input {
        case .linear(let format): metadata.recipe = try PhotoLook.recipe(linear: values, format, metadata)
        case .mosaic(let format) where !settings.isPreview:
            metadata.recipe = try PhotoLook.recipe(mosaic: values, format, metadata)
        case .mosaic(let format):
            guard var live = stream.withLock({ $0?.live }) else { return }
            let last = stream.withLock { $0?.shown }
            let state = try live.next(
                mosaic: values, format: format, metadata: metadata, after: Self.seconds(from: last, to: time))
            stream.withLock { stream in
                stream?.live = live
                stream?.shown = time
            }
            metadata.recipe = state.recipe
            metadata.neutral = state.neutral
        }
    }

    /// The time between two frames; that of the usual rate where the stream has no clock.
    private static func seconds(from last: UInt64?, to time: UInt64?) -> Double {
        guard let last, let time, time >= last else { return 1.0 / 30 }
        return Double(time - last) / 1e9
    }

    /// A preview's way is short; every other picture is a finished one, with all that its recipe asks for.
    private func develop(
        _ values: Span<UInt16>, _ input: Input, _ metadata: FrameMetadata, into bytes: inout MutableSpan<UInt8>,
        _ shape: DisplayFormat
    ) throws {
        let recipe = recipe(of: metadata)
        switch (input, settings.withLock { $0.isPreview }) {
        case (.linear(let format), true):
            try developer(for: metadata, recipe).develop(values, format: format, into: &bytes, output: shape)
        case (.mosaic(let format), true):
            // It runs beside captures, so it keeps to one core.
            try developer(for: metadata, recipe).preview(values, format: format, into: &bytes, output: shape, cores: 1)
        case (.linear(let format), false):
            try Renderer.render(
                linear: values, format: format, metadata: metadata, recipe: recipe, Renderer.Output(), into: &bytes,
                display: shape)
        case (.mosaic(let format), false):
            try Renderer.render(
                mosaic: values, format: format, metadata: metadata, recipe: recipe, Renderer.Output(), into: &bytes,
                display: shape)
        }
    }

    /// The frame's look, as bright as is asked for.
    private func recipe(of metadata: FrameMetadata) -> Recipe {
        var recipe = metadata.recipe ?? .plain
        recipe.exposure = max(-16, min(16, recipe.exposure + settings.withLock { $0.exposure }))
        return recipe
    }

    /// The finished picture in 16 bits.
    private func developWide(
        _ values: Span<UInt16>, _ input: Input, _ metadata: FrameMetadata, _ color: PictureColor
    ) throws -> [UInt16] {
        let output = Renderer.Output(color: color, depth: .sixteen)
        let recipe = recipe(of: metadata)
        let picture =
            switch input {
            case .linear(let format):
                try Renderer.picture(linear: values, format: format, metadata: metadata, recipe: recipe, output)
            case .mosaic(let format):
                try Renderer.picture(mosaic: values, format: format, metadata: metadata, recipe: recipe, output)
            }
        guard case .words(let words) = picture.samples else {
            throw GStreamerError(message: "a picture of 16 bits was developed in another depth")
        }
        return words
    }

    /// The developer of the last frame while that serves: making one costs more than a small picture.
    private func developer(for metadata: FrameMetadata, _ recipe: Recipe) throws -> Developer {
        if let made = stream.withLock({ $0?.developer }), made.serves(metadata, recipe: recipe) { return made }
        let made = try Developer(metadata: metadata, recipe: recipe)
        stream.withLock { $0?.developer = made }
        return made
    }

    /// Frames that tell nothing of themselves: the whole range of codes, colours as they are.
    private static func unknown(_ input: Input) -> FrameMetadata {
        switch input {
        case .mosaic(let format): FrameMetadata(bitDepth: format.bitDepth)
        case .linear: FrameMetadata()
        }
    }
}
