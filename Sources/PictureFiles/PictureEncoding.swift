package import PictureCodecs
public import RawImage

/// The settings that encode a picture into a file, and the file's metadata.
public struct PictureEncoding: Sendable {
    /// The file's format.
    public var format: PictureFormat
    /// The quality of lossy formats, from 0 (smallest file) to 1 (best). The default is 0.9, and 0.97 for JPEG, so that
    /// encoding is not the largest difference between the picture and its raw photo.
    public var quality: Double
    /// The bit depth of the file's samples; nil for the picture's own or, if the format does not support that, for the
    /// greatest that it supports.
    public var depth: PictureDepth?
    /// The lossless compression of PNG, TIFF and OpenEXR; PNG always uses Deflate.
    public var compression = PictureCompression.deflate
    /// The capture metadata; nil for none, and then the picture counts as upright.
    public var metadata: FrameMetadata?
    /// The name of the software that the file's metadata contains.
    public var software = "gscap"
    /// The lens profile with which the picture was corrected, for the XMP packet; nil for none.
    public var lensProfile: String?
    /// The content identifier of a Live Photo, by which its still and its movie belong together; JPEG and HEIC files
    /// store it in Apple's maker note. Nil for none.
    public var contentIdentifier: String?
    /// The mattes to store; only HEIC files support them.
    public var mattes: [Matte] = []
    /// The depth map to store; only HEIC files support it. Nil for none.
    public var depthMap: DepthMap?
    /// The HDR rendition of the picture, of the same size and in linear values; JPEG, HEIC and AVIF files store it as a
    /// gain map. Nil for none.
    public var hdr: Picture?
    /// The content light level to store; nil to measure it if the picture is in PQ or HLG, and otherwise to store none.
    public var contentLightLevel: ContentLightLevel?

    /// The ICC profile that the picture is converted to and that the file contains; nil for the picture's own colours.
    /// Only pictures with the sRGB or BT.709 transfer function can be converted, and OpenEXR stores no profile.
    public var outputProfile: OutputProfile?

    /// Creates an encoding with the defaults of a format.
    public init(_ format: PictureFormat) {
        self.format = format
        quality = format == .jpeg ? 0.97 : 0.9
    }

    /// Encodes a picture and returns the file.
    ///
    /// `progress` receives the finished fraction, from 0 to 1, and cancels the encoding by returning false. It is
    /// called on the working or waiting threads, one call at a time. HEIF, AVIF and JPEG XL report stages only. After a
    /// cancellation their libraries may finish in the background; the result is discarded.
    ///
    /// *Reentrant.* All cores work on one picture.
    public func encode(
        _ picture: Picture, progress: (@Sendable (Double) -> Bool)? = nil
    ) throws(GscapError) -> [UInt8] {
        let job = try EncodingJob(self, picture, progress)
        let file =
            switch format {
            case .jpeg: try jpeg(job)
            case .png: try PNGFile(job: job).encode()
            case .tiff: try TIFFFile(job: job).encode()
            case .heic:
                try job.monitor.runCancellably { () throws(GscapError) in try HEIFFile(job: job).encode() }
            case .avif:
                try job.monitor.runCancellably { () throws(GscapError) in try AVIFFile(job: job).encode() }
            case .exr: try EXRFile(job: job).encode()
            case .jxl: try job.monitor.runCancellably { () throws(GscapError) in try JXLFile(job: job).encode() }
            case .webp: try WebPFile(job: job).encode()
            }
        try job.monitor.check()
        return file
    }

    private func jpeg(_ job: EncodingJob) throws(GscapError) -> [UInt8] {
        let picture = job.picture
        let file = JPEGFile(
            properties: job.properties, monitor: job.monitor,
            layout: PixelLayout(width: picture.width, height: picture.height, order: .rgb),
            provideRows: { rows, pieceHeight, consume in
                for piece in rows.parts(of: pieceHeight) { consume(picture.bytes(piece).span) }
            }, gainMap: try job.gainMap(), sampled: outputProfile == nil ? nil : job.thumbnail)
        return [UInt8](joining: try file.encode())
    }

    /// Encodes an 8-bit picture as JPEG without having all of it in memory; returns the file in pieces. `provideRows`
    /// passes red, green and blue bytes of `rows` to `consume`, in pieces of `pieceHeight` rows; it is called on
    /// several threads. `progress` is as that of `encode`.
    package func encodeJPEG(
        width: Int, height: Int, color: PictureColor,
        progress: (@Sendable (Double) -> Bool)? = nil,
        _ provideRows: (_ rows: Range<Int>, _ pieceHeight: Int, _ consume: JPEGBands.RowConsumer) -> Void
    ) throws(GscapError) -> [[UInt8]] {
        let layout = PixelLayout(width: width, height: height, order: .rgb)
        return try encodeJPEG(layout, color: color, progress: progress, provideRows)
    }

    /// Encodes an 8-bit picture in memory as JPEG without copying its pixels and without a gain map; returns the file,
    /// the same as that of `encode`.
    package func encodeJPEG(
        _ pixels: Span<UInt8>, layout: PixelLayout, color: PictureColor, progress: (@Sendable (Double) -> Bool)? = nil
    ) throws(GscapError) -> [UInt8] {
        try GscapError.recoding(as: .badPicture, try layout.check(count: pixels.count))
        let pieces = try encodeJPEG(layout, color: color, progress: progress) { rows, pieceHeight, consume in
            for piece in rows.parts(of: pieceHeight) { consume(pixels.extracting(layout.samples(of: piece))) }
        }
        return [UInt8](joining: pieces)
    }

    private func encodeJPEG(
        _ layout: PixelLayout, color: PictureColor, progress: (@Sendable (Double) -> Bool)?,
        _ provideRows: (_ rows: Range<Int>, _ pieceHeight: Int, _ consume: JPEGBands.RowConsumer) -> Void
    ) throws(GscapError) -> [[UInt8]] {
        let properties = EncodingProperties(encoding: self, width: layout.width, height: layout.height, color: color)
        try properties.check(.eight)
        guard outputProfile == nil else {
            throw GscapError(.unsupported, "an ICC output profile needs the whole picture; encode a Picture")
        }
        let monitor = EncodingMonitor(steps: layout.height, report: progress)
        return try withoutActuallyEscaping(provideRows) { provideRows throws(GscapError) in
            let file = try JPEGFile(
                properties: properties, monitor: monitor, layout: layout, provideRows: provideRows
            ).encode()
            try monitor.check()
            return file
        }
    }
}
