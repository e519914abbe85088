internal import DNG
internal import GSCapture
internal import GscapElements
internal import RawImage

/// `gscap convert IN.dng OUT.dng`: stores a photo with another compression, bit depth or preview.
enum ConvertCommand: Subcommand {
    static let name = "convert"
    static let synopsis = "IN.dng OUT.dng"
    static let summary = "change the compression or preview of a DNG"
    static let help = """
        usage: gscap convert IN.dng OUT.dng [options]

        Stores the photo of a DNG of any maker with another compression, bit depth or preview. Its metadata is copied.

          --compression METHOD      lossless (lossless JPEG, default), none or jpeg-xl (needs a reader of DNG 1.7)
          --predictor N             the predictor of lossless JPEG: 1 to 7 (default: 1); 7 makes the file slightly
                                    smaller, but not every reader supports it
          --bits N                  bits per sample, 8 to 16, along a curve that follows the noise (default: 12 for
                                    linear photos, the sensor's depth for Bayer ones)
          --quality Q               below 1: store a linear photo as lossy JPEG with 8 bits per sample
          --preview WHICH           keep (default), full (rendered at the photo's size), small, or the longest side
                                    in pixels; with lossy JPEG the default is a new one of half the photo's size
          --strip                   remove location, artist, title, mattes, depth map and all but one preview

        Examples
          gscap convert photo.dng small.dng --quality 0.9 --preview 1024
        """
    static let options: [Options.Declaration] = [
        .value("--compression"), .value("--predictor"), .value("--bits"), .value("--quality"), .value("--preview"),
        .flag("--strip"),
    ]

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        guard options.operands.count == 2 else {
            throw Failure(.usage, "an input and an output are needed: gscap convert IN.dng OUT.dng")
        }
        let (source, target) = (options.operands[0], options.operands[1])
        var settings = try Settings(options)
        let file = try DNGInput.open(source)
        do {
            let data = try settings.encode(file, console)
            try data.withBytes { (bytes) throws(CaptureError) in try AtomicFile.write(bytes, to: target) }
            console.event(
                "file",
                [("file", .text(target)), ("bytes", .integer(data.count)), ("bytesBefore", .integer(file.byteCount))])
            if !console.isJSON {
                console.print("\(target)  \(TextFormat.size(data.count)), was \(TextFormat.size(file.byteCount))")
            }
        } catch let error as DNGError {
            throw Failure(ExitCode(error), "\(source): \(error.message)")
        }
        return .done
    }

    /// The options of a conversion.
    private struct Settings {
        private var storage = PixelStorage.losslessJPEG()
        private var customization: DNGCustomization
        private var preview: Preview
        /// Whether private and optional data are left out (`--strip`).
        private let strips: Bool

        private enum Preview {
            /// Copies the file's previews.
            case keep
            /// Renders a new preview whose longest side has at most this many pixels; nil for the photo's own size.
            case render(longestSide: Int?)
            /// Renders a new preview of half the photo's size, for photos stored as lossy JPEG:
            /// `DNGPreviewRenderer.isHalved` gives the reason.
            case half
            /// Leaves it to `DNGWriter` to make a small preview.
            case small
        }

        init(_ options: Options) throws(Failure) {
            let predictor = try options.integer("--predictor", in: 1...7) ?? 1
            switch options.value("--compression") {
            case nil, "lossless": storage = .losslessJPEG(predictor: predictor)
            case "none": storage = .uncompressed
            case "jpeg-xl": storage = .jpegXL()
            case let word?:
                throw Failure(.usage, "--compression must be lossless, none or jpeg-xl, not \"\(word)\"")
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
            case "full": return .render(longestSide: nil)
            case "small": return .small
            case .some:
                return .render(longestSide: try options.integer("--preview", in: 16...65_535))
            }
        }

        /// Encodes the photo of a DNG as a new DNG with these options.
        mutating func encode(_ file: DNGFile, _ console: Console) throws -> DNGData {
            if let warning = customization.warning { console.note(warning) }
            var writer = DNGWriter()
            writer.softwareVersion = Software.version
            writer.storage = storage
            writer.customize(customization)
            writer.recipe = file.recipe
            if case .keep = preview { try keepPreviews(of: file, in: &writer) }
            if !strips {
                writer.mattes = try file.mattes()
                writer.depthMap = try file.depthMap()
                writer.xmp = file.xmp
            }
            guard let main = file.main else { throw DNGError(.noSuchImage, "the file contains no raw image") }
            return main.kind == .bayer ? try mosaic(file, writer) : try linear(file, writer)
        }

        /// Copies the DNG's previews; those stored as RGB JPEG are copied without decoding. With `--strip`, copies the
        /// first alone.
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

        /// The renderer of the new preview; nil if none is rendered.
        private var newPreview: DNGPreviewRenderer? {
            switch preview {
            case .render(let side): DNGPreviewRenderer(longestSide: side)
            case .half: DNGPreviewRenderer(isHalved: true)
            case .keep, .small: nil
            }
        }

        /// Encodes the mosaic of a Bayer DNG, with a new preview if one is rendered.
        private func mosaic(_ file: DNGFile, _ writer: DNGWriter) throws -> DNGData {
            let mosaic = try file.mosaic()
            var writer = writer
            let (codes, metadata) = (mosaic.codes, stripped(mosaic.metadata))
            if let new = newPreview {
                writer.preview = try new.of(codes.span, mosaic.format, metadata, writer.recipe)
            }
            return try writer.encode(mosaic: codes.span, format: mosaic.format, metadata: metadata)
        }

        /// Encodes the pixels of a linear DNG, with a new preview if one is rendered.
        private func linear(_ file: DNGFile, _ writer: DNGWriter) throws -> DNGData {
            let photo = try file.linearImage()
            var writer = writer
            let (values, metadata) = (photo.values, stripped(photo.metadata))
            if let new = newPreview {
                writer.preview = try new.of(values.span, photo.format, metadata, writer.recipe)
            }
            return try writer.encode(linear: values.span, format: photo.format, metadata: metadata)
        }

        /// Removes location, artist and title from the metadata if `--strip` is given.
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
