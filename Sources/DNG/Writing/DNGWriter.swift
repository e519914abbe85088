public import RawImage

/// An encoder of DNG files in memory.
///
/// A file holds a preview, the raw picture, its metadata and the look. Equal pictures, metadata and settings give
/// equal bytes.
public struct DNGWriter: Sendable {
    /// The name of the encoding program, for Software and PreviewApplicationName.
    public var software = "gscap"
    /// The version of the encoding program, for Software and PreviewApplicationVersion.
    public var softwareVersion = "1.0"
    /// The compression of the raw picture.
    public var storage = PixelStorage.losslessJPEG()
    /// Bits per stored sample with lossless JPEG, 8…16; fewer than the picture has go through a companding curve fitted
    /// to its noise. nil stores 12 for a linear photo, 16 for a bracket whose shadows are cleaner than 12 bits store,
    /// and the sensor's depth for a mosaic. Other compressions have one depth each and refuse another.
    public var bitDepth: Int?
    /// The look that raw converters should apply.
    public var recipe = Recipe()
    /// The main preview, stored in IFD0; nil renders a small plain one from the raw picture.
    public var preview: DNGPreview?
    /// The longest side, in pixels, of the preview rendered when `preview` is nil.
    public var previewSide = 320
    /// The JPEG quality, 1…100, for previews that are not compressed yet.
    public var previewQuality = 90
    /// Further previews, in smaller sizes, stored in SubIFDs.
    public var furtherPreviews: [DNGPreview] = []
    /// Semantic masks that mark parts of the scene.
    public var mattes: [Matte] = []
    /// The scene's depth map, if known.
    public var depthMap: DepthMap?
    /// The XMP packet; nil generates one from the metadata.
    public var xmp: String?
    /// The UTC offset of the dates, in seconds east; nil uses this machine's time zone.
    public var utcOffset: Int?
    /// The part of the picture that converters show; nil for all but the margin that a mosaic needs for demosaicing.
    package var defaultCrop: PixelRectangle?
    /// The factors by which converters scale the picture (DefaultScale), for pixels that are not square.
    package var defaultScale = (across: 1.0, down: 1.0)
    /// The black levels of an X-Trans mosaic's 6×6 cell by rows; empty for those in the metadata.
    package var cellBlackLevels: [Double] = []
    /// The colours of a camera with four of them, which the metadata cannot hold.
    package var fourColors: FourColorTags?
    /// Returns false to cancel encoding; called on the encoding threads before each tile and each block of digests, but
    /// never for uncompressed storage.
    package var shouldContinue: @Sendable () -> Bool = { true }

    /// Creates an encoder with the default settings.
    public init() {}

    /// Encodes a mosaic as a Bayer DNG (PhotometricInterpretation 32803, CFA), or one of a camera without colour
    /// filters as a linear DNG with one sample a pixel.
    public func encode(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(GscapError) -> DNGData {
        try GscapError.recoding(as: .badPicture, try format.check(count: codes.count))
        var format = format
        format.isMonochrome = format.isMonochrome || metadata.isMonochrome
        return try encode(codes, RawPictureFormat(format), metadata.withOneNoise(if: format.isMonochrome))
    }

    /// Encodes RGBA values as a linear DNG (PhotometricInterpretation 34892, LinearRaw) without the alpha plane; those
    /// of a camera without colour filters, which are equal, with one sample a pixel.
    ///
    /// The file carries the metadata's BlackLevel, but darktable 4.2 and LibRaw 0.22 do not apply it exactly in linear
    /// files; for the same rendering everywhere, subtract black first.
    public func encode(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata
    ) throws(GscapError) -> DNGData {
        try GscapError.recoding(as: .badPicture, try format.check(count: values.count))
        guard metadata.isMonochrome else { return try encode(values, RawPictureFormat(format), metadata) }
        let grey = format.firstSamples(of: values)
        let picture = RawPictureFormat(width: format.width, height: format.height, bitDepth: 16, cell: nil)
        return try encode(grey.span, picture, metadata.withOneNoise(if: true))
    }

    /// Encodes a raw picture of any format.
    package func encode(
        _ pixels: Span<UInt16>, _ picture: RawPictureFormat, _ metadata: FrameMetadata
    ) throws(GscapError) -> DNGData {
        let problems = [
            metadata.writingProblem, storage.problem, bitDepthProblem, storage.conflict(bitDepth: bitDepth),
            recipe.gainTableMap?.problem,
        ]
        for problem in problems {
            if let problem { throw GscapError(.badPicture, problem) }
        }
        // Classic TIFF has 32-bit offsets; leave 256 MB for previews, masks and tags.
        guard picture.byteCount < 0xF000_0000 else {
            throw GscapError(
                .badPicture, "a \(picture.width)×\(picture.height) picture exceeds a DNG file's limit of 4 GB")
        }
        do {
            return try unsafe pixels.withUnsafeBufferPointer { pixels throws(GscapError) in
                guard let pixels = pixels.baseAddress else { throw GscapError(.badPicture, "there are no pixels") }
                return try unsafe encode(pixels, picture, metadata)
            }
        }
    }

    private var bitDepthProblem: String? {
        guard let bitDepth, !(8...16).contains(bitDepth) else { return nil }
        return "a bit depth of \(bitDepth) is not between 8 and 16"
    }

    private func encode(
        _ pixels: UnsafePointer<UInt16>, _ picture: RawPictureFormat, _ metadata: FrameMetadata
    ) throws(GscapError) -> DNGData {
        let mainPreview =
            try unsafe (preview ?? DNGPreview(of: picture, pixels, metadata: metadata, longestSide: previewSide))
            .compressed(quality: previewQuality)
        let further = try furtherPreviews.map { preview throws(GscapError) in
            try preview.compressed(quality: previewQuality)
        }
        let coding = try unsafe RawEncodingPlan(
            picture, pixels, metadata, storage: storage, bitDepth: bitDepth, shouldContinue: shouldContinue
        ).withBestPredictor(for: pixels)
        let tags = DNGTags(
            metadata: metadata, storage: storage, recipe: recipe, software: software, softwareVersion: softwareVersion,
            xmp: xmp, utcOffset: utcOffset, depthMap: depthMap, hasMattes: !mattes.isEmpty,
            pictures: 2 + further.count + mattes.count + (depthMap == nil ? 0 : 1),
            isInterleaved: coding.isInterleaved, raw: RawTags(self, picture))
        let output = try TIFFOutput(capacity: mainPreview.jpeg.count + coding.likelyByteCount + 65_536)

        // Exif and GPS directories come first, because IFD0 stores their offsets.
        let exif = try output.writeExif { () throws(GscapError) in try tags.setExif(output) }
        var gps: UInt64?
        if let location = metadata.details.location {
            gps = try output.writeGPS { () throws(GscapError) in try tags.setGPS(output, location) }
        }
        try output.beginImage()
        try tags.setPreview(output, mainPreview)
        try tags.setShared(output)
        try output.set(.exifIFD, offset: exif)
        if let gps { try output.set(.gpsIFD, offset: gps) }
        try output.announceSubImages(tags.pictures - 1)
        try output.write(strip: 0, mainPreview.jpeg)
        try output.endImage()

        try tags.setRaw(output, coding)
        let digest = try unsafe coding.write(pixels, to: output)
        try output.endImage()
        for preview in further {
            try tags.setPreview(output, preview)
            try output.write(strip: 0, preview.jpeg)
            try output.endImage()
        }
        for matte in mattes {
            try tags.setMatte(output, matte)
            try output.write(strip: 0, matte.shares)
            try output.endImage()
        }
        if let depthMap {
            try tags.setDepth(output, depthMap)
            try output.write(strip: 0, depthMap.bytes)
            try output.endImage()
        }
        let data = try output.finish(replacing: tags.identity(digest))
        try DNGReceipt.seal(data)
        return data
    }
}

extension DNGWriter {
    /// Applies size options: sets `bitDepth` and, for a quality below 1, lossy `storage`: JPEG XL if it is that
    /// already, otherwise JPEG.
    public mutating func customize(_ customization: DNGCustomization) {
        (storage, bitDepth) = storage.customized(customization)
    }
}

extension FrameMetadata {
    /// Returns the metadata with one noise profile, the mean, for one plane.
    fileprivate func withOneNoise(if isMonochrome: Bool) -> FrameMetadata {
        guard isMonochrome, noise.count > 1 else { return self }
        var metadata = self
        let count = Double(noise.count)
        metadata.noise = [
            NoiseProfile(
                shot: noise.reduce(0) { $0 + $1.shot } / count, read: noise.reduce(0) { $0 + $1.read } / count)
        ]
        return metadata
    }
}

extension LinearFormat {
    /// Returns the first sample of each pixel, without row padding.
    fileprivate func firstSamples(of values: Span<UInt16>) -> [UInt16] {
        var samples = [UInt16].largeZeros(width * height)
        for row in 0..<height {
            for column in 0..<width {
                samples[row * width + column] = values[row * stride + column * Self.channels]
            }
        }
        return samples
    }
}
