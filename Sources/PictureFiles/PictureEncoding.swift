public import RawImage

/// How a picture becomes a file, and what the file tells beside the pixels.
public struct PictureEncoding: Sendable {
    /// The file's format.
    public var format: PictureFormat
    /// From 0, smallest, to 1, best; formats with loss only. It begins with 0.9, for JPEG with 0.97: with less, coding would
    /// be the greatest difference to the raw photo beside it.
    public var quality: Double
    /// How finely numbers are told apart; nil for what suits the picture.
    public var depth: PictureDepth?
    /// How PNG, TIFF and OpenEXR are made smaller; PNG is always deflated.
    public var compression = PictureCompression.deflate
    /// What is known of the shot; nil for nothing, and then the picture counts as upright.
    public var metadata: FrameMetadata?
    /// The program that made the picture.
    public var software = "gscap"
    /// Mattes, for HEIF.
    public var mattes: [Matte] = []
    /// Depth, for HEIF.
    public var depthMap: DepthMap?
    /// The same picture in linear light with all its range, of the same size: a JPEG then carries a gain map.
    public var hdr: Picture?
    /// How bright an HDR picture gets; nil to measure it.
    public var lightLevels: LightLevels?

    /// An encoding of a format.
    public init(_ format: PictureFormat) {
        self.format = format
        quality = format == .jpeg ? 0.97 : 0.9
    }

    /// The file of a picture.
    ///
    /// `progress` hears how much is done, from 0 to 1, and ends the work by answering false. It is called on the threads that
    /// do the work or wait for it, one call at a time. HEIF, AVIF and JPEG XL tell stages only; what their libraries have begun
    /// goes on to its end unseen when nobody wants it any more, but nobody waits for it.
    ///
    /// *Reentrant.* All cores work on one picture.
    public func encode(
        _ picture: Picture, progress: (@Sendable (Double) -> Bool)? = nil
    ) throws(PictureFileError) -> [UInt8] {
        let job = try EncodingJob(self, picture, progress)
        let file =
            switch format {
            case .jpeg: try jpeg(job)
            case .png: try PNGFile(job: job).encode()
            case .tiff: try TIFFFile(job: job).encode()
            case .heic: try job.watch.attend { () throws(PictureFileError) in try HEIFFile(job: job).encode() }
            case .avif: try job.watch.attend { () throws(PictureFileError) in try AVIFFile(job: job).encode() }
            case .exr: try EXRFile(job: job).encode()
            case .jxl: try job.watch.attend { () throws(PictureFileError) in try JXLFile(job: job).encode() }
            }
        try job.watch.check()
        return file
    }

    private func jpeg(_ job: EncodingJob) throws(PictureFileError) -> [UInt8] {
        let picture = job.picture
        let map = try hdr.map { hdr throws(PictureFileError) in try GainMap(from: picture, to: hdr) }
        let file = JPEGFile(
            facts: job.facts, watch: job.watch,
            give: { rows, pieceHeight, take in
                for piece in rows.parts(of: pieceHeight) { take(picture.bytes(piece).span) }
            }, gainMap: map)
        return [UInt8](joining: try file.encode())
    }

    /// The JPEG of a picture of 8 bits that is not whole in memory: `give` gives red, green and blue of some rows, in pieces of
    /// so many, on several threads. `progress` is as that of `encode`. The file comes
    /// in pieces, as it was made.
    package func encodeJPEG(
        width: Int, height: Int, color: PictureColor,
        progress: (@Sendable (Double) -> Bool)? = nil,
        _ give: (_ rows: Range<Int>, _ pieceHeight: Int, _ take: JPEGBands.Taker) -> Void
    ) throws(PictureFileError) -> [[UInt8]] {
        let facts = EncodingFacts(encoding: self, width: width, height: height, color: color)
        try facts.check(.eight)
        let watch = EncodingWatch(steps: height, report: progress)
        return try withoutActuallyEscaping(give) { give throws(PictureFileError) in
            let file = try JPEGFile(facts: facts, watch: watch, give: give).encode()
            try watch.check()
            return file
        }
    }
}
