package import DNG
internal import Demosaic
package import RawImage

/// Stores the photo of a DNG again, with another compression, bit depth, preview or description. Everything else is
/// copied exactly (`DNGTranscoder`).
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
        /// Renders a new preview of at most 320 pixels.
        case small
    }

    /// The compression, unless `customization` selects lossy JPEG.
    package var storage = PixelStorage.losslessJPEG()
    /// The bit depth and the quality.
    package var customization: DNGCustomization
    /// The previews.
    package var preview = Preview.keep
    /// Whether all about persons, places and the device, mattes, depth map and all but one preview are left out.
    package var isStripped = false
    /// The description in place of the file's; nil copies the file's.
    package var details: DescriptiveMetadata?

    /// Creates a conversion with a bit depth (nil: the codes as they are) and a quality, 1 for lossless.
    package init(bitDepth: Int? = nil, quality: Double = 1) {
        customization = DNGCustomization(bitDepth: bitDepth, quality: quality)
    }

    /// Returns the warning that a quality below 1 ignores the bit depth; nil if both take effect.
    package static func warning(bitDepth: Int?, quality: Double) -> String? {
        DNGCustomization(bitDepth: bitDepth, quality: quality).warning
    }

    /// Encodes the photo of a DNG as a new DNG. `note` is called with what cannot be copied and is therefore left out.
    ///
    /// Throws if a part of the file is damaged, or if a table of its look or an opcode list is invalid, unless the file
    /// accepts damage.
    package func encode(_ file: DNGFile, note: (String) -> Void = { _ in }) throws -> DNGData {
        if let problem = file.tagProblems.first, !file.acceptsDamage {
            throw GscapError(
                .malformed, "\(problem.message): use another copy of the file, or accept the damage (--accept-damage)")
        }
        guard let main = file.main else { throw file.noRawPicture }
        var transcoder = DNGTranscoder()
        transcoder.software.version = GscapPlugin.version
        transcoder.storage = storage
        transcoder.customize(customization)
        transcoder.isStripped = isStripped
        transcoder.details = details
        // Integers of more than 16 bits are decoded to codes of 16, which are compared with the digests.
        let stored = main.isFloatingPoint ? nil : try file.storedSamples(main)
        transcoder.previews = try previews(of: file, stored)
        let copy = try transcoder.encode(file, stored: stored)
        for text in copy.notes { note(text) }
        return copy.data
    }

    private func previews(
        of file: DNGFile, _ stored: DNGFile.StoredSamples?
    ) throws -> DNGTranscoder.Previews {
        var renderer: DNGPreviewRenderer
        switch preview {
        case .keep: return isStripped ? .first : .keep
        case .render(let side): renderer = DNGPreviewRenderer(longestSide: side)
        case .half: renderer = DNGPreviewRenderer(isHalved: true)
        case .small: renderer = DNGPreviewRenderer(longestSide: 320)
        }
        renderer.crop = file.shownAreas?.shown
        return try rendered(by: renderer, file, stored).map { .new($0) } ?? .keep
    }

    /// Renders a new preview; returns nil if the photo is too small for one.
    private func rendered(
        by renderer: DNGPreviewRenderer, _ file: DNGFile, _ stored: DNGFile.StoredSamples?
    ) throws -> DNGPreview? {
        if file.main?.kind == .bayer {
            let mosaic = try file.mosaic(stored: stored)
            return try renderer.of(mosaic.codes.span, mosaic.format, mosaic.metadata, file.recipe)
        }
        let photo = try linearImage(of: file, stored)
        return try renderer.of(photo.values.span, photo.format, photo.metadata, file.recipe)
    }

    /// Decodes a raw picture that is not a Bayer mosaic.
    private func linearImage(of file: DNGFile, _ stored: DNGFile.StoredSamples?) throws -> LinearImage {
        guard file.main?.kind == .xTrans else { return try file.linearImage(stored: stored) }
        return try XTransDemosaic.linear(file.xTransMosaic(stored: stored))
    }
}
