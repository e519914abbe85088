internal import LosslessJPEG

/// An encoder of tiles as lossless JPEG (Compression 7). A Bayer mosaic's tile has two components, its even and odd
/// columns, so that predictor 1 compares samples of the same CFA colour; an X-Trans mosaic's has three, since most
/// pixels have the colour of the third one on the left. A linear tile has one component per plane.
final class LosslessJPEGTileCompressor: TileCompressor {
    private let samplesInPixel: Int
    private var encoder: LosslessJPEGEncoder
    /// The previous tile's compressed size in bytes, an estimate of the next one's.
    private var lastByteCount = 0

    init(_ coding: RawEncodingPlan, predictor: Int) throws(GscapError) {
        let (width, height) = (coding.plan.tileWidth, coding.plan.tileHeight)
        samplesInPixel = coding.picture.samples
        let components =
            switch coding.picture.cell?.side {
            case nil: samplesInPixel
            case 6?: 3
            default: 2
            }
        let frame = LosslessJPEGFrame(
            width: width * samplesInPixel / components, height: height, components: components,
            precision: coding.bits, predictor: predictor)
        encoder = try LosslessJPEGEncoder(frame)
    }

    func compress(_ tile: TileSamples) throws(GscapError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lastByteCount + lastByteCount / 16)
        let (columns, rows, stride) = unsafe (tile.width * samplesInPixel, tile.height, tile.stride)
        let samples = unsafe UnsafeBufferPointer(start: tile.start, count: stride * (rows - 1) + columns)
        try unsafe encoder.encode(samples.span, stride: stride, columns: columns, rows: rows, into: &bytes)
        lastByteCount = bytes.count
        return bytes
    }
}
