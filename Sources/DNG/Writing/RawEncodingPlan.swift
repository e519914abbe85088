internal import RawImage

/// The encoding of one raw picture's pixels: compression, companding curve, bit depth and tiling.
struct RawEncodingPlan {
    let picture: RawPictureFormat
    private(set) var storage: PixelStorage
    /// The companding curve that maps values to fewer codes; nil stores the values unchanged.
    let curve: CompandingCurve?
    /// Bits per stored sample.
    let bits: Int
    /// Whether the four planes of a mosaic's 2×2 cells are stored as quarters of the picture (RowInterleaveFactor and
    /// ColumnInterleaveFactor 2), so that neighbouring samples have the same colour.
    let isInterleaved: Bool
    let plan: TileLayout
    /// A function that returns false to cancel encoding.
    let shouldContinue: @Sendable () -> Bool

    /// Chooses the bit depth and the companding curve for a storage, from the requested bit depth and the bits that the
    /// codes use.
    init(
        _ picture: RawPictureFormat, _ pixels: UnsafePointer<UInt16>, _ metadata: FrameMetadata, storage: PixelStorage,
        bitDepth requestedDepth: Int?, shouldContinue: @escaping @Sendable () -> Bool
    ) throws(GscapError) {
        self.picture = picture
        self.storage = storage
        self.shouldContinue = shouldContinue
        isInterleaved = Self.isInterleaved(picture, storage)
        plan = TileLayout(picture, isInterleaved: isInterleaved)
        try Self.check(picture, storage)
        let usedBits = unsafe picture.bits(of: pixels)
        switch storage {
        case .uncompressed: (bits, curve) = (16, nil)
        case .jpegXL(let distance, _): (bits, curve) = (16, distance > 0 ? Self.curve(16, picture, metadata) : nil)
        case .lossyJPEG: (bits, curve) = (8, Self.curve(8, picture, metadata))
        case .losslessJPEG:
            let isSensorData = picture.isMosaic || picture.isMonochrome && metadata.fusion == nil
            let bitDepth = requestedDepth ?? (isSensorData ? usedBits : Self.usualDepth(metadata))
            curve = bitDepth < usedBits ? Self.curve(bitDepth, picture, metadata) : nil
            // dcraw and RawTherapee 5.9 show a linear photo of 8-bit lossless JPEG as black: its codes go into 9 bits.
            bits = max(curve == nil ? usedBits : bitDepth, picture.isMosaic ? 8 : 9)
        }
    }

    /// Returns the bits of a linear photo of which no depth is requested: 12, or 16 for a bracket whose shadows, from a
    /// long exposure, have less noise than the darkest step of 12 bits.
    private static func usualDepth(_ metadata: FrameMetadata) -> Int {
        guard let headroom = metadata.fusion?.headroom, headroom > 0, metadata.hasUsableNoise else { return 12 }
        let least = metadata.noise.map(\.read).min() ?? 0
        return least.squareRoot() < CompandingCurve.darkestStep ? 16 : 12
    }

    /// Creates the encoding of codes with a bit depth and curve that are known.
    init(
        _ picture: RawPictureFormat, storage: PixelStorage, bits: Int, curve: CompandingCurve?,
        shouldContinue: @escaping @Sendable () -> Bool
    ) {
        (self.picture, self.storage, self.bits, self.curve) = (picture, storage, bits, curve)
        self.shouldContinue = shouldContinue
        isInterleaved = Self.isInterleaved(picture, storage)
        plan = TileLayout(picture, isInterleaved: isInterleaved)
    }

    /// Throws if a storage cannot hold pictures of this kind.
    static func check(_ picture: RawPictureFormat, _ storage: PixelStorage) throws(GscapError) {
        let problem: String? =
            switch storage {
            case .lossyJPEG where picture.isMosaic:
                "lossy JPEG stores linear photos only; store a mosaic with lossless JPEG"
                    + (picture.cell?.side == 2 ? ", or JPEG XL, which may be lossy" : "")
            case .lossyJPEG where picture.samples != 3:
                "lossy JPEG stores photos of three colours only, and this one "
                    + (picture.isMonochrome
                        ? "is monochrome; store it with lossless JPEG, or JPEG XL, which may be lossy"
                        : "has \(picture.samples); store it with lossless JPEG")
            case .jpegXL where ![1, 3].contains(picture.samples):
                "JPEG XL stores one or three samples a pixel, and the picture has \(picture.samples): store it with "
                    + "lossless JPEG"
            case .jpegXL(let distance, _) where distance > 0 && picture.cell?.side == 6:
                "lossy JPEG XL would mix the colours of an X-Trans mosaic: store it without a quality"
            default: nil
            }
        if let problem { throw GscapError(.badPicture, problem) }
    }

    private static func isInterleaved(_ picture: RawPictureFormat, _ storage: PixelStorage) -> Bool {
        picture.cell?.side == 2 && storage.compression == .jpegXL && min(picture.width, picture.height) > 1
    }

    private static func curve(
        _ bits: Int, _ picture: RawPictureFormat, _ metadata: FrameMetadata
    ) -> CompandingCurve? {
        CompandingCurve(
            bits: bits, black: metadata.blackLevel, white: picture.samples == 1 ? metadata.whiteLevel : 65_535,
            metadata)
    }

    /// Returns this plan with the predictor that suits the pixels best, if that is requested.
    func withBestPredictor(for pixels: UnsafePointer<UInt16>) throws(GscapError) -> RawEncodingPlan {
        guard storage == .losslessJPEG(predictor: PixelStorage.bestPredictor) else { return self }
        return with(predictor: try unsafe PredictorChoice(self).best(of: pixels))
    }

    /// Returns this plan with another predictor of lossless JPEG.
    func with(predictor: Int) -> RawEncodingPlan {
        var plan = self
        plan.storage = .losslessJPEG(predictor: predictor)
        return plan
    }

    /// An estimate of the encoded size in bytes, for the file's initial capacity.
    var likelyByteCount: Int {
        storage == .uncompressed ? picture.byteCount : picture.width * picture.height * picture.samples * bits / 8
    }
}
