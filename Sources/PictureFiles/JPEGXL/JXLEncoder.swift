internal import CJXL
internal import PictureCodecs
internal import RawImage
internal import Synchronization

/// A JPEG XL encoder based on libjxl. *Thread-bound.*
@safe final class JXLEncoder {
    /// The format of the samples that are passed to the encoder, little-endian.
    enum SampleFormat {
        case bytes, words, halves

        fileprivate var type: JxlDataType {
            switch self {
            case .bytes: JXL_TYPE_UINT8
            case .words: JXL_TYPE_UINT16
            case .halves: JXL_TYPE_FLOAT16
            }
        }
    }

    private let jxl: JXLFunctions
    private let encoder: OpaquePointer
    private let job: EncodingJob
    private let options: OpaquePointer

    /// The encoder effort, from 1 (fastest) to 9.
    private var effort: Int64 { isLossless ? 3 : 5 }

    init(_ job: EncodingJob) throws(GscapError) {
        self.job = job
        jxl = try JXLLibrary.functions()
        guard let encoder = jxl.EncoderCreate(nil) else {
            throw GscapError(.noMemory, "not enough memory for a JPEG XL encoder")
        }
        guard let options = unsafe jxl.EncoderFrameSettingsCreate(encoder, nil) else {
            unsafe jxl.EncoderDestroy(encoder)
            throw GscapError(.noMemory, "not enough memory for a JPEG XL encoder")
        }
        (unsafe self.encoder, unsafe self.options) = unsafe (encoder, options)
        try check(
            unsafe jxl.EncoderSetParallelRunner(
                encoder,
                { _, job, prepare, work, start, end in
                    guard let prepare = unsafe prepare, let work = unsafe work, start <= end else { return -1 }
                    return runOnAllCores(start..<end, prepare: { unsafe prepare(job, $0) }) { item, thread in
                        unsafe work(job, item, thread)
                    }
                }, nil))
        try setShape()
        try setColor()
        try check(
            unsafe jxl.EncoderFrameSettingsSetOption(options, JXL_ENC_FRAME_SETTING_EFFORT, effort))
        if isLossless {
            try check(unsafe jxl.EncoderSetFrameLossless(options, 1))
        } else {
            try check(unsafe jxl.EncoderSetFrameDistance(options, distance))
        }
    }

    deinit {
        unsafe jxl.EncoderDestroy(encoder)
    }

    private var isLossless: Bool { job.encoding.quality == 1 }

    /// The Butteraugli distance for the quality: libjxl's own formula from 30 % up, a straight line below that.
    private var distance: Float {
        let quality = job.encoding.quality * 100
        return Float(quality >= 30 ? 0.1 + (100 - quality) * 0.09 : 6.4 + (30 - quality) * 0.28)
    }

    private func setShape() throws(GscapError) {
        var info = JxlBasicInfo()
        unsafe jxl.EncoderInitBasicInfo(&info)
        info.xsize = UInt32(job.picture.width)
        info.ysize = UInt32(job.picture.height)
        info.bits_per_sample = job.depth == .eight ? 8 : 16
        info.exponent_bits_per_sample = job.depth == .half ? 5 : 0
        info.num_color_channels = UInt32(Picture.channels)
        info.uses_original_profile = isLossless ? 1 : 0
        info.orientation = JxlOrientation(UInt32(job.orientation))
        if let levels = job.contentLightLevel { info.intensity_target = Float(max(1, min(10_000, levels.maxCLL))) }
        try check(unsafe jxl.EncoderSetBasicInfo(encoder, &info))
        // Lossless 16-bit samples need codestream level 10, which requires the container; metadata boxes require it
        // too.
        if isLossless, job.depth != .eight { try check(unsafe jxl.EncoderSetCodestreamLevel(encoder, 10)) }
        try check(unsafe jxl.EncoderUseBoxes(encoder))
        try check(unsafe jxl.EncoderUseContainer(encoder, 1))
    }

    private func setColor() throws(GscapError) {
        if let profile = job.encoding.outputProfile?.bytes {
            return try check(unsafe jxl.EncoderSetICCProfile(encoder, profile, profile.count))
        }
        var color = JxlColorEncoding()
        let name = job.color
        color.color_space = JXL_COLOR_SPACE_RGB
        color.white_point = JXL_WHITE_POINT_D65
        color.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
        color.primaries =
            switch name.primaries {
            case .sRGB: JXL_PRIMARIES_SRGB
            case .displayP3: JXL_PRIMARIES_P3
            case .rec2020: JXL_PRIMARIES_2100
            }
        color.transfer_function =
            switch name.transfer {
            case .sRGB: JXL_TRANSFER_FUNCTION_SRGB
            case .rec709: JXL_TRANSFER_FUNCTION_709
            case .linear: JXL_TRANSFER_FUNCTION_LINEAR
            case .pq: JXL_TRANSFER_FUNCTION_PQ
            case .hlg: JXL_TRANSFER_FUNCTION_HLG
            }
        try check(unsafe jxl.EncoderSetColorEncoding(encoder, &color))
    }

    /// Adds a metadata box with a four-character type and its payload.
    func add(box name: String, _ bytes: [UInt8]) throws(GscapError) {
        let letters = name.utf8.map { CChar(truncatingIfNeeded: $0) }
        guard letters.count == 4 else {
            throw GscapError(.encoder, "the box type \(name) does not have four characters")
        }
        var type = (letters[0], letters[1], letters[2], letters[3])
        let status = unsafe withUnsafePointer(to: &type) { type in
            unsafe type.withMemoryRebound(to: CChar.self, capacity: 4) { name in
                unsafe jxl.EncoderAddBox(encoder, name, bytes, bytes.count, 0)
            }
        }
        try check(status)
    }

    /// Adds the RGB pixels of the whole picture and closes the encoder's input.
    func add(_ pixels: [UInt8], _ sampleFormat: SampleFormat) throws(GscapError) {
        var format = JxlPixelFormat(
            num_channels: UInt32(Picture.channels), data_type: sampleFormat.type, endianness: JXL_LITTLE_ENDIAN,
            align: 0)
        let status = unsafe pixels.withUnsafeBytes {
            unsafe jxl.EncoderAddImageFrame(options, &format, $0.baseAddress, $0.count)
        }
        try check(status)
        unsafe jxl.EncoderCloseInput(encoder)
    }

    /// Encodes what was added and returns the JPEG XL file.
    func finish() throws(GscapError) -> [UInt8] {
        if let bytes = unsafe jxl.output(of: encoder, expecting: 1 << 20) { return bytes }
        throw GscapError(
            .encoder, "libjxl failed to encode: error \(unsafe jxl.EncoderGetError(encoder).rawValue)")
    }

    private func check(_ status: JxlEncoderStatus) throws(GscapError) {
        if status == JXL_ENC_SUCCESS { return }
        throw GscapError(
            .encoder, "libjxl rejected a setting: error \(unsafe jxl.EncoderGetError(encoder).rawValue)")
    }
}

/// Runs items of libjxl's work on all cores; each thread takes the next item until none is left. `prepare` receives the
/// number of threads and may refuse with a nonzero code; `work` runs an item (first argument) on a thread (second).
private func runOnAllCores(_ items: Range<UInt32>, prepare: (Int) -> Int32, _ work: (UInt32, Int) -> Void) -> Int32 {
    if items.isEmpty { return 0 }
    let threads = min(Processors.count, items.count)
    let refusal = prepare(threads)
    if refusal != 0 { return refusal }
    let next = Atomic<UInt32>(items.lowerBound)
    withoutActuallyEscaping(work) { work in
        // libjxl permits concurrent calls of its work, each with a different thread number.
        nonisolated(unsafe) let work = work
        concurrently(threads) { thread in
            while true {
                let item = next.wrappingAdd(1, ordering: .relaxed).oldValue
                if item >= items.upperBound { return }
                unsafe work(item, thread)
            }
        }
    }
    return 0
}
