internal import PhotoMetadata

/// Encodes grey PNG files, for mattes and depth maps.
package enum GreyPNG {
    /// Encodes grey samples of 8 bits, row by row, as a PNG file.
    package static func encode(_ values: [UInt8], width: Int, height: Int) throws(GscapError) -> [UInt8] {
        try encode(values, width, height, bytes: 1)
    }

    /// Encodes grey samples of 16 bits, row by row, as a PNG file.
    package static func encode(_ values: [UInt16], width: Int, height: Int) throws(GscapError) -> [UInt8] {
        try encode(RowFilter.bigEndian(values), width, height, bytes: 2)
    }

    private static func encode(
        _ pixels: [UInt8], _ width: Int, _ height: Int, bytes: Int
    ) throws(GscapError) -> [UInt8] {
        let rowBytes = width * bytes
        guard width > 0, height > 0, pixels.count == rowBytes * height else {
            throw GscapError(
                .badPicture, "a \(width)×\(height) picture needs \(rowBytes * height) bytes, but has \(pixels.count)")
        }
        // PNG's filters predict the first row from a row of zeros.
        let filtered = RowFilter.png(
            [UInt8](repeating: 0, count: rowBytes) + pixels, rowBytes: rowBytes, pixelBytes: bytes)
        // After width and height: bit depth, colour type 0 (greyscale), and the default compression, filter and
        // interlace methods.
        let header = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [UInt8(bytes * 8), 0, 0, 0, 0]
        return PNGFile.signature + PNGFile.chunk("IHDR", header)
            + PNGFile.chunk("IDAT", try Deflater.stream(filtered, .others)) + PNGFile.chunk("IEND", [])
    }
}
