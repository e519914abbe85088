internal import DNG
internal import GSCapture
internal import GscapElements
internal import RawImage

/// `gscap convert IN.dng OUT.dng`: the same photo, stored in another way.
enum ConvertCommand {
    private static let known: [Options.Known] = [
        .value("--compression"), .value("--predictor"), .value("--bits"), .value("--quality"), .value("--preview"),
        .flag("--strip"), .flag("--json"), .flag("--verbose"), .flag("--help"),
    ]

    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help("convert") }
        guard options.operands.count == 2 else {
            throw Failure(.usage, "say what to convert, and into what: gscap convert IN.dng OUT.dng")
        }
        let (source, target) = (options.operands[0], options.operands[1])
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        var settings = try Settings(options)
        let file = try DNGInput.open(source)
        do {
            let data = try settings.encode(file, console)
            try data.withBytes { (bytes) throws(CaptureError) in try WholeFile.write(bytes, to: target) }
            console.event(
                "file",
                [("file", .text(target)), ("bytes", .integer(data.count)), ("bytesBefore", .integer(file.byteCount))])
            if !console.isJSON {
                console.print("\(target)  \(Words.size(data.count)), was \(Words.size(file.byteCount))")
            }
        } catch let error as DNGError {
            throw Failure(ExitCode(error), "\(source): \(error.message)")
        }
        return .done
    }

    /// What is asked for.
    private struct Settings {
        private var storage = PixelStorage.losslessJPEG()
        private var customization: DNGCustomization
        private var preview: Preview
        private let strips: Bool

        private enum Preview {
            case keep
            case make(longestSide: Int?)
            /// Half as large as a photo with loss: see `FilePreview`.
            case half
            case small
        }

        init(_ options: Options) throws(Failure) {
            let predictor = try options.integer("--predictor", in: 1...7) ?? 1
            switch options.value("--compression") {
            case nil, "lossless": storage = .losslessJPEG(predictor: predictor)
            case "none": storage = .uncompressed
            case "jpeg-xl": storage = .jpegXL()
            case let word?:
                throw Failure(.usage, "--compression is lossless, none or jpeg-xl, not \"\(word)\"")
            }
            let quality = try options.number("--quality", in: 0...1) ?? 1
            customization = DNGCustomization(bitDepth: try options.integer("--bits", in: 8...16), quality: quality)
            strips = options.has("--strip")
            preview = try Self.preview(options)
        }

        private static func preview(_ options: Options) throws(Failure) -> Preview {
            switch options.value("--preview") {
            case nil:
                let isLossy = try options.number("--quality", in: 0...1).map { $0 < 1 } ?? false
                return options.has("--strip") ? .small : isLossy ? .half : .keep
            case "keep": return .keep
            case "full": return .make(longestSide: nil)
            case "small": return .small
            case .some:
                return .make(longestSide: try options.integer("--preview", in: 16...65_535))
            }
        }

        /// The new file.
        mutating func encode(_ file: DNGFile, _ console: Console) throws -> DNGData {
            if let warning = customization.warning { console.note(warning) }
            var writer = DNGWriter()
            writer.softwareVersion = Command.version
            writer.storage = storage
            writer.customize(customization)
            writer.recipe = file.recipe
            if case .keep = preview { try keepPreviews(of: file, in: &writer) }
            if !strips {
                writer.mattes = try file.mattes()
                writer.depthMap = try file.depthMap()
                writer.xmp = file.xmp
            }
            guard let main = file.main else { throw DNGError(.noSuchImage, "there is no raw picture in it") }
            return main.kind == .bayer ? try mosaic(file, writer) : try linear(file, writer)
        }

        private func keepPreviews(of file: DNGFile, in writer: inout DNGWriter) throws {
            let previews = try file.images.filter { $0.kind == .preview }.map { image in
                guard let jpeg = try file.previewJPEG(image), image.samplesPerPixel == 3 else {
                    return try file.preview(image)
                }
                return DNGPreview(width: image.width, height: image.height, jpeg: jpeg)
            }
            writer.preview = previews.first
            writer.furtherPreviews = strips ? [] : Array(previews.dropFirst())
        }

        /// The preview to make; nil when none is.
        private var newPreview: FilePreview? {
            switch preview {
            case .make(let side): FilePreview(longestSide: side)
            case .half: FilePreview(isHalved: true)
            case .keep, .small: nil
            }
        }

        private func mosaic(_ file: DNGFile, _ writer: DNGWriter) throws -> DNGData {
            let mosaic = try file.mosaic()
            var writer = writer
            let (codes, metadata) = (mosaic.codes, stripped(mosaic.metadata))
            if let new = newPreview {
                writer.preview = try new.of(codes.span, mosaic.format, metadata, writer.recipe)
            }
            return try writer.encode(mosaic: codes.span, format: mosaic.format, metadata: metadata)
        }

        private func linear(_ file: DNGFile, _ writer: DNGWriter) throws -> DNGData {
            let photo = try file.linearImage()
            var writer = writer
            let (values, metadata) = (photo.values, stripped(photo.metadata))
            if let new = newPreview {
                writer.preview = try new.of(values.span, photo.format, metadata, writer.recipe)
            }
            return try writer.encode(linear: values.span, format: photo.format, metadata: metadata)
        }

        /// Without what tells of the photographer and the place.
        private func stripped(_ metadata: FrameMetadata) -> FrameMetadata {
            guard strips else { return metadata }
            var metadata = metadata
            metadata.details.location = nil
            metadata.details.artist = ""
            metadata.details.title = ""
            return metadata
        }
    }
}
