internal import CJXL
internal import PictureCodecs

/// An encoder of tiles of 16-bit codes as JPEG XL codestreams (Compression 52546).
final class JPEGXLTileCompressor: TileCompressor {
    private let jxl: JXLFunctions
    private let width: Int
    private let height: Int
    private let samples: Int
    private let distance: Double
    private let effort: Int
    private var isLossless: Bool { distance == 0 }
    private var codes: [UInt16]

    init(_ coding: RawEncodingPlan, distance: Double, effort: Int) throws(GscapError) {
        jxl = try JXLLibrary.functions()
        (width, height) = (coding.plan.tileWidth, coding.plan.tileHeight)
        samples = coding.picture.samples
        self.distance = distance
        // libjxl 0.8 to 0.11 overflows its output buffer at lossless effort 1, for single-group images whose 16-bit
        // codes do not compress.
        self.effort = distance == 0 ? max(effort, 2) : max(effort, 3)
        codes = [UInt16](repeating: 0, count: width * height * samples)
    }

    func compress(_ tile: TileSamples) throws(GscapError) -> [UInt8] {
        for row in 0..<height {
            let source = unsafe tile.start + min(row, tile.height - 1) * tile.stride
            let valid = unsafe tile.width * samples
            for sample in 0..<width * samples {
                // Padding beyond the picture's edge repeats the last row and pixel.
                let from = sample < valid ? sample : valid - samples + sample % samples
                codes[row * width * samples + sample] = unsafe source[from]
            }
        }
        guard let encoder = jxl.EncoderCreate(nil) else {
            throw GscapError(.noMemory, "there is no memory for a JPEG XL encoder")
        }
        defer { unsafe jxl.EncoderDestroy(encoder) }
        try unsafe configure(encoder)
        return try unsafe output(of: encoder)
    }

    private func configure(_ encoder: OpaquePointer) throws(GscapError) {
        var info = JxlBasicInfo()
        unsafe jxl.EncoderInitBasicInfo(&info)
        info.xsize = UInt32(width)
        info.ysize = UInt32(height)
        info.bits_per_sample = 16
        info.num_color_channels = UInt32(samples)
        // Camera codes have no colour space that libjxl could convert from. Lossless ones are stored untransformed.
        // Lossy ones have gone along a curve like that of sRGB, by which name libjxl transforms them to XYB and back.
        info.uses_original_profile = isLossless ? 1 : 0
        var color = JxlColorEncoding()
        unsafe jxl.ColorEncodingSetToLinearSRGB(&color, samples == 1 ? 1 : 0)
        if !isLossless { color.transfer_function = JXL_TRANSFER_FUNCTION_SRGB }
        let options = unsafe jxl.EncoderFrameSettingsCreate(encoder, nil)
        // Codestream level 10 allows 16-bit samples; DNG stores bare codestreams without the box container.
        try unsafe check(encoder, jxl.EncoderSetBasicInfo(encoder, &info))
        try unsafe check(encoder, jxl.EncoderSetCodestreamLevel(encoder, 10))
        try unsafe check(encoder, jxl.EncoderUseContainer(encoder, 0))
        try unsafe check(encoder, jxl.EncoderSetColorEncoding(encoder, &color))
        let effort = Int64(effort)
        try unsafe check(
            encoder, jxl.EncoderFrameSettingsSetOption(options, JXL_ENC_FRAME_SETTING_EFFORT, effort))
        if isLossless {
            try unsafe check(encoder, jxl.EncoderSetFrameLossless(options, 1))
        } else {
            try unsafe check(encoder, jxl.EncoderSetFrameDistance(options, Float(distance)))
        }
        var format = JxlPixelFormat(
            num_channels: UInt32(samples), data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 0)
        let status = unsafe codes.withUnsafeBytes {
            unsafe jxl.EncoderAddImageFrame(options, &format, $0.baseAddress, $0.count)
        }
        try unsafe check(encoder, status)
        unsafe jxl.EncoderCloseInput(encoder)
    }

    private func output(of encoder: OpaquePointer) throws(GscapError) -> [UInt8] {
        if let bytes = unsafe jxl.output(of: encoder, expecting: codes.count * 2) { return bytes }
        throw GscapError(
            .container, "libjxl cannot encode a tile: error \(unsafe jxl.EncoderGetError(encoder).rawValue)")
    }

    private func check(_ encoder: OpaquePointer, _ status: JxlEncoderStatus) throws(GscapError) {
        if status == JXL_ENC_SUCCESS { return }
        throw GscapError(.container, "libjxl rejects a setting: error \(unsafe jxl.EncoderGetError(encoder).rawValue)")
    }
}
