internal import CTurboJPEG
internal import RawImage

/// Encodes baseline JPEGs with libjpeg-turbo. *Thread-bound.*
@safe package final class JPEGCompressor {
    /// The chroma subsampling of a JPEG: 4:2:0 or 4:4:4.
    package enum Chroma: Sendable {
        /// 4:2:0: chroma at half the width and height, for small files.
        case halved
        /// 4:4:4: chroma at full resolution.
        case full

        /// Chooses the subsampling for a quality of 1…100: 4:2:0 below 90, otherwise 4:4:4. From 90 up the JPEG should
        /// match its raw photo, and subsampled chroma would be the largest difference, at every coloured edge.
        init(quality: Int) { self = quality < 90 ? .halved : .full }

        /// The width and height in pixels of an MCU, the smallest block of pixels that is encoded as a unit.
        var mcuSide: Int { self == .halved ? 16 : 8 }

        fileprivate var subsampling: Int32 { Int32((self == .halved ? TJSAMP_420 : TJSAMP_444).rawValue) }
    }

    private let handle: tjhandle
    private var buffer = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    package init() throws(GscapError) {
        guard let handle = unsafe tjInitCompress() else {
            throw GscapError(.noMemory, "not enough memory for a JPEG encoder")
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe tjDestroy(handle)
        unsafe buffer.deallocate()
    }

    /// Encodes pixels of red, green and blue bytes as a JPEG file. `stride` is the distance between rows in bytes;
    /// quality is 1…100.
    package func compress(
        _ rgb: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int, quality: Int, chroma: Chroma
    ) throws(GscapError) -> [UInt8] {
        let layout = PixelLayout(width: width, height: height, order: .rgb, stride: stride)
        return unsafe Array(try encode(rgb, layout, quality: quality, chroma: chroma))
    }

    /// Encodes pixels as a JPEG file and returns it in a buffer of this object, valid until the next call. The order of
    /// the bytes of a pixel does not change the file.
    func encode(
        _ pixels: UnsafePointer<UInt8>, _ layout: PixelLayout, quality: Int, chroma: Chroma
    ) throws(GscapError) -> UnsafeBufferPointer<UInt8> {
        let (width, height) = (layout.width, layout.height)
        let most = Int(tjBufSize(Int32(width), Int32(height), chroma.subsampling))
        guard most > 0 else { throw GscapError(.badPicture, "a JPEG cannot have \(width)×\(height) pixels") }
        if unsafe buffer.count < most {
            unsafe buffer.deallocate()
            unsafe buffer = .allocate(capacity: most)
        }
        var (size, target) = unsafe (UInt(most), buffer.baseAddress)
        let result = unsafe tjCompress2(
            handle, pixels, Int32(width), Int32(layout.stride), Int32(height), layout.order.turboFormat, &target,
            &size, chroma.subsampling, Int32(min(max(quality, 1), 100)), TJFLAG_NOREALLOC)
        guard result == 0 else {
            throw GscapError(.encoder, "libjpeg-turbo: \(unsafe String(cString: tjGetErrorStr2(handle)))")
        }
        return unsafe UnsafeBufferPointer(start: buffer.baseAddress, count: Int(size))
    }
}

extension PixelOrder {
    /// libjpeg-turbo's pixel format. Its formats with alpha encode in the same way as those with padding.
    fileprivate var turboFormat: Int32 {
        let format =
            switch self {
            case .rgb: TJPF_RGB
            case .bgr: TJPF_BGR
            case .rgbx: TJPF_RGBX
            case .bgrx: TJPF_BGRX
            }
        return Int32(format.rawValue)
    }
}
