internal import CHEIF
internal import PictureCodecs
internal import RawImage

/// Encodes HEIF files with HEVC through libheif. *Thread-bound.*
@safe final class HEIFWriter {
    /// The encoding settings of an image.
    struct Coding {
        /// The bits per sample, 8 or 10.
        var bits: Int
        /// The encoder quality, 0…100 (best).
        var quality: Int
        /// Whether chroma has full resolution (4:4:4).
        var hasFullChroma: Bool
    }

    private let heif: HEIFFunctions
    private let context: OpaquePointer

    init() throws(GscapError) {
        heif = try HEIFLibrary.functions()
        guard let context = heif.context_alloc() else {
            throw GscapError(.noMemory, "not enough memory for a HEIF file")
        }
        unsafe self.context = context
    }

    deinit {
        unsafe heif.context_free(context)
    }

    /// An image item of the file; the first one is the primary image.
    @safe final class Item {
        /// The item ID of the image.
        let identifier: Int
        fileprivate let handle: OpaquePointer
        private let heif: HEIFFunctions

        fileprivate init(_ handle: OpaquePointer, identifier: Int, _ heif: HEIFFunctions) {
            self.heif = heif
            self.identifier = identifier
            unsafe self.handle = handle
        }

        deinit {
            unsafe heif.image_handle_release(handle)
        }
    }

    // MARK: Images

    /// The description of an image's colours in the file.
    enum Colors {
        /// The code points of the picture's colours.
        case codePoints
        /// An ICC profile.
        case profile([UInt8])
        /// None, except for the luma weights.
        case unspecified
    }

    /// Encodes a picture with its colours and content light level as an image item.
    func add(
        _ picture: Picture, _ coding: Coding, levels: ContentLightLevel?, colors: Colors, monitor: EncodingMonitor
    ) throws(GscapError) -> Item {
        let image = try HEIFImage(heif, width: picture.width, height: picture.height, coding, isGrey: false)
        try image.planes().fill(picture)
        try monitor.check()
        let isUnspecified = if case .codePoints = colors { false } else { true }
        let color = try HEIFColor(heif, picture.color, isUnspecified: isUnspecified)
        try image.set(color)
        if case .profile(let profile) = colors { try image.set(profile: profile) }
        if let levels = levels?.whole { image.set(levels) }
        return try encode(image, coding, color)
    }

    /// Encodes a grey image as an image item; its samples have `coding.bits` bits.
    func add(grey codes: [UInt16], width: Int, height: Int, _ coding: Coding) throws(GscapError) -> Item {
        let image = try HEIFImage(heif, width: width, height: height, coding, isGrey: true)
        try image.planes().fill(grey: codes, width: width)
        return try encode(image, coding, nil)
    }

    private func encode(_ image: HEIFImage, _ coding: Coding, _ color: HEIFColor?) throws(GscapError) -> Item {
        let encoder = try unsafe HEIFEncoder(heif, context, coding)
        guard let options = heif.encoding_options_alloc() else {
            throw GscapError(.noMemory, "not enough memory for a HEIF file")
        }
        defer { unsafe heif.encoding_options_free(options) }
        unsafe options.pointee.output_nclx_profile = color?.profile
        // libheif omits the nclx profile by default, for old versions of macOS.
        unsafe options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
        var handle: OpaquePointer?
        try unsafe check(
            unsafe heif.context_encode_image(context, image.image, encoder.encoder, options, &handle),
            "cannot encode the picture")
        guard let handle = unsafe handle else {
            throw GscapError(.encoder, "libheif encoded a picture but returned no handle")
        }
        let identifier = unsafe heif.image_handle_get_item_id.map { unsafe Int($0(handle)) } ?? lastImage
        return unsafe Item(handle, identifier: identifier, heif)
    }

    /// The item ID of the image added last: the greatest ID, for libheif versions without
    /// `heif_image_handle_get_item_id`.
    private var lastImage: Int {
        var numbers = [heif_item_id](
            repeating: 0, count: Int(unsafe heif.context_get_number_of_top_level_images(context)))
        let count = unsafe heif.context_get_list_of_top_level_image_IDs(context, &numbers, Int32(numbers.count))
        return Int(numbers.prefix(Int(count)).max() ?? 0)
    }

    // MARK: Metadata

    /// Adds an Exif block to an image item; the block starts with the TIFF header.
    func add(exif: [UInt8], to item: Item) throws(GscapError) {
        try unsafe check(
            unsafe heif.context_add_exif_metadata(context, item.handle, exif, Int32(clamping: exif.count)),
            "cannot add Exif")
    }

    /// Adds an XMP packet in UTF-8 to an image item.
    func add(xmp: [UInt8], to item: Item) throws(GscapError) {
        try unsafe check(
            unsafe heif.context_add_XMP_metadata(context, item.handle, xmp, Int32(clamping: xmp.count)),
            "cannot add XMP")
    }

    // MARK: The finished file

    /// Encodes all added items as a HEIF file and returns its bytes.
    func finish() throws(GscapError) -> [UInt8] {
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
        // libheif passes this pointer on to `write`: it points to the array itself, not to its elements.
        let error = unsafe withUnsafeMutablePointer(to: &bytes) { target in
            unsafe heif.context_write(context, &writer, target)
        }
        try unsafe check(error, "cannot write the file")
        return bytes
    }
}

/// Throws the error of a libheif call, if any.
private func check(_ error: heif_error, _ what: String) throws(GscapError) {
    if unsafe error.code == heif_error_Ok { return }
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "unknown error"
    let code = unsafe error.code == heif_error_Memory_allocation_error ? GscapError.Code.noMemory : .encoder
    throw GscapError(code, "\(what): libheif reports: \(message)")
}

/// An HEVC encoder of libheif.
@safe private final class HEIFEncoder {
    let encoder: OpaquePointer
    private let heif: HEIFFunctions

    init(
        _ heif: HEIFFunctions, _ context: OpaquePointer, _ coding: HEIFWriter.Coding
    ) throws(GscapError) {
        self.heif = heif
        var encoder: OpaquePointer?
        let error = unsafe heif.context_get_encoder_for_format(context, heif_compression_HEVC, &encoder)
        guard unsafe error.code == heif_error_Ok, let encoder = unsafe encoder else {
            throw GscapError(
                .missingCodec,
                "libheif has no HEVC encoder: install the Debian package libheif-plugin-x265 (GPL), or use AVIF"
            )
        }
        unsafe self.encoder = encoder
        try unsafe check(heif.encoder_set_lossy_quality(encoder, Int32(coding.quality)), "cannot set the quality")
        // Parameters that an HEVC encoder does not support are ignored. Finer presets of x265 take three times as long
        // for 0.1 dB.
        for (name, value) in [
            ("preset", "ultrafast"), ("tune", "ssim"), ("chroma", coding.hasFullChroma ? "444" : "420"),
        ] {
            _ = unsafe heif.encoder_set_parameter(encoder, name, value)
        }
    }

    deinit {
        unsafe heif.encoder_release(encoder)
    }
}

/// An nclx colour profile.
@safe private final class HEIFColor {
    let profile: UnsafeMutablePointer<heif_color_profile_nclx>
    private let heif: HEIFFunctions

    /// The code point for unspecified primaries and transfer characteristics.
    private static let unspecified: UInt16 = 2

    /// Creates the profile of a colour space; with `isUnspecified` the luma weights alone.
    init(_ heif: HEIFFunctions, _ color: PictureColor, isUnspecified: Bool) throws(GscapError) {
        self.heif = heif
        guard let profile = heif.nclx_color_profile_alloc() else {
            throw GscapError(.noMemory, "not enough memory for a HEIF file")
        }
        unsafe self.profile = unsafe profile
        let codes = (UInt16(color.primariesCode), UInt16(color.transferCode))
        let (primaries, transfer) = isUnspecified ? (Self.unspecified, Self.unspecified) : codes
        try unsafe check(
            unsafe heif.nclx_color_profile_set_color_primaries(profile, primaries), "cannot set the primaries")
        try unsafe check(
            unsafe heif.nclx_color_profile_set_transfer_characteristics(profile, transfer),
            "cannot set the transfer characteristics")
        try unsafe check(
            unsafe heif.nclx_color_profile_set_matrix_coefficients(profile, color.lumaWeights.code),
            "cannot set the matrix coefficients")
        unsafe profile.pointee.full_range_flag = 1
    }

    deinit {
        unsafe heif.nclx_color_profile_free(profile)
    }
}

/// An image in libheif's memory.
@safe private final class HEIFImage {
    let image: OpaquePointer
    private let heif: HEIFFunctions
    private let width: Int
    private let height: Int
    private let bits: Int
    private let hasFullChroma: Bool

    init(
        _ heif: HEIFFunctions, width: Int, height: Int, _ coding: HEIFWriter.Coding, isGrey: Bool
    ) throws(GscapError) {
        self.heif = heif
        (self.width, self.height, bits, hasFullChroma) = (width, height, coding.bits, coding.hasFullChroma)
        var image: OpaquePointer?
        let chroma =
            isGrey ? gscap_heif_monochrome : coding.hasFullChroma ? heif_chroma_444 : heif_chroma_420
        try unsafe check(
            unsafe heif.image_create(
                Int32(width), Int32(height), isGrey ? heif_colorspace_monochrome : heif_colorspace_YCbCr, chroma,
                &image), "cannot create an image")
        guard let image = unsafe image else {
            throw GscapError(.noMemory, "not enough memory for an image of \(width)×\(height) pixels")
        }
        unsafe self.image = image
        try addPlane(heif_channel_Y, width, height)
        if isGrey { return }
        let size = coding.hasFullChroma ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
        try addPlane(heif_channel_Cb, size.0, size.1)
        try addPlane(heif_channel_Cr, size.0, size.1)
    }

    deinit {
        unsafe heif.image_release(image)
    }

    private func addPlane(_ channel: heif_channel, _ width: Int, _ height: Int) throws(GscapError) {
        try unsafe check(
            unsafe heif.image_add_plane(image, channel, Int32(width), Int32(height), Int32(bits)),
            "not enough memory for an image of \(width)×\(height) pixels")
    }

    func set(_ color: HEIFColor) throws(GscapError) {
        try unsafe check(unsafe heif.image_set_nclx_color_profile(image, color.profile), "cannot set the colours")
    }

    func set(profile: [UInt8]) throws(GscapError) {
        try unsafe check(
            unsafe heif.image_set_raw_color_profile(image, "prof", profile, profile.count), "cannot set the profile")
    }

    func set(_ levels: (maxCLL: UInt16, maxFALL: UInt16)) {
        var level = heif_content_light_level(
            max_content_light_level: levels.maxCLL, max_pic_average_light_level: levels.maxFALL)
        unsafe heif.image_set_content_light_level(image, &level)
    }

    /// Returns the luma and chroma planes of the image, in memory that libheif owns.
    func planes() throws(GscapError) -> VideoPlanes {
        guard let luma = unsafe plane(heif_channel_Y) else {
            throw GscapError(.noMemory, "not enough memory for an image of \(width)×\(height) pixels")
        }
        return unsafe VideoPlanes(
            luma: luma, cb: plane(heif_channel_Cb), cr: plane(heif_channel_Cr), bits: bits,
            hasFullChroma: hasFullChroma)
    }

    private func plane(_ channel: heif_channel) -> VideoPlanes.Plane? {
        var stride: Int32 = 0
        return unsafe heif.image_get_plane(image, channel, &stride).map { (unsafe $0, Int(stride)) }
    }
}
