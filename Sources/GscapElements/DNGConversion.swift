package import DNG
package import RawImage

/// Stores the photo of a DNG again, with another compression, bit depth, preview or description. All other metadata is
/// copied.
package struct DNGConversion: Sendable {
    /// The previews of the new file.
    package enum Preview: Sendable, Hashable {
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

    /// The compression, unless `customization` selects lossy JPEG.
    package var storage = PixelStorage.losslessJPEG()
    /// The bit depth and the quality.
    package var customization: DNGCustomization
    /// The previews.
    package var preview = Preview.keep
    /// Whether location, artist, title, mattes, depth map and all but one preview are left out.
    package var isStripped = false
    /// The description in place of the file's; nil copies the file's.
    package var details: DescriptiveMetadata?

    /// Creates a conversion with a bit depth (nil: the default of `DNGWriter`) and a quality, 1 for lossless.
    package init(bitDepth: Int? = nil, quality: Double = 1) {
        customization = DNGCustomization(bitDepth: bitDepth, quality: quality)
    }

    /// Returns the warning that a quality below 1 ignores the bit depth; nil if both take effect.
    package static func warning(bitDepth: Int?, quality: Double) -> String? {
        DNGCustomization(bitDepth: bitDepth, quality: quality).warning
    }

    /// Encodes the photo of a DNG as a new DNG.
    ///
    /// Throws if a part of the file is damaged, or if a table of its look or an opcode list is invalid and would be
    /// left out, unless the file accepts damage.
    package func encode(_ file: DNGFile) throws -> DNGData {
        if let problem = file.tagProblems.first, !file.acceptsDamage {
            throw DNGError(
                .malformed, "\(problem.message): use another copy of the file, or accept the damage (--accept-damage)")
        }
        var writer = DNGWriter()
        writer.softwareVersion = GscapPlugin.version
        writer.storage = storage
        writer.customize(customization)
        writer.recipe = file.recipe
        if case .keep = preview { try keepPreviews(of: file, in: &writer) }
        if !isStripped {
            writer.mattes = try file.mattes()
            writer.depthMap = try file.depthMap()
            // The XMP packet contains the description, so a new description needs a new packet.
            if details == nil { writer.xmp = file.xmp }
        }
        guard let main = file.main else { throw file.noRawPicture }
        guard main.kind != .xTrans else {
            throw DNGError(
                .unsupported, "the raw picture is an X-Trans mosaic, which is not converted: develop it to a picture")
        }
        return main.kind == .bayer ? try mosaic(file, writer) : try linear(file, writer)
    }

    /// Copies the DNG's previews; those stored as RGB JPEG are copied without decoding. If the file is stripped, copies
    /// the first alone.
    private func keepPreviews(of file: DNGFile, in writer: inout DNGWriter) throws {
        let previews = try file.images.filter { $0.kind == .preview }.map { image in
            guard let jpeg = try file.previewJPEG(image), image.samplesPerPixel == 3 else {
                return try file.preview(image)
            }
            return DNGPreview(width: image.width, height: image.height, jpeg: jpeg)
        }
        writer.preview = previews.first
        writer.furtherPreviews = isStripped ? [] : Array(previews.dropFirst())
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
        let (codes, metadata) = (mosaic.codes, changed(mosaic.metadata, file))
        if let new = newPreview {
            writer.preview = try new.of(codes.span, mosaic.format, metadata, writer.recipe)
        }
        return try writer.encode(mosaic: codes.span, format: mosaic.format, metadata: metadata)
    }

    /// Encodes the pixels of a linear DNG, with a new preview if one is rendered.
    private func linear(_ file: DNGFile, _ writer: DNGWriter) throws -> DNGData {
        let photo = try file.linearImage()
        var writer = writer
        let (values, metadata) = (photo.values, changed(photo.metadata, file))
        if let new = newPreview {
            writer.preview = try new.of(values.span, photo.format, metadata, writer.recipe)
        }
        return try writer.encode(linear: values.span, format: photo.format, metadata: metadata)
    }

    /// Returns the metadata with the new description, and without location, artist and title if the file is stripped.
    private func changed(_ metadata: FrameMetadata, _ file: DNGFile) -> FrameMetadata {
        var metadata = metadata
        metadata.history.acceptedDamage += file.tagProblems.map(\.message)
        if case .keep = preview { metadata.history.acceptedDamage += file.acceptedPreviewDamage }
        if let details { metadata.details = details }
        if isStripped {
            metadata.details.location = nil
            metadata.details.artist = ""
            metadata.details.title = ""
        }
        return metadata
    }
}
