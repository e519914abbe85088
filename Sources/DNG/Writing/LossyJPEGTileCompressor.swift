internal import PictureCodecs

/// An encoder of tiles of 8-bit codes as baseline JPEG without chroma subsampling (Compression 34892).
final class LossyJPEGTileCompressor: TileCompressor {
    private let width: Int
    private let height: Int
    private let quality: Int
    private var jpeg: JPEGCompressor?
    private var bytes: [UInt8]

    /// Creates an encoder for a picture's tiles; quality is 0…1.
    init(_ coding: RawEncodingPlan, quality: Double) {
        (width, height) = (coding.plan.tileWidth, coding.plan.tileHeight)
        self.quality = Int((quality * 100).rounded())
        bytes = [UInt8](repeating: 0, count: width * height * 3)
    }

    private func compressor() throws(GscapError) -> JPEGCompressor {
        if let jpeg { return jpeg }
        let compressor = try JPEGCompressor()
        jpeg = compressor
        return compressor
    }

    func compress(_ tile: TileSamples) throws(GscapError) -> [UInt8] {
        for row in 0..<height {
            // Padding beyond the picture's edge repeats the last row and column, which compresses to almost nothing.
            let source = unsafe tile.start + min(row, tile.height - 1) * tile.stride
            let valid = unsafe tile.width
            for column in 0..<width {
                for plane in 0..<3 {
                    bytes[(row * width + column) * 3 + plane] = UInt8(
                        truncatingIfNeeded: unsafe source[min(column, valid - 1) * 3 + plane])
                }
            }
        }
        let jpeg = try compressor()
        return try unsafe bytes.withUnsafeBufferPointer { bytes throws(GscapError) in
            guard let start = bytes.baseAddress else { return [] }
            return try unsafe jpeg.compress(
                start, width: width, height: height, stride: width * 3, quality: quality, chroma: .full)
        }
    }
}
