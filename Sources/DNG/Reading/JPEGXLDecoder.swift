internal import CJXL
internal import PictureCodecs

/// A decoder of JPEG XL chunks, using libjxl.
enum JPEGXLDecoder {
    /// A decoded JPEG XL image: its size in pixels and its samples, interleaved.
    struct DecodedImage<Sample> {
        let width: Int
        let height: Int
        let samples: [Sample]
    }

    /// Decodes a JPEG XL stream of integers, which libjxl scales to the full 16-bit range as the Adobe DNG SDK does.
    static func decode(
        _ bytes: [UInt8], samples: Int, width: Int, height: Int, limit: Int
    ) throws(GscapError) -> DecodedImage<UInt16> {
        try decode(
            bytes, as: UInt16.self, JXL_TYPE_UINT16, samples: samples, width: width, height: height, limit: limit)
    }

    /// Decodes a JPEG XL stream of floating-point numbers.
    static func decodeFloats(
        _ bytes: [UInt8], samples: Int, width: Int, height: Int, limit: Int
    ) throws(GscapError) -> DecodedImage<Float> {
        try decode(bytes, as: Float.self, JXL_TYPE_FLOAT, samples: samples, width: width, height: height, limit: limit)
    }

    /// Decodes a JPEG XL stream; throws unless it has at least `width`×`height` pixels and at most `limit` samples.
    private static func decode<Sample: BitwiseCopyable>(
        _ bytes: [UInt8], as type: Sample.Type, _ dataType: JxlDataType, samples: Int, width: Int, height: Int,
        limit: Int
    ) throws(GscapError) -> DecodedImage<Sample> {
        guard samples == 1 || samples == 3 else {
            throw GscapError(.unsupported, "JPEG XL with \(samples) samples a pixel is not supported; only 1 or 3 are")
        }
        let jxl = try JXLLibrary.functions()
        guard let decoder = jxl.DecoderCreate(nil) else {
            throw GscapError(.noMemory, "there is no memory for a JPEG XL decoder")
        }
        defer { unsafe jxl.DecoderDestroy(decoder) }
        let events = Int32(JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
        guard unsafe jxl.DecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS,
            // Do not apply the codestream's orientation: DNG's Orientation tag does that.
            unsafe jxl.DecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
        else { throw GscapError(.container, "libjxl rejected its settings") }
        var info = JxlBasicInfo()
        var pixels: [Sample] = []
        // libjxl keeps pointers to input and output between calls, so both buffers must stay in place.
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(GscapError) in
            guard unsafe jxl.DecoderSetInput(decoder, bytes.baseAddress, bytes.count) == JXL_DEC_SUCCESS else {
                throw GscapError(.container, "libjxl rejected its input")
            }
            unsafe jxl.DecoderCloseInput(decoder)
            guard unsafe jxl.DecoderProcessInput(decoder) == JXL_DEC_BASIC_INFO,
                unsafe jxl.DecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS
            else { throw GscapError(.malformed, "its JPEG XL header is damaged") }
            try check(info, samples: samples, width: width, height: height, limit: limit)
            pixels = try unsafe decode(jxl, decoder, info, dataType, samples: samples)
        }
        return DecodedImage(
            width: Int(info.xsize), height: Int(info.ysize), samples: pixels)
    }

    private static func check(
        _ info: JxlBasicInfo, samples: Int, width: Int, height: Int, limit: Int
    ) throws(GscapError) {
        guard info.num_color_channels == UInt32(samples), info.num_extra_channels == 0, info.have_animation == 0 else {
            throw GscapError(
                .malformed,
                "its JPEG XL stream has \(info.num_color_channels) colour and \(info.num_extra_channels) extra "
                    + "channels; \(samples) colour channels are needed")
        }
        let (fullWidth, fullHeight) = (Int(info.xsize), Int(info.ysize))
        guard fullWidth >= width, fullHeight >= height, fullWidth <= limit, fullHeight <= limit,
            fullWidth * fullHeight * samples <= limit
        else {
            throw GscapError(
                .malformed,
                "its JPEG XL stream is of \(fullWidth)×\(fullHeight) pixels where \(width)×\(height) are needed")
        }
    }

    private static func decode<Sample: BitwiseCopyable>(
        _ jxl: JXLFunctions, _ decoder: OpaquePointer, _ info: JxlBasicInfo, _ dataType: JxlDataType, samples: Int
    ) throws(GscapError) -> [Sample] {
        var format = JxlPixelFormat(
            num_channels: UInt32(samples), data_type: dataType, endianness: JXL_NATIVE_ENDIAN, align: 0)
        let count = Int(info.xsize) * Int(info.ysize) * samples
        var isWhole = false
        let pixels = unsafe [Sample](unsafeUninitializedCapacity: count) { target, filled in
            var isSet = false
            while true {
                let status = unsafe jxl.DecoderProcessInput(decoder)
                if status == JXL_DEC_NEED_IMAGE_OUT_BUFFER, !isSet {
                    isSet =
                        unsafe jxl.DecoderSetImageOutBuffer(
                            decoder, &format, target.baseAddress, count * MemoryLayout<Sample>.stride)
                        == JXL_DEC_SUCCESS
                    if isSet { continue }
                }
                isWhole = status == JXL_DEC_FULL_IMAGE
                break
            }
            filled = isWhole ? count : 0
        }
        guard isWhole else { throw GscapError(.malformed, "its JPEG XL stream is damaged or cut off") }
        return pixels
    }
}
