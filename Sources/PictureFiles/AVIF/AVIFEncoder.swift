internal import CAVIF
internal import PhotoMetadata
internal import RawImage

/// An AVIF encoder based on libavif. *Thread-bound.*
///
/// libheif is not used for AVIF: with libheif 1.15, libaom aborts the process when it encodes 10-bit pictures.
@safe final class AVIFEncoder {
    private let avif: AVIFFunctions
    private let image: UnsafeMutablePointer<avifImage>
    private let job: EncodingJob

    /// The encoder speed, from 0 (slowest, best) to 10 (fastest).
    private static let speed: Int32 = 8
    private static let worstQuantizer = 63

    /// Creates an encoder and loads the job's picture into it.
    init(_ job: EncodingJob) throws(PictureFileError) {
        avif = try AVIFLibrary.functions()
        let picture = job.picture
        let hasFullChroma = job.encoding.quality >= 0.95
        let bits = job.depth == .ten ? 10 : 8
        guard
            let image = avif.ImageCreate(
                UInt32(picture.width), UInt32(picture.height), UInt32(bits),
                hasFullChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420)
        else { throw PictureFileError(.noMemory, "not enough memory for an AVIF file") }
        unsafe self.image = unsafe image
        self.job = job
        guard unsafe avif.ImageAllocatePlanes(image, avifPlanesFlags(AVIF_PLANES_YUV.rawValue)) == AVIF_RESULT_OK,
            let planes = unsafe Self.planes(of: image.pointee, bits: bits, hasFullChroma: hasFullChroma)
        else {
            throw PictureFileError(
                .noMemory, "not enough memory for an image of \(picture.width)×\(picture.height) pixels")
        }
        planes.fill(picture)
        try setColors()
        try setMetadata()
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

    private func setColors() throws(PictureFileError) {
        let color = job.color
        unsafe image.pointee.yuvRange = AVIF_RANGE_FULL
        if let profile = job.encoding.outputProfile?.bytes {
            // The code points stay unspecified; the profile describes the colours.
            unsafe image.pointee.matrixCoefficients = avifMatrixCoefficients(color.lumaWeights.code)
            var functions = avif
            return try check(
                unsafe gscap_avif_set_profile(&functions, image, profile, profile.count), "cannot store the profile")
        }
        unsafe image.pointee.colorPrimaries = avifColorPrimaries(color.primariesCode)
        unsafe image.pointee.transferCharacteristics = avifTransferCharacteristics(color.transferCode)
        unsafe image.pointee.matrixCoefficients = avifMatrixCoefficients(color.lumaWeights.code)
    }

    /// Adds Exif and XMP. libavif derives the rotation and mirroring from the Exif orientation.
    private func setMetadata() throws(PictureFileError) {
        let exif = job.exif?.bytes ?? []
        let xmp = job.xmp.map { Array($0.text.utf8) } ?? []
        var functions = avif
        try check(
            unsafe gscap_avif_set_metadata(&functions, image, exif, exif.count, xmp, xmp.count),
            "cannot store the metadata")
    }

    private func check(_ result: avifResult, _ failure: String) throws(PictureFileError) {
        if result == AVIF_RESULT_OK { return }
        let reason = unsafe avif.ResultToString(result).map { unsafe String(cString: $0) } ?? "unknown error"
        throw PictureFileError(.encoder, "libavif \(failure): \(reason)")
    }

    /// Encodes and returns the file.
    func encode() throws(PictureFileError) -> [UInt8] {
        guard unsafe avif.CodecName(AVIF_CODEC_CHOICE_AUTO, avifCodecFlags(AVIF_CODEC_FLAG_CAN_ENCODE.rawValue)) != nil
        else {
            throw PictureFileError(
                .missingCodec, "libavif has no AV1 encoder: install one with aom or SVT-AV1, or use HEIC")
        }
        guard let encoder = avif.EncoderCreate() else {
            throw PictureFileError(.noMemory, "not enough memory for an AVIF encoder")
        }
        defer { unsafe avif.EncoderDestroy(encoder) }
        let quantizer = Int((Double(Self.worstQuantizer) * (1 - job.encoding.quality)).rounded())
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
