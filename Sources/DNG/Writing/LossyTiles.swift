internal import PictureFiles

/// Tiles of 8-bit codes as baseline JPEG, colour as fine as brightness.
final class LossyTiles: TileCompressor {
    private let width: Int
    private let height: Int
    private let quality: Int
    private var jpeg: JPEGCompressor?
    private var bytes: [UInt8]

    /// Tiles of a picture, of a quality of 0…1.
    init(_ coding: PixelCoding, quality: Double) {
        (width, height) = (coding.plan.tileWidth, coding.plan.tileHeight)
        self.quality = Int((quality * 100).rounded())
        bytes = [UInt8](repeating: 0, count: width * height * 3)
    }

    private func compressor() throws(PictureFileError) -> JPEGCompressor {
        if let jpeg { return jpeg }
        let made = try JPEGCompressor()
        jpeg = made
        return made
    }

    func compress(_ tile: TileSamples) throws(DNGError) -> [UInt8] {
        for row in 0..<height {
            // What the picture lacks repeats its last row and column, which costs next to nothing.
            let source = unsafe tile.start + min(row, tile.height - 1) * tile.stride
            let valid = unsafe tile.width
            for column in 0..<width {
                for plane in 0..<3 {
                    bytes[(row * width + column) * 3 + plane] = UInt8(
                        truncatingIfNeeded: unsafe source[min(column, valid - 1) * 3 + plane])
                }
            }
        }
        do throws(PictureFileError) {
            let jpeg = try compressor()
            return try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureFileError) in
                guard let start = bytes.baseAddress else { return [] }
                return try unsafe jpeg.compress(
                    start, width: width, height: height, stride: width * 3, quality: quality, chroma: .full)
            }
        } catch {
            throw DNGError(error)
        }
    }
}
