internal import CTIFF
internal import Glibc

/// TIFF files, by libtiff: grey and RGB of 16 bits in strips exactly, everything else that libtiff can show in 8 bits.
enum TIFFReader {
    /// Reads the first picture of a file as linear sRGB.
    static func read(_ path: String) throws(SensorError) -> Picture {
        // libtiff writes its complaint here while the file is open.
        let complaint = UnsafeMutablePointer<CChar>.allocate(capacity: complaintSize)
        unsafe complaint.initialize(repeating: 0, count: complaintSize)
        defer { unsafe complaint.deallocate() }
        do throws(Failure) {
            return try unsafe read(path, complaint)
        } catch .badSize(let width, let height) {
            try Picture.check(width: width, height: height, path: path)
        } catch {}
        throw SensorError(
            .badScene, "scene \"\(path)\" is not a TIFF file that can be read: \(unsafe String(cString: complaint))")
    }

    private enum Failure: Error {
        case badSize(Int, Int)
        case unreadable
    }

    private static let complaintSize = 1024
    /// Memory that a broken file may make libtiff ask for at once.
    private static let maximumAllocation: tmsize_t = 1 << 30

    private static func read(
        _ path: String, _ complaint: UnsafeMutablePointer<CChar>
    ) throws(Failure) -> Picture {
        let options = unsafe TIFFOpenOptionsAlloc()
        defer { unsafe TIFFOpenOptionsFree(options) }
        unsafe TIFFOpenOptionsSetMaxSingleMemAlloc(options, maximumAllocation)
        unsafe TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
        unsafe TIFFOpenOptionsSetErrorHandlerExtR(
            options,
            { _, target, _, format, arguments in
                if let target = unsafe target?.assumingMemoryBound(to: CChar.self), let format = unsafe format,
                    let arguments = unsafe arguments
                {
                    unsafe vsnprintf(target, TIFFReader.complaintSize, format, arguments)
                }
                return 1
            }, complaint)
        guard let file = unsafe TIFFOpenExt(path, "r", options) else { throw .unreadable }
        defer { unsafe TIFFClose(file) }
        var image = unsafe TIFFRGBAImage()
        guard unsafe TIFFRGBAImageOK(file, complaint) != 0,
            unsafe TIFFRGBAImageBegin(&image, file, 1, complaint) != 0
        else { throw .unreadable }
        defer { unsafe TIFFRGBAImageEnd(&image) }
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        do { try Picture.check(width: width, height: height, path: path) } catch { throw .badSize(width, height) }
        let values = unsafe try isDeep(image, file) ? deep(image, file) : shallow(&image)
        return Picture(width: width, height: height, values: values)
    }

    /// Whether the rows are 16-bit grey or RGB, one after the other, as they stand.
    private static func isDeep(_ image: TIFFRGBAImage, _ file: OpaquePointer) -> Bool {
        let photometric = unsafe Int32(image.photometric)
        return unsafe image.bitspersample == 16 && image.isContig != 0 && TIFFIsTiled(file) == 0
            && image.orientation == ORIENTATION_TOPLEFT
            && (photometric == PHOTOMETRIC_RGB && (3...4).contains(image.samplesperpixel)
                || photometric == PHOTOMETRIC_MINISBLACK && (1...2).contains(image.samplesperpixel))
            && Int(TIFFScanlineSize(file)) == Int(image.width) * Int(image.samplesperpixel) * 2
    }

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
