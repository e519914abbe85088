internal import CTurboJPEG

/// Makes baseline JPEGs through libjpeg-turbo. *Thread-bound.*
@safe package final class JPEGCompressor {
    /// How finely colour is stored.
    package enum Chroma: Sendable {
        /// Half the width and height: for small files.
        case halved
        /// As finely as brightness.
        case full

        /// What suits a quality: below 90 small files are wanted. Above, a picture is to be what the raw photo beside it
        /// shows, and halved colour would be the greatest difference, at every edge between colours.
        init(quality: Int) { self = quality < 90 ? .halved : .full }

        /// The side of a coded block.
        var blockSide: Int { self == .halved ? 16 : 8 }

        fileprivate var code: Int32 { Int32((self == .halved ? TJSAMP_420 : TJSAMP_444).rawValue) }
    }

    private let handle: tjhandle
    private var room = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    package init() throws(PictureFileError) {
        guard let handle = unsafe tjInitCompress() else {
            throw PictureFileError(.noMemory, "there is no memory for a JPEG encoder")
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe tjDestroy(handle)
        unsafe room.deallocate()
    }

    /// The JPEG of pixels of three bytes, red, green and blue; `stride` bytes lie from a row to the next.
    package func compress(
        _ rgb: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int, quality: Int, chroma: Chroma
    ) throws(PictureFileError) -> [UInt8] {
        unsafe Array(
            try code(rgb, width: width, height: height, stride: stride, quality: quality, chroma: chroma))
    }

    /// The same where it was made, which is there until the next one is made.
    func code(
        _ rgb: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int, quality: Int, chroma: Chroma
    ) throws(PictureFileError) -> UnsafeBufferPointer<UInt8> {
        let most = Int(tjBufSize(Int32(width), Int32(height), chroma.code))
        guard most > 0 else { throw PictureFileError(.badPicture, "a JPEG of \(width)×\(height) pixels cannot be") }
        if unsafe room.count < most {
            unsafe room.deallocate()
            unsafe room = .allocate(capacity: most)
        }
        var (size, target) = unsafe (UInt(most), room.baseAddress)
        let result = unsafe tjCompress2(
            handle, rgb, Int32(width), Int32(stride), Int32(height), Int32(TJPF_RGB.rawValue), &target, &size,
            chroma.code, Int32(min(max(quality, 1), 100)), TJFLAG_NOREALLOC)
        guard result == 0 else {
            throw PictureFileError(.encoder, "libjpeg-turbo: \(unsafe String(cString: tjGetErrorStr2(handle)))")
        }
        return unsafe UnsafeBufferPointer(start: room.baseAddress, count: Int(size))
    }
}
