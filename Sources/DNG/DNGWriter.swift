public import RawImage

/// Makes DNG files in memory.
///
/// A file holds a preview, the raw picture with its codes unchanged, and all that the metadata knows. The same
/// picture, metadata and settings give the same bytes.
public struct DNGWriter: Sendable {
    /// The program that makes the file, as its tags will tell.
    public var software = "gscap"
    /// The program's version.
    public var softwareVersion = "1.0"
    /// The preview to put in; nil makes a plain one from the raw picture.
    public var preview: DNGPreview?
    /// The longest side of the preview that the writer makes.
    public var previewSide = 320
    /// Seconds east of UTC for the dates; nil takes the time zone of this machine.
    public var utcOffset: Int?

    /// A writer with the usual settings.
    public init() {}

    /// A Bayer DNG of a mosaic's codes.
    public func encode(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(DNGError) -> DNGData {
        let digest: RawDigest
        do { digest = try RawDigest(mosaic: codes, format: format) } catch { throw DNGError(error) }
        return try encode(codes, StoredPicture(format), metadata, digest)
    }

    /// A linear DNG of a photo's red, green and blue; its alpha is left out.
    ///
    /// The file states the black level of the metadata, but not every converter heeds it in a linear file (darktable
    /// 4.2 and LibRaw 0.22 do not quite): a photo that is to look right everywhere has black at 0.
    public func encode(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata
    ) throws(DNGError) -> DNGData {
        let digest: RawDigest
        do { digest = try RawDigest(linear: values, format: format) } catch { throw DNGError(error) }
        return try encode(values, StoredPicture(format), metadata, digest)
    }

    private func encode(
        _ codes: Span<UInt16>, _ picture: StoredPicture, _ metadata: FrameMetadata, _ digest: RawDigest
    ) throws(DNGError) -> DNGData {
        if let problem = metadata.writingProblem { throw DNGError(.badPicture, problem) }
        // Offsets in a file have 32 bits.
        guard picture.byteCount < 0xF000_0000 else {
            throw DNGError(.badPicture, "a \(picture.width)×\(picture.height) picture does not fit a DNG file of 4 GB")
        }
        do {
            return try unsafe codes.withUnsafeBufferPointer { codes throws(DNGError) in
                guard let codes = codes.baseAddress else { throw DNGError(.badPicture, "there are no pixels") }
                return try unsafe encode(codes, picture, metadata, digest)
            }
        }
    }

    private func encode(
        _ codes: UnsafePointer<UInt16>, _ picture: StoredPicture, _ metadata: FrameMetadata, _ digest: RawDigest
    ) throws(DNGError) -> DNGData {
        let preview =
            unsafe preview
            ?? DNGPreview(of: picture, codes, metadata: metadata, longestSide: max(1, min(previewSide, 65_535)))
        let tags = DNGTags(writer: self, metadata: metadata, digest: digest)
        let output = try TIFFOutput(capacity: picture.byteCount + preview.rgb.count + 65_536)

        // The Exif directory comes first: IFD0 must know where it lies.
        let exif = try output.writeExif { () throws(DNGError) in try tags.setExif(output) }
        try output.beginImage()
        try tags.setPreview(output, preview)
        try tags.setShared(output)
        try output.set(.exifIFD, offset: exif)
        try output.announceSubImages(1)
        try output.write(strip: 0, preview.rgb)
        try output.endImage()

        try tags.setRaw(output, picture)
        let pixels = try output.reserve(strips: picture.stripSizes)
        try output.endImage()
        return try unsafe output.finish(fillingFrom: pixels) { unsafe picture.store(codes, to: $0) }
    }
}

extension DNGError {
    /// The writer's error for a picture that breaks the rules.
    init(_ error: RawImageError) {
        self.init(.badPicture, error.message)
    }
}
