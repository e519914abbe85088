internal import Kernels
internal import PhotoMetadata
internal import RawImage

/// How the pixels of one raw picture become bytes of a file.
struct PixelCoding {
    let picture: StoredPicture
    let storage: PixelStorage
    /// What spreads the values over fewer codes; nil stores them as they are.
    let curve: CompandingCurve?
    /// Bits of a stored sample.
    let bits: Int
    let plan: TilePlan
    /// Whether the file is still wanted.
    let isWanted: @Sendable () -> Bool

    /// The coding that a writer's settings ask for.
    init(
        _ writer: DNGWriter, _ picture: StoredPicture, _ pixels: UnsafePointer<UInt16>, _ metadata: FrameMetadata
    ) throws(DNGError) {
        self.picture = picture
        storage = writer.storage
        isWanted = writer.isWanted
        plan = TilePlan(picture)
        let own = unsafe picture.bits(of: pixels)
        switch storage {
        case .uncompressed, .jpegXL: (bits, curve) = (16, nil)
        case .lossyJPEG where picture.pattern != nil:
            throw DNGError(.badPicture, "lossy JPEG is for linear photos; store a mosaic without loss")
        case .lossyJPEG: (bits, curve) = (8, Self.curve(8, picture, metadata))
        case .losslessJPEG:
            let wanted = writer.bitDepth ?? (picture.pattern == nil ? 12 : own)
            curve = wanted < own ? Self.curve(wanted, picture, metadata) : nil
            bits = curve == nil ? own : wanted
        }
    }

    private static func curve(
        _ bits: Int, _ picture: StoredPicture, _ metadata: FrameMetadata
    ) -> CompandingCurve? {
        // One curve serves all colours; the one with the least noise needs the finest steps.
        let noise = metadata.hasUsableNoise ? metadata.noise.min { $0.shot < $1.shot } : nil
        let white = picture.pattern == nil ? 65_535 : Int(min(max(metadata.whiteLevel.rounded(), 255), 65_535))
        return CompandingCurve(bits: bits, black: metadata.blackLevel.min() ?? 0, white: white, noise: noise)
    }

    /// About how many bytes the pixels will take.
    var likelyByteCount: Int {
        storage == .uncompressed ? picture.byteCount : picture.width * picture.height * picture.samples * bits / 8
    }

    /// Writes all pixels into the file's present directory. Gives the digest of what was stored; nil for a storage that
    /// keeps it not exactly.
    func write(_ pixels: UnsafePointer<UInt16>, to output: TIFFOutput) throws(DNGError) -> RawDigest? {
        guard storage == .uncompressed else { return try unsafe TileWriter(self, output).write(pixels) }
        let start = try output.reserve(strips: picture.stripSizes)
        unsafe try output.fill(from: start) { unsafe picture.store(pixels, to: $0) }
        return try unsafe picture.digest(of: pixels)
    }

    /// What makes this picture's tiles.
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
    /// Whether NewRawImageDigest is of the stored codes: of lossy JPEG and of JPEG XL it would be of compressed bytes.
    var hasDigest: Bool {
        switch self {
        case .uncompressed, .losslessJPEG: true
        case .lossyJPEG, .jpegXL: false
        }
    }
}
