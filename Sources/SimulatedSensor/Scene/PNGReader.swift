internal import CPNG

/// PNG files, by libpng's simplified interface, which also undoes the transfer curve.
enum PNGReader {
    /// Reads a file as linear sRGB of 16 bits; what is transparent becomes black.
    static func read(_ path: String) throws(SensorError) -> Picture {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        guard unsafe png_image_begin_read_from_file(&image, path) != 0 else { throw unsafe error(image, path) }
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        try Picture.check(width: width, height: height, path: path)
        unsafe image.format = UInt32(PNG_FORMAT_FLAG_LINEAR | PNG_FORMAT_FLAG_COLOR)
        var values = [UInt16](repeating: 0, count: width * height * 3)
        guard unsafe png_image_finish_read(&image, nil, &values, Int32(width * 3), nil) != 0 else {
            throw unsafe error(image, path)
        }
        return Picture(width: width, height: height, values: values)
    }

    private static func error(_ image: png_image, _ path: String) -> SensorError {
        var message = unsafe image.message
        let words = unsafe withUnsafeBytes(of: &message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return SensorError(.badScene, "scene \"\(path)\" is not a PNG file that can be read: \(words)")
    }
}
