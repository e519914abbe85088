/// A thumbnail in the second directory (IFD1) of Exif metadata or of a TIFF file, in sRGB.
package struct ExifThumbnail: Sendable {
    /// The formats of the pixels.
    package enum Pixels: Sendable {
        /// A JPEG file, as Exif in other files than TIFF holds it.
        case jpeg([UInt8])
        /// Red, green and blue bytes, as every reader of TIFF files supports them.
        case rgb([UInt8])
    }

    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int
    private let pixels: Pixels

    /// Creates a thumbnail from its encoded pixels.
    package init(width: Int, height: Int, _ pixels: Pixels) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Encodes the directory, which begins at `offset` in the file, and the pixels after it.
    func bytes(at offset: Int) -> [UInt8] {
        // Where the pixels begin depends on the directory's size, which does not depend on the number.
        let size = directory(pixelsAt: 0).directory(at: offset).count
        var bytes = directory(pixelsAt: offset + size).directory(at: offset)
        switch pixels {
        case .jpeg(let data), .rgb(let data): bytes += data + [UInt8](repeating: 0, count: data.count % 2)
        }
        return bytes
    }

    private func directory(pixelsAt offset: Int) -> ExifDirectoryEncoder {
        var block = ExifDirectoryEncoder()
        // 72 pixels an inch: Exif requires a resolution.
        block[0x011A] = .ratios([72])
        block[0x011B] = .ratios([72])
        block[0x0128] = .shorts([2])
        switch pixels {
        case .jpeg(let data):
            // Compression 6 is JPEG; JPEGInterchangeFormat and its length.
            block[0x0103] = .shorts([6])
            block[0x0201] = .longs([offset])
            block[0x0202] = .longs([data.count])
        case .rgb(let data):
            // NewSubfileType 1 is a reduced picture, PhotometricInterpretation 2 is RGB; one uncompressed strip.
            block[0x00FE] = .longs([1])
            block[0x0100] = .longs([width])
            block[0x0101] = .longs([height])
            block[0x0102] = .shorts([8, 8, 8])
            block[0x0103] = .shorts([1])
            block[0x0106] = .shorts([2])
            block[0x0111] = .longs([offset])
            block[0x0115] = .shorts([3])
            block[0x0116] = .longs([height])
            block[0x0117] = .longs([data.count])
            block[0x011C] = .shorts([1])
        }
        return block
    }
}
