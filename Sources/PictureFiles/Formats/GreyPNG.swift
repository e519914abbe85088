internal import PhotoMetadata

/// Grey pictures as PNG files: mattes, and how far away things are.
package enum GreyPNG {
    /// Of 8 bits.
    package static func encode(_ values: [UInt8], width: Int, height: Int) throws(PictureFileError) -> [UInt8] {
        try encode(values, width, height, bytes: 1)
    }

    /// Of 16 bits.
    package static func encode(_ values: [UInt16], width: Int, height: Int) throws(PictureFileError) -> [UInt8] {
        try encode(RowFilter.bigEndian(values), width, height, bytes: 2)
    }

    private static func encode(
        _ pixels: [UInt8], _ width: Int, _ height: Int, bytes: Int
    ) throws(PictureFileError) -> [UInt8] {
        let rowBytes = width * bytes
        guard width > 0, height > 0, pixels.count == rowBytes * height else {
            throw PictureFileError(.badPicture, "a \(width)×\(height) picture cannot have \(pixels.count) bytes")
        }
        // The row above the first one is black.
        let filtered = RowFilter.png(
            [UInt8](repeating: 0, count: rowBytes) + pixels, rowBytes: rowBytes, pixelBytes: bytes)
        // Colour type 0 is grey.
        let head = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [UInt8(bytes * 8), 0, 0, 0, 0]
        return PNGFile.signature + PNGFile.chunk("IHDR", head)
            + PNGFile.chunk("IDAT", try Deflater.stream(filtered, .others)) + PNGFile.chunk("IEND", [])
    }
}
