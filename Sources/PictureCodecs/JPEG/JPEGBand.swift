internal import RawImage

/// The encoder of a band: consecutive pieces (ranges of rows) of a picture, each encoded as a separate JPEG.
struct JPEGBand {
    /// The encoded pieces of a band.
    struct Encoded: Sendable {
        /// The JPEG header that all pieces have in common, with a height of 0 and no entropy-coded data.
        var header: [UInt8] = []
        /// The entropy-coded data of the pieces, with restart markers between them.
        var data: [UInt8] = []
    }

    private let plan: JPEGPlan
    private let compressor: JPEGCompressor
    private var row: Int
    private var encoded = Encoded()
    private var failure: GscapError?

    init(_ plan: JPEGPlan, _ rows: Range<Int>) throws(GscapError) {
        self.plan = plan
        row = rows.lowerBound
        compressor = try JPEGCompressor()
        // Reserve a byte per pixel: nearly all JPEGs need less, and reserved memory that is never written costs
        // nothing.
        encoded.data.reserveCapacity(rows.count * plan.width)
    }

    /// Encodes the next piece of the band; `pixels` are its rows in the plan's layout, the last one with or without
    /// padding.
    mutating func add(_ pixels: Span<UInt8>, monitor: EncodingMonitor?) {
        let layout = plan.layout
        let rows = (pixels.count + layout.stride - layout.width * layout.order.count) / layout.stride
        do throws(GscapError) {
            if failure == nil, monitor?.isCancelled != true { try encode(pixels, rows: rows) }
        } catch { failure = error }
        row += rows
        monitor?.finish(steps: rows)
    }

    private mutating func encode(_ pixels: Span<UInt8>, rows: Int) throws(GscapError) {
        try unsafe pixels.withUnsafeBufferPointer { pixels throws(GscapError) in
            guard let pixels = pixels.baseAddress else { return }
            let jpeg = try unsafe compressor.encode(
                pixels,
                PixelLayout(
                    width: plan.width, height: rows, order: plan.layout.order, stride: plan.layout.stride),
                quality: plan.quality, chroma: plan.chroma)
            let parts = try JPEGParts(unsafe jpeg.span)
            let header = unsafe parts.header(of: jpeg)
            if encoded.header.isEmpty { encoded.header = header }
            guard encoded.header == header else { throw JPEGParts.mismatch }
            unsafe encoded.data.append(contentsOf: UnsafeBufferPointer(rebasing: jpeg[parts.entropyCodedData]))
        }
        if row + rows < plan.height { encoded.data += [0xFF, 0xD0 + UInt8(row / plan.pieceHeight % 8)] }
    }

    /// Returns the encoded band; throws the first failure of its pieces.
    func result() throws(GscapError) -> Encoded {
        if let failure { throw failure }
        return encoded
    }
}
