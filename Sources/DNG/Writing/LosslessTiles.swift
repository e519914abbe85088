/// Tiles as lossless JPEG: a mosaic's with left and right pixels as two components, since pixels of one colour are most
/// alike, a linear photo's with one for each colour.
final class LosslessTiles: TileCompressor {
    private let samplesInPixel: Int
    private var encoder: LosslessJPEGEncoder
    /// How many bytes the last tile took: the next one will take about as many.
    private var usualCount = 0

    init(_ coding: PixelCoding, predictor: Int) throws(DNGError) {
        let (width, height) = (coding.plan.tileWidth, coding.plan.tileHeight)
        samplesInPixel = coding.picture.samples
        let components = samplesInPixel == 1 ? 2 : 3
        encoder = try LosslessJPEGEncoder(
            LosslessJPEGFrame(
                width: width * samplesInPixel / components, height: height, components: components,
                precision: coding.bits, predictor: predictor))
    }

    func compress(_ tile: TileSamples) throws(DNGError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(usualCount + usualCount / 16)
        let (columns, rows, stride) = unsafe (tile.width * samplesInPixel, tile.height, tile.stride)
        let samples = unsafe UnsafeBufferPointer(start: tile.start, count: stride * (rows - 1) + columns)
        try unsafe encoder.encode(samples.span, stride: stride, columns: columns, rows: rows, into: &bytes)
        usualCount = bytes.count
        return bytes
    }
}
