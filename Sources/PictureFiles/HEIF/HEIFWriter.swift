internal import CHEIF
internal import Kernels
internal import RawImage

/// Makes HEIF files through libheif: its C-facing side. *Thread-bound.*
@safe final class HEIFWriter {
    /// How an image is coded.
    struct Coding {
        var isAV1: Bool
        /// Bits of a sample.
        var bits: Int
        /// 0…100.
        var quality: Int
        /// Whether colour is as fine as brightness.
        var isColorFull: Bool
        /// Exif's orientation.
        var orientation: Int

        /// The largest code.
        var maximum: Int { (1 << bits) - 1 }
    }

    private let context: OpaquePointer

    init() throws(PictureFileError) {
        guard let context = unsafe heif_context_alloc() else {
            throw PictureFileError(.noMemory, "there is no memory for a HEIF file")
        }
        unsafe self.context = context
    }

    deinit {
        unsafe heif_context_free(context)
    }

    /// An image of the file; the first is the one that is shown.
    @safe final class Item {
        /// The image's number in the file.
        let identifier: Int
        fileprivate let handle: OpaquePointer

        fileprivate init(_ handle: OpaquePointer, identifier: Int) {
            self.identifier = identifier
            unsafe self.handle = handle
        }

        deinit {
            unsafe heif_image_handle_release(handle)
        }
    }

    // MARK: Images

    /// Codes a picture.
    func add(
        _ picture: Picture, _ coding: Coding, levels: LightLevels?, watch: EncodingWatch
    ) throws(PictureFileError) -> Item {
        let image = try HEIFImage(width: picture.width, height: picture.height, coding, isGrey: false)
        image.fill(picture, coding)
        try watch.check()
        let color = try HEIFColor(picture.color)
        try image.set(color)
        if let levels = levels?.whole { image.set(levels) }
        return try encode(image, coding, color)
    }

    /// Codes a grey image of numbers of its own bits.
    func add(grey codes: [UInt16], width: Int, height: Int, _ coding: Coding) throws(PictureFileError) -> Item {
        let image = try HEIFImage(width: width, height: height, coding, isGrey: true)
        image.fill(grey: codes)
        return try encode(image, coding, nil)
    }

    private func encode(_ image: HEIFImage, _ coding: Coding, _ color: HEIFColor?) throws(PictureFileError) -> Item {
        let encoder = unsafe try HEIFEncoder(context, coding)
        guard let options = unsafe heif_encoding_options_alloc() else {
            throw PictureFileError(.noMemory, "there is no memory for a HEIF file")
        }
        defer { unsafe heif_encoding_options_free(options) }
        unsafe options.pointee.output_nclx_profile = color?.profile
        unsafe options.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
        unsafe options.pointee.image_orientation = heif_orientation(UInt32(coding.orientation))
        var handle: OpaquePointer?
        unsafe try check(
            unsafe heif_context_encode_image(context, image.image, encoder.encoder, options, &handle),
            "cannot code the picture")
        guard let handle = unsafe handle else {
            throw PictureFileError(.encoder, "libheif coded a picture without saying where")
        }
        return unsafe Item(handle, identifier: lastImage)
    }

    /// The number of the image that was added last: numbers rise.
    private var lastImage: Int {
        var numbers = [heif_item_id](
            repeating: 0, count: Int(unsafe heif_context_get_number_of_top_level_images(context)))
        let count = unsafe heif_context_get_list_of_top_level_image_IDs(context, &numbers, Int32(numbers.count))
        return Int(numbers.prefix(Int(count)).max() ?? 0)
    }

    // MARK: What is told of the picture

    /// Adds Exif, which begins with the head of a TIFF file.
    func add(exif: [UInt8], to item: Item) throws(PictureFileError) {
        unsafe try check(
            unsafe heif_context_add_exif_metadata(context, item.handle, exif, Int32(clamping: exif.count)),
            "cannot add Exif")
    }

    /// Adds an XMP packet.
    func add(xmp: [UInt8], to item: Item) throws(PictureFileError) {
        unsafe try check(
            unsafe heif_context_add_XMP_metadata(context, item.handle, xmp, Int32(clamping: xmp.count)),
            "cannot add XMP")
    }

    // MARK: The file

    /// The file's bytes.
    func finish() throws(PictureFileError) -> [UInt8] {
        var writer = heif_writer()
        writer.writer_api_version = 1
        unsafe writer.write = { _, bytes, count, target in
            if let bytes = unsafe bytes, let target = unsafe target {
                let target = unsafe target.assumingMemoryBound(to: [UInt8].self)
                unsafe target.pointee = Array(UnsafeRawBufferPointer(start: bytes, count: count))
            }
            return unsafe heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        var bytes: [UInt8] = []
        unsafe try check(unsafe heif_context_write(context, &writer, &bytes), "cannot write the file")
        return bytes
    }
}

/// Throws what libheif has against a call.
private func check(_ error: heif_error, _ what: String) throws(PictureFileError) {
    if unsafe error.code == heif_error_Ok { return }
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "no reason"
    let code = unsafe error.code == heif_error_Memory_allocation_error ? PictureFileError.Code.noMemory : .encoder
    throw PictureFileError(code, "\(what): libheif gives \(message)")
}

/// One of libheif's codecs.
@safe private final class HEIFEncoder {
    let encoder: OpaquePointer

    init(_ context: OpaquePointer, _ coding: HEIFWriter.Coding) throws(PictureFileError) {
        var encoder: OpaquePointer?
        let format = coding.isAV1 ? heif_compression_AV1 : heif_compression_HEVC
        let error = unsafe heif_context_get_encoder_for_format(context, format, &encoder)
        guard unsafe error.code == heif_error_Ok, let encoder = unsafe encoder else {
            throw PictureFileError(
                .missingCodec,
                coding.isAV1
                    ? "libheif has no AV1 encoder here: install its plugin for aom or SVT-AV1, or take HEIC"
                    : "libheif has no HEVC encoder here: install its plugin for x265 (GPL), or take AVIF")
        }
        unsafe self.encoder = encoder
        unsafe try check(unsafe heif_encoder_set_lossy_quality(encoder, Int32(coding.quality)), "cannot set the quality")
        // What a codec does not know of it does without.
        let settings =
            coding.isAV1 ? [("speed", "8"), ("threads", "16")] : [("preset", "fast"), ("tune", "ssim")]
        for (name, value) in settings + [("chroma", coding.isColorFull ? "444" : "420")] {
            _ = unsafe heif_encoder_set_parameter(encoder, name, value)
        }
    }

    deinit {
        unsafe heif_encoder_release(encoder)
    }
}

/// What the numbers of a picture mean, as video codecs say it.
@safe private final class HEIFColor {
    let profile: UnsafeMutablePointer<heif_color_profile_nclx>

    init(_ color: PictureColor) throws(PictureFileError) {
        guard let profile = unsafe heif_nclx_color_profile_alloc() else {
            throw PictureFileError(.noMemory, "there is no memory for a HEIF file")
        }
        unsafe self.profile = unsafe profile
        let (primaries, transfer) = (UInt16(color.primariesCode), UInt16(color.transferCode))
        unsafe try check(unsafe heif_nclx_color_profile_set_color_primaries(profile, primaries), "cannot set the primaries")
        unsafe try check(
            unsafe heif_nclx_color_profile_set_transfer_characteristics(profile, transfer), "cannot set the transfer")
        unsafe try check(
            unsafe heif_nclx_color_profile_set_matrix_coefficients(profile, color.lumaShares.code),
            "cannot set the matrix")
        unsafe profile.pointee.full_range_flag = 1
    }

    deinit {
        unsafe heif_nclx_color_profile_free(profile)
    }
}

extension PictureColor {
    /// The number of the matrix in H.273, and the shares of red and blue in brightness: BT.2020's for its primaries, and for all
    /// else those of BT.601, which readers take that look for no matrix.
    fileprivate var lumaShares: (code: UInt16, red: Float, blue: Float) {
        primaries == .rec2020 ? (9, 0.2627, 0.0593) : (6, 0.299, 0.114)
    }
}

/// An image in libheif's memory.
@safe private final class HEIFImage {
    let image: OpaquePointer
    private let width: Int
    private let height: Int
    private let bits: Int

    init(width: Int, height: Int, _ coding: HEIFWriter.Coding, isGrey: Bool) throws(PictureFileError) {
        (self.width, self.height, bits) = (width, height, coding.bits)
        var image: OpaquePointer?
        let chroma =
            isGrey ? heif_chroma_monochrome : coding.isColorFull ? heif_chroma_444 : heif_chroma_420
        unsafe try check(
            unsafe heif_image_create(
                Int32(width), Int32(height), isGrey ? heif_colorspace_monochrome : heif_colorspace_YCbCr, chroma,
                &image), "cannot make an image")
        guard let image = unsafe image else {
            throw PictureFileError(.noMemory, "there is no memory for an image of \(width)×\(height) pixels")
        }
        unsafe self.image = image
        try addPlane(heif_channel_Y, width, height)
        if isGrey { return }
        let size = coding.isColorFull ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
        try addPlane(heif_channel_Cb, size.0, size.1)
        try addPlane(heif_channel_Cr, size.0, size.1)
    }

    deinit {
        unsafe heif_image_release(image)
    }

    private func addPlane(_ channel: heif_channel, _ width: Int, _ height: Int) throws(PictureFileError) {
        unsafe try check(
            unsafe heif_image_add_plane(image, channel, Int32(width), Int32(height), Int32(bits)),
            "there is no memory for an image of \(width)×\(height) pixels")
    }

    func set(_ color: HEIFColor) throws(PictureFileError) {
        unsafe try check(unsafe heif_image_set_nclx_color_profile(image, color.profile), "cannot set the colours")
    }

    func set(_ levels: (brightest: UInt16, average: UInt16)) {
        var level = heif_content_light_level(
            max_content_light_level: levels.brightest, max_pic_average_light_level: levels.average)
        unsafe heif_image_set_content_light_level(image, &level)
    }

    func set(profile: [UInt8]) throws(PictureFileError) {
        unsafe try check(
            unsafe heif_image_set_raw_color_profile(image, "prof", profile, profile.count), "cannot set the profile")
    }

    /// Fills the planes, on all cores.
    func fill(_ picture: Picture, _ coding: HEIFWriter.Coding) {
        let (red, blue) = (picture.color.lumaShares.red, picture.color.lumaShares.blue)
        let (maximum, middle) = (Float(coding.maximum), Float(1 << (coding.bits - 1)))
        let step = coding.isColorFull ? 1 : 2
        let (even, colors) = ((width + 1) / 2 * 2, (width + step - 1) / step)
        concurrentBands(rows: height, of: 64) { rows in
            let pixels = picture.codes(rows, maximum: coding.maximum)
            var luma = [UInt16](repeating: 0, count: width)
            var blues = [[Float]](repeating: [Float](repeating: 0, count: even), count: 2)
            var reds = blues
            var codes = [UInt16](repeating: 0, count: colors)
            for row in stride(from: 0, to: rows.count, by: step) {
                for line in 0..<step {
                    // A last row without another is taken twice.
                    let from = min(row + line, rows.count - 1) * picture.rowCount
                    unsafe pixels.withUnsafeBufferPointer { pixels in
                        guard let start = pixels.baseAddress else { return }
                        unsafe splitColor(
                            start + from, count: width, red: red, blue: blue, luma: &luma, blueness: &blues[line],
                            redness: &reds[line])
                    }
                    if even > width {
                        blues[line][width] = blues[line][width - 1]
                        reds[line][width] = reds[line][width - 1]
                    }
                    if row + line < rows.count { store(luma, in: heif_channel_Y, row: rows.lowerBound + row + line) }
                }
                for (channel, values) in [(heif_channel_Cb, blues), (heif_channel_Cr, reds)] {
                    if step == 1 {
                        unsafe storeColor(values[0], count: colors, middle: middle, maximum: maximum, into: &codes)
                    } else {
                        unsafe storeHalvedColor(
                            values[0], values[1], count: colors, middle: middle, maximum: maximum, into: &codes)
                    }
                    store(codes, in: channel, row: (rows.lowerBound + row) / step)
                }
            }
        }
    }

    /// Fills the only plane.
    func fill(grey codes: [UInt16]) {
        for row in 0..<height { store(Array(codes[row * width..<(row + 1) * width]), in: heif_channel_Y, row: row) }
    }

    /// Writes a row of a plane. Rows may be written on several threads, each by one.
    private func store(_ codes: [UInt16], in channel: heif_channel, row: Int) {
        var stride: Int32 = 0
        guard let plane = unsafe heif_image_get_plane(image, channel, &stride) else { return }
        let target = unsafe plane + row * Int(stride)
        if bits == 8 {
            unsafe lowBytes(codes, count: codes.count, into: target)
        } else {
            unsafe codes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
            }
        }
    }
}
