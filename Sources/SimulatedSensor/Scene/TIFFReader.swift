internal import CTIFF
internal import CTIFFShims
internal import Glibc

/// Reads TIFF files with libtiff: 16-bit greyscale and RGB in strips at full precision, and all other formats that
/// libtiff's RGBA interface supports with 8 bits.
enum TIFFReader {
    /// Reads the first image of a file as linear sRGB.
    static func read(_ path: String) throws(GscapError) -> SceneImage {
        // libtiff writes its first error to this log, which must outlive the file handle.
        let log = UnsafeMutablePointer<GscapTiffLog>.allocate(capacity: 1)
        unsafe log.initialize(to: GscapTiffLog())
        defer { unsafe log.deallocate() }
        do throws(Failure) {
            return try unsafe read(path, log)
        } catch {
            if case .badSize(let width, let height) = error {
                try SceneImage.check(width: width, height: height, path: path)
            }
            let reason = unsafe String(cString: UnsafeRawPointer(log).assumingMemoryBound(to: CChar.self))
            throw GscapError(
                .badScene, "scene \"\(path)\" is not a readable TIFF file: \(error.message ?? reason)")
        }
    }

    private enum Failure: Error {
        case badSize(Int, Int)
        case unsupported(String)
        case unreadable

        /// The reason for the failure if libtiff returned it as a message; nil if it is in libtiff's log.
        var message: String? {
            if case .unsupported(let message) = self { message } else { nil }
        }
    }

    /// Size in bytes of the message buffer that libtiff's TIFFRGBAImageOK requires.
    private static let messageSize = 1024
    /// Limit in bytes for a single allocation by libtiff, so that a malformed file cannot exhaust memory.
    private static let maximumAllocation: tmsize_t = 1 << 30

    private static func read(
        _ path: String, _ log: UnsafeMutablePointer<GscapTiffLog>
    ) throws(Failure) -> SceneImage {
        guard let file = unsafe gscap_tiff_open_file(path, maximumAllocation, log) else { throw .unreadable }
        defer { unsafe TIFFClose(file) }
        var image = unsafe TIFFRGBAImage()
        var message = [CChar](repeating: 0, count: messageSize)
        guard unsafe TIFFRGBAImageOK(file, &message) != 0,
            unsafe TIFFRGBAImageBegin(&image, file, 1, &message) != 0
        else {
            let text = message.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
            throw .unsupported(String(decoding: text, as: UTF8.self))
        }
        defer { unsafe TIFFRGBAImageEnd(&image) }
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        do { try SceneImage.check(width: width, height: height, path: path) } catch { throw .badSize(width, height) }
        let values = unsafe try isDeep(image, file) ? deep(image, file) : shallow(&image)
        return SceneImage(width: width, height: height, values: values)
    }

    /// Returns whether the image is 16-bit greyscale or RGB in strips, interleaved and upright, so that its rows need
    /// no conversion.
    private static func isDeep(_ image: TIFFRGBAImage, _ file: OpaquePointer) -> Bool {
        let photometric = unsafe Int32(image.photometric)
        return unsafe image.bitspersample == 16 && image.isContig != 0 && TIFFIsTiled(file) == 0
            && image.orientation == ORIENTATION_TOPLEFT
            && (photometric == PHOTOMETRIC_RGB && (3...4).contains(image.samplesperpixel)
                || photometric == PHOTOMETRIC_MINISBLACK && (1...2).contains(image.samplesperpixel))
            && Int(TIFFScanlineSize(file)) == Int(image.width) * Int(image.samplesperpixel) * 2
    }

    /// Reads an image of 16-bit rows at full precision.
    private static func deep(_ image: TIFFRGBAImage, _ file: OpaquePointer) throws(Failure) -> [UInt16] {
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        let samples = unsafe Int(image.samplesperpixel)
        let isGrey = samples < 3
        var row = [UInt16](repeating: 0, count: width * samples)
        var values: [UInt16] = []
        values.reserveCapacity(width * height * 3)
        for y in 0..<height {
            guard unsafe TIFFReadScanline(file, &row, UInt32(y), 0) == 1 else { throw .unreadable }
            for x in 0..<width {
                for channel in 0..<3 {
                    values.append(SRGBCurve.linear16[Int(row[x * samples + (isGrey ? 0 : channel)])])
                }
            }
        }
        return values
    }

    /// Reads an image of any format that libtiff supports with 8 bits, through its RGBA interface.
    private static func shallow(_ image: inout TIFFRGBAImage) throws(Failure) -> [UInt16] {
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        unsafe image.req_orientation = UInt16(ORIENTATION_TOPLEFT)
        var pixels = [UInt32](repeating: 0, count: width * height)
        guard unsafe TIFFRGBAImageGet(&image, &pixels, UInt32(width), UInt32(height)) != 0 else { throw .unreadable }
        var values: [UInt16] = []
        values.reserveCapacity(width * height * 3)
        for pixel in pixels {
            for channel in 0..<3 {
                values.append(SRGBCurve.linear8[Int(pixel >> (8 * UInt32(channel)) & 0xff)])
            }
        }
        return values
    }
}
