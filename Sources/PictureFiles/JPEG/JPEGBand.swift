/// Codes the pieces of a band.
struct JPEGBand {
    /// What comes of a band.
    struct Coded: Sendable {
        /// The first piece as a JPEG, but without its pixels.
        var head: [UInt8] = []
        /// The pieces with their restart markers.
        var pixels: [UInt8] = []
    }

    private let plan: JPEGPlan
    private let compressor: JPEGCompressor
    private var row: Int
    private var made = Coded()
    private var failure: PictureFileError?

    init(_ plan: JPEGPlan, _ rows: Range<Int>) throws(PictureFileError) {
        self.plan = plan
        row = rows.lowerBound
        compressor = try JPEGCompressor()
        // Hardly a picture needs more; memory that is not touched costs nothing.
        made.pixels.reserveCapacity(rows.count * plan.width)
    }

    /// Codes the next piece, red, green and blue of its rows.
    mutating func add(_ rgb: Span<UInt8>, watch: EncodingWatch?) {
        let rows = rgb.count / (plan.width * 3)
        do throws(PictureFileError) {
            if failure == nil, watch?.isCancelled != true { try code(rgb, rows: rows) }
        } catch { failure = error }
        row += rows
        watch?.finish(steps: rows)
    }

    private mutating func code(_ rgb: Span<UInt8>, rows: Int) throws(PictureFileError) {
        try unsafe rgb.withUnsafeBufferPointer { rgb throws(PictureFileError) in
            guard let pixels = rgb.baseAddress else { return }
            let jpeg = try unsafe compressor.code(
                pixels, width: plan.width, height: rows, stride: plan.width * 3, quality: plan.quality,
                chroma: plan.chroma)
            let parts = try JPEGParts(unsafe jpeg.span)
            if made.head.isEmpty { made.head = unsafe Array(jpeg[..<parts.scanHeader.upperBound]) + [0xFF, 0xD9] }
            unsafe made.pixels.append(contentsOf: UnsafeBufferPointer(rebasing: jpeg[parts.codedPixels]))
        }
        if row + rows < plan.height { made.pixels += [0xFF, 0xD0 + UInt8(row / plan.pieceHeight % 8)] }
    }

    /// The band, when all of its pieces are there.
    func coded() throws(PictureFileError) -> Coded {
        if let failure { throw failure }
        return made
    }
}
