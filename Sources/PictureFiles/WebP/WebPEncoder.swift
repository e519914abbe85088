internal import CWebP
internal import PictureCodecs
internal import RawImage

/// A WebP encoder based on libwebp. *Thread-bound.*
@safe final class WebPEncoder {
    private let webp: WebPFunctions
    private let job: EncodingJob
    private var config = WebPConfig()
    private var image = unsafe WebPPicture()

    /// The effort of lossless encoding, from 0 (fastest) to 9. Greater efforts take several times as long and save only
    /// a few percent of a photo.
    private static let losslessEffort: Int32 = 1

    private var isLossless: Bool { job.encoding.quality == 1 }

    /// Creates an encoder and loads the job's picture into it.
    init(_ job: EncodingJob) throws(GscapError) {
        webp = try WebPLibrary.functions()
        self.job = job
        var functions = webp
        guard unsafe gscap_webp_init(&functions, &config, &image, Float(job.encoding.quality * 100)) != 0 else {
            throw GscapError(.encoder, "this version of libwebp is incompatible with gscap")
        }
        if isLossless { unsafe _ = webp.ConfigLosslessPreset(&config, Self.losslessEffort) }
        config.thread_level = 1
        // At high qualities the chroma planes are computed so that edges keep their brightness.
        config.use_sharp_yuv = job.encoding.quality >= 0.95 && !isLossless ? 1 : 0
        unsafe image.use_argb = isLossless || config.use_sharp_yuv != 0 ? 1 : 0
        unsafe image.width = Int32(job.picture.width)
        unsafe image.height = Int32(job.picture.height)
        let pixels = job.picture.bytes(0..<job.picture.height)
        guard unsafe webp.PictureImportRGB(&image, pixels, Int32(job.picture.rowCount)) != 0 else { throw failure }
    }

    deinit {
        unsafe webp.PictureFree(&image)
    }

    /// Encodes and returns a file without metadata. The monitor's progress callback may cancel it.
    func encode() throws(GscapError) -> [UInt8] {
        var writer = unsafe WebPMemoryWriter()
        unsafe webp.MemoryWriterInit(&writer)
        defer { unsafe webp.MemoryWriterClear(&writer) }
        let progress = Progress(job)
        let isEncoded = unsafe withUnsafeMutablePointer(to: &writer) { writer in
            unsafe image.writer = webp.MemoryWrite
            unsafe image.custom_ptr = UnsafeMutableRawPointer(writer)
            unsafe image.user_data = Unmanaged.passUnretained(progress).toOpaque()
            unsafe image.progress_hook = { percent, image in
                guard let data = unsafe image?.pointee.user_data else { return 1 }
                return unsafe Unmanaged<Progress>.fromOpaque(data).takeUnretainedValue().reach(Int(percent)) ? 1 : 0
            }
            return unsafe webp.Encode(&config, &image) != 0
        }
        // libwebp may end below 100 %.
        if isEncoded { _ = progress.reach(100) }
        try job.monitor.check()
        guard isEncoded else { throw failure }
        return unsafe Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    private var failure: GscapError {
        let picture = job.picture
        return switch unsafe image.error_code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
            GscapError(
                .noMemory, "not enough memory for an image of \(picture.width)×\(picture.height) pixels")
        case VP8_ENC_ERROR_PARTITION0_OVERFLOW, VP8_ENC_ERROR_PARTITION_OVERFLOW, VP8_ENC_ERROR_FILE_TOO_BIG:
            GscapError(
                .unsupported, "the picture has too much detail for a WebP file; use a lower quality, or quality 1")
        default: GscapError(.encoder, "libwebp failed to encode: error \(unsafe image.error_code.rawValue)")
        }
    }
}

/// Converts libwebp's percentage to steps of the monitor, which are rows.
private final class Progress {
    private let job: EncodingJob
    private var done = 0

    init(_ job: EncodingJob) {
        self.job = job
    }

    /// Reports a percentage; returns whether the encoding goes on.
    func reach(_ percent: Int) -> Bool {
        let steps = job.picture.height * max(0, min(100, percent)) / 100
        if steps > done { job.monitor.finish(steps: steps - done) }
        done = max(done, steps)
        return !job.monitor.isCancelled
    }
}
