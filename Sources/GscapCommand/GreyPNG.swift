internal import CPNG

/// Grey pictures as PNG files.
enum GreyPNG {
    /// Of 8 bits.
    static func encode(_ values: [UInt8], width: Int, height: Int) throws(Failure) -> [UInt8] {
        try encode(values, width, height, format: 0)
    }

    /// Of 16 bits.
    static func encode(_ values: [UInt16], width: Int, height: Int) throws(Failure) -> [UInt8] {
        try encode(values, width, height, format: UInt32(PNG_FORMAT_FLAG_LINEAR))
    }

    private static func encode<Value>(
        _ values: [Value], _ width: Int, _ height: Int, format: UInt32
    ) throws(Failure) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        unsafe image.width = UInt32(width)
        unsafe image.height = UInt32(height)
        unsafe image.format = format
        defer { unsafe png_image_free(&image) }
        var size = 0
        let wasMeasured = unsafe values.withUnsafeBytes {
            unsafe png_image_write_to_memory(&image, nil, &size, 0, $0.baseAddress, 0, nil)
        }
        guard wasMeasured != 0 else { throw Failure(.software, "libpng cannot make a \(width)×\(height) picture") }
        var bytes = [UInt8](repeating: 0, count: size)
        let wasWritten = unsafe bytes.withUnsafeMutableBytes { target in
            unsafe values.withUnsafeBytes {
                unsafe png_image_write_to_memory(&image, target.baseAddress, &size, 0, $0.baseAddress, 0, nil)
            }
        }
        guard wasWritten != 0 else { throw Failure(.software, "libpng cannot make a \(width)×\(height) picture") }
        return Array(bytes.prefix(size))
    }
}
