public import RawImage

/// Makes DNG files in memory.
///
/// A file holds a preview, the raw picture, and all that the metadata and the look tell. The same picture, metadata and
/// settings give the same bytes.
public struct DNGWriter: Sendable {
    /// The program that makes the file, as its tags will tell.
    public var software = "gscap"
    /// The program's version.
    public var softwareVersion = "1.0"
    /// How pixels are stored.
    public var storage = PixelStorage.losslessJPEG()
    /// Bits of a stored sample, 8…16: fewer than the picture has are spread by a curve along its noise. nil stores 12 of a
    /// linear photo and all of a mosaic. Counts for lossless JPEG; other storages have depths of their own.
    public var bitDepth: Int?
    /// The look that converters shall give the picture.
    public var recipe = Recipe()
    /// The preview to put in first; nil makes a small plain one from the raw picture.
    public var preview: DNGPreview?
    /// The longest side of the preview that the writer makes.
    public var previewSide = 320
    /// How good previews look that are not compressed yet, 1…100.
    public var previewQuality = 90
    /// More previews, in smaller sizes.
    public var furtherPreviews: [DNGPreview] = []
    /// Mattes that mark parts of the scene.
    public var mattes: [Matte] = []
    /// How far away things are; nil when unknown.
    public var depthMap: DepthMap?
    /// The metadata packet in XMP; nil makes one of what is known.
    public var xmp: String?
    /// Seconds east of UTC for the dates; nil takes the time zone of this machine.
    public var utcOffset: Int?
    /// Whether the file is still wanted; asked for each tile, on the threads that do the work.
    package var isWanted: @Sendable () -> Bool = { true }

    /// A writer with the usual settings.
    public init() {}

    /// A Bayer DNG of a mosaic's codes.
    public func encode(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(DNGError) -> DNGData {
        do { try format.check(count: codes.count) } catch { throw DNGError(error) }
        return try encode(codes, StoredPicture(format), metadata)
    }

    /// A linear DNG of a photo's red, green and blue; its alpha is left out.
    ///
    /// The file states the black level of the metadata, but not every converter heeds it in a linear file (darktable
    /// 4.2 and LibRaw 0.22 do not quite): a photo that is to look right everywhere has black at 0.
    public func encode(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata
    ) throws(DNGError) -> DNGData {
        do { try format.check(count: values.count) } catch { throw DNGError(error) }
        return try encode(values, StoredPicture(format), metadata)
    }

    private func encode(
        _ pixels: Span<UInt16>, _ picture: StoredPicture, _ metadata: FrameMetadata
    ) throws(DNGError) -> DNGData {
        for problem in [metadata.writingProblem, storage.problem, bitDepthProblem, recipe.gainTableMap?.problem] {
            if let problem { throw DNGError(.badPicture, problem) }
        }
        // Offsets in a file have 32 bits.
        guard picture.byteCount < 0xF000_0000 else {
            throw DNGError(.badPicture, "a \(picture.width)×\(picture.height) picture does not fit a DNG file of 4 GB")
        }
        do {
            return try unsafe pixels.withUnsafeBufferPointer { pixels throws(DNGError) in
                guard let pixels = pixels.baseAddress else { throw DNGError(.badPicture, "there are no pixels") }
                return try unsafe encode(pixels, picture, metadata)
            }
        }
    }

    private var bitDepthProblem: String? {
        guard let bitDepth, !(8...16).contains(bitDepth) else { return nil }
        return "a bit depth of \(bitDepth) is not between 8 and 16"
    }

    private func encode(
        _ pixels: UnsafePointer<UInt16>, _ picture: StoredPicture, _ metadata: FrameMetadata
    ) throws(DNGError) -> DNGData {
        let first =
            try unsafe (preview ?? DNGPreview(of: picture, pixels, metadata: metadata, longestSide: previewSide))
            .compressed(quality: previewQuality)
        let further = try furtherPreviews.map { preview throws(DNGError) in
            try preview.compressed(quality: previewQuality)
        }
        let coding = try unsafe PixelCoding(self, picture, pixels, metadata)
        let tags = DNGTags(writer: self, metadata: metadata)
        let output = try TIFFOutput(capacity: first.jpeg.count + coding.likelyByteCount + 65_536)

        // The directories that IFD0 points to come first: it must know where they lie.
        let exif = try output.writeExif { () throws(DNGError) in try tags.setExif(output) }
        var gps: UInt64?
        if let location = metadata.details.location {
            gps = try output.writeGPS { () throws(DNGError) in try tags.setGPS(output, location) }
        }
        try output.beginImage()
        try tags.setPreview(output, first)
        try tags.setShared(output)
        try output.set(.exifIFD, offset: exif)
        if let gps { try output.set(.gpsIFD, offset: gps) }
        try output.announceSubImages(1 + further.count + mattes.count + (depthMap == nil ? 0 : 1))
        try output.write(strip: 0, first.jpeg)
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
        return try output.finish(replacing: tags.identity(digest))
    }
}

extension DNGError {
    /// The writer's error for a picture that breaks the rules.
    init(_ error: RawImageError) {
        self.init(.badPicture, error.message)
    }
}
