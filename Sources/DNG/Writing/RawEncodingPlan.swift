internal import RawImage

/// The encoding of one raw picture's pixels: compression, companding curve, bit depth and tiling.
struct RawEncodingPlan {
    let picture: RawPictureFormat
    let storage: PixelStorage
    /// The companding curve that maps values to fewer codes; nil stores the values unchanged.
    let curve: CompandingCurve?
    /// Bits per stored sample.
    let bits: Int
    let plan: TileLayout
    /// A function that returns false to cancel encoding.
    let shouldContinue: @Sendable () -> Bool

    /// Chooses the bit depth and the companding curve for a storage, from the requested bit depth and the bits that the
    /// codes use.
    init(
        _ picture: RawPictureFormat, _ pixels: UnsafePointer<UInt16>, _ metadata: FrameMetadata, storage: PixelStorage,
        bitDepth requestedDepth: Int?, shouldContinue: @escaping @Sendable () -> Bool
    ) throws(DNGError) {
        self.picture = picture
        self.storage = storage
        self.shouldContinue = shouldContinue
        plan = TileLayout(picture)
        let usedBits = unsafe picture.bits(of: pixels)
        switch storage {
        case .uncompressed, .jpegXL: (bits, curve) = (16, nil)
        case .lossyJPEG where picture.pattern != nil:
            throw DNGError(.badPicture, "lossy JPEG stores linear photos only; store a mosaic with lossless JPEG")
        case .lossyJPEG: (bits, curve) = (8, Self.curve(8, picture, metadata))
        case .losslessJPEG:
            let bitDepth = requestedDepth ?? (picture.pattern == nil ? 12 : usedBits)
            curve = bitDepth < usedBits ? Self.curve(bitDepth, picture, metadata) : nil
            bits = curve == nil ? usedBits : bitDepth
        }
    }

    private static func curve(
        _ bits: Int, _ picture: RawPictureFormat, _ metadata: FrameMetadata
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
}
