internal import Kernels
internal import PhotoMetadata
internal import RawImage

/// The encoding of one raw picture's pixels: compression, companding curve, bit depth and tiling.
struct PixelCoding {
    let picture: StoredPicture
    let storage: PixelStorage
    /// The companding curve that maps values to fewer codes; nil stores the values unchanged.
    let curve: CompandingCurve?
    /// Bits per stored sample.
    let bits: Int
    let plan: TilePlan
    /// Returns false to cancel encoding.
    let isWanted: @Sendable () -> Bool

    /// Derives the encoding from the writer's settings and the bits that the pixels use.
    init(
        _ writer: DNGWriter, _ picture: StoredPicture, _ pixels: UnsafePointer<UInt16>, _ metadata: FrameMetadata
    ) throws(DNGError) {
        self.picture = picture
        storage = writer.storage
        isWanted = writer.isWanted
        plan = TilePlan(picture)
        let usedBits = unsafe picture.bits(of: pixels)
        switch storage {
        case .uncompressed, .jpegXL: (bits, curve) = (16, nil)
        case .lossyJPEG where picture.pattern != nil:
            throw DNGError(.badPicture, "lossy JPEG stores linear photos only; store a mosaic with lossless JPEG")
        case .lossyJPEG: (bits, curve) = (8, Self.curve(8, picture, metadata))
        case .losslessJPEG:
            let bitDepth = writer.bitDepth ?? (picture.pattern == nil ? 12 : usedBits)
            curve = bitDepth < usedBits ? Self.curve(bitDepth, picture, metadata) : nil
            bits = curve == nil ? usedBits : bitDepth
        }
    }

    private static func curve(
        _ bits: Int, _ picture: StoredPicture, _ metadata: FrameMetadata
    ) -> CompandingCurve? {
        // All planes share one LinearizationTable; the plane with the least noise needs the finest steps.
        let noise = metadata.hasUsableNoise ? metadata.noise.min { $0.shot < $1.shot } : nil
        let white = picture.pattern == nil ? 65_535 : Int(min(max(metadata.whiteLevel.rounded(), 255), 65_535))
        return CompandingCurve(bits: bits, black: metadata.blackLevel.min() ?? 0, white: white, noise: noise)
    }

    /// An estimate of the encoded size in bytes, for the file's initial capacity.
    var likelyByteCount: Int {
        storage == .uncompressed ? picture.byteCount : picture.width * picture.height * picture.samples * bits / 8
    }

    /// Encodes all pixels into the file's current directory. Returns the digest of the stored codes; nil for lossy JPEG
    /// and JPEG XL, whose NewRawImageDigest would not be of codes.
    func write(_ pixels: UnsafePointer<UInt16>, to output: TIFFOutput) throws(DNGError) -> RawDigest? {
        guard storage == .uncompressed else { return try unsafe TileWriter(self, output).write(pixels) }
        let start = try output.reserve(strips: picture.stripSizes)
        unsafe try output.fill(from: start) { unsafe picture.store(pixels, to: $0) }
        return try unsafe picture.digest(of: pixels)
    }

    /// Creates the compressor of this picture's tiles.
    func compressor() throws(DNGError) -> any TileCompressor {
        switch storage {
        case .uncompressed: try LosslessTiles(self, predictor: 1)
        case .losslessJPEG(let predictor): try LosslessTiles(self, predictor: predictor)
        case .lossyJPEG(let quality): LossyTiles(self, quality: quality)
        case .jpegXL(let distance, let effort): try JPEGXLTiles(self, distance: distance, effort: effort)
        }
    }
}

extension PixelStorage {
    /// Whether the file gets a NewRawImageDigest, which covers stored codes; for lossy JPEG and JPEG XL it would have
    /// to cover the compressed bytes, so it is omitted.
    var hasDigest: Bool {
        switch self {
        case .uncompressed, .losslessJPEG: true
        case .lossyJPEG, .jpegXL: false
        }
    }
}
