internal import CAVIF
internal import RawImage

/// An AVIF encoder based on libavif. *Thread-bound.*
///
/// libheif is not used for AVIF: with libheif 1.15, libaom aborts the process when it encodes 10-bit pictures.
@safe final class AVIFEncoder {
    /// The encoding settings of an image.
    struct Coding {
        /// The bits per sample, 8 or 10.
        var bits: Int
        /// The quality, from 0 to 1 (best).
        var quality: Double
        /// Whether chroma has full resolution (4:4:4).
        var hasFullChroma: Bool

        /// The settings for a gain map of this picture: 8 bits, and a quality of at least 0.9.
        var forGains: Coding { Coding(bits: 8, quality: max(quality, 0.9), hasFullChroma: hasFullChroma) }
    }

    private let avif: AVIFFunctions
    private let image: UnsafeMutablePointer<avifImage>
    private let coding: Coding

    /// The encoder speed, from 0 (slowest, best) to 10 (fastest).
    private static let speed: Int32 = 8
    private static let worstQuantizer = 63

    /// Creates an encoder and loads a picture into it. The file does not specify the picture's colours, except for the
    /// luma weights.
    init(_ picture: Picture, _ coding: Coding) throws(GscapError) {
        avif = try AVIFLibrary.functions()
        guard
            let image = avif.ImageCreate(
                UInt32(picture.width), UInt32(picture.height), UInt32(coding.bits),
                coding.hasFullChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420)
        else { throw GscapError(.noMemory, "not enough memory for an AVIF file") }
        unsafe self.image = unsafe image
        self.coding = coding
        guard unsafe avif.ImageAllocatePlanes(image, avifPlanesFlags(AVIF_PLANES_YUV.rawValue)) == AVIF_RESULT_OK,
            let planes = unsafe Self.planes(
                of: image.pointee, bits: coding.bits, hasFullChroma: coding.hasFullChroma)
        else {
            throw GscapError(
                .noMemory, "not enough memory for an image of \(picture.width)×\(picture.height) pixels")
        }
        planes.fill(picture)
        unsafe image.pointee.yuvRange = AVIF_RANGE_FULL
        unsafe image.pointee.matrixCoefficients = avifMatrixCoefficients(picture.color.lumaWeights.code)
    }

    deinit {
        unsafe avif.ImageDestroy(image)
    }

    private static func planes(of image: avifImage, bits: Int, hasFullChroma: Bool) -> VideoPlanes? {
        func plane(_ base: UnsafeMutablePointer<UInt8>?, _ stride: UInt32) -> VideoPlanes.Plane? {
            unsafe base.map { (unsafe $0, Int(stride)) }
        }
        let (bases, strides) = unsafe (image.yuvPlanes, image.yuvRowBytes)
        guard let luma = unsafe plane(bases.0, strides.0) else { return nil }
        return unsafe VideoPlanes(
            luma: luma, cb: plane(bases.1, strides.1), cr: plane(bases.2, strides.2), bits: bits,
            hasFullChroma: hasFullChroma)
    }

    /// Sets the code points of the picture's colours.
    func set(_ color: PictureColor) {
        unsafe image.pointee.colorPrimaries = avifColorPrimaries(color.primariesCode)
        unsafe image.pointee.transferCharacteristics = avifTransferCharacteristics(color.transferCode)
    }

    /// Adds an ICC profile, which describes the colours in place of code points.
    func set(profile: [UInt8]) throws(GscapError) {
        var functions = avif
        try check(
            unsafe gscap_avif_set_profile(&functions, image, profile, profile.count), "cannot store the profile")
    }

    /// Adds Exif and XMP. libavif derives the rotation and mirroring from the Exif orientation.
    func set(exif: [UInt8], xmp: [UInt8]) throws(GscapError) {
        var functions = avif
        try check(
            unsafe gscap_avif_set_metadata(&functions, image, exif, exif.count, xmp, xmp.count),
            "cannot store the metadata")
    }

    private func check(_ result: avifResult, _ failure: String) throws(GscapError) {
        if result == AVIF_RESULT_OK { return }
        let reason = unsafe avif.ResultToString(result).map { unsafe String(cString: $0) } ?? "unknown error"
        throw GscapError(.encoder, "libavif \(failure): \(reason)")
    }

    /// Encodes and returns the file.
    func encode() throws(GscapError) -> [UInt8] {
        guard unsafe avif.CodecName(AVIF_CODEC_CHOICE_AUTO, avifCodecFlags(AVIF_CODEC_FLAG_CAN_ENCODE.rawValue)) != nil
        else {
            throw GscapError(
                .missingCodec, "libavif has no AV1 encoder: install one with aom or SVT-AV1, or use HEIC")
        }
        guard let encoder = avif.EncoderCreate() else {
            throw GscapError(.noMemory, "not enough memory for an AVIF encoder")
        }
        defer { unsafe avif.EncoderDestroy(encoder) }
        let quantizer = Int((Double(Self.worstQuantizer) * (1 - coding.quality)).rounded())
        var settings = AVIFEncoderSettings(
            maxThreads: Int32(clamping: Processors.count), speed: Self.speed,
            minQuantizer: Int32(max(0, quantizer - 4)),
            maxQuantizer: Int32(min(Self.worstQuantizer, quantizer + 4)))
        var functions = avif
        unsafe gscap_avif_set_up(&functions, encoder, &settings)
        var data = unsafe avifRWData()
        defer { unsafe avif.RWDataFree(&data) }
        try check(unsafe avif.EncoderWrite(encoder, image, &data), "cannot encode the picture")
        return unsafe Array(UnsafeBufferPointer(start: data.data, count: data.size))
    }
}
