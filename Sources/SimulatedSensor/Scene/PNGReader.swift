internal import CPNG

/// Reads PNG files with libpng's simplified API.
enum PNGReader {
    /// Reads a file as 16-bit linear sRGB, composited over black.
    ///
    /// libpng itself linearises 16-bit files; it approximates the sRGB transfer function with gamma 2.2.
    static func read(_ path: String) throws(GscapError) -> SceneImage {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        guard unsafe png_image_begin_read_from_file(&image, path) != 0 else { throw unsafe error(image, path) }
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        try SceneImage.check(width: width, height: height, path: path)
        let count = width * height * 3
        if unsafe image.format & UInt32(PNG_FORMAT_FLAG_LINEAR) == 0 {
            let codes: [UInt8] = unsafe try pixels(&image, format: PNG_FORMAT_FLAG_COLOR, count, path)
            return SceneImage(width: width, height: height, values: codes.map { SRGBCurve.linear8[Int($0)] })
        }
        unsafe image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let format = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR
        return SceneImage(
            width: width, height: height, values: unsafe try pixels(&image, format: format, count, path))
    }

    private static func pixels<Value: FixedWidthInteger>(
        _ image: inout png_image, format: UInt32, _ count: Int, _ path: String
    ) throws(GscapError) -> [Value] {
        unsafe image.format = format
        // The background of transparent pixels.
        var black = png_color(red: 0, green: 0, blue: 0)
        var values = [Value](repeating: 0, count: count)
        guard unsafe png_image_finish_read(&image, &black, &values, 0, nil) != 0 else {
            throw unsafe error(image, path)
        }
        return values
    }

    private static func error(_ image: png_image, _ path: String) -> GscapError {
        var message = unsafe image.message
        let words = unsafe withUnsafeBytes(of: &message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return GscapError(.badScene, "scene \"\(path)\" is not a readable PNG file: \(words)")
    }
}
