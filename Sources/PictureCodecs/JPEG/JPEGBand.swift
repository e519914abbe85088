/// The encoder of one band: consecutive pieces of a JPEG, each encoded separately.
struct JPEGBand {
    /// The encoded pieces of a band.
    struct Encoded: Sendable {
        /// A piece's JPEG header, with the height set to 0 and no entropy-coded data.
        var header: [UInt8] = []
        /// The entropy-coded data of the pieces, with restart markers between them.
        var data: [UInt8] = []
    }

    private let plan: JPEGPlan
    private let compressor: JPEGCompressor
    private var row: Int
    private var encoded = Encoded()
    private var failure: CodecError?

    init(_ plan: JPEGPlan, _ rows: Range<Int>) throws(CodecError) {
        self.plan = plan
        row = rows.lowerBound
        compressor = try JPEGCompressor()
        // An upper bound for nearly all pictures: a byte per pixel. Untouched memory costs nothing.
        encoded.data.reserveCapacity(rows.count * plan.width)
    }

    /// Encodes the next piece from red, green and blue of its rows.
    mutating func add(_ rgb: Span<UInt8>, monitor: EncodingMonitor?) {
        let rows = rgb.count / (plan.width * 3)
        do throws(CodecError) {
            if failure == nil, monitor?.isCancelled != true { try encode(rgb, rows: rows) }
        } catch { failure = error }
        row += rows
        monitor?.finish(steps: rows)
    }

    private mutating func encode(_ rgb: Span<UInt8>, rows: Int) throws(CodecError) {
        try unsafe rgb.withUnsafeBufferPointer { rgb throws(CodecError) in
            guard let pixels = rgb.baseAddress else { return }
            let jpeg = try unsafe compressor.encode(
                pixels, width: plan.width, height: rows, stride: plan.width * 3, quality: plan.quality,
                chroma: plan.chroma)
            let parts = try JPEGParts(unsafe jpeg.span)
            let header = unsafe parts.header(of: jpeg)
            if encoded.header.isEmpty { encoded.header = header }
            guard encoded.header == header else { throw JPEGParts.mismatch }
            unsafe encoded.data.append(contentsOf: UnsafeBufferPointer(rebasing: jpeg[parts.entropyCodedData]))
        }
        if row + rows < plan.height { encoded.data += [0xFF, 0xD0 + UInt8(row / plan.pieceHeight % 8)] }
    }

    /// Returns the encoded band; throws the first failure of its pieces.
    func result() throws(CodecError) -> Encoded {
        if let failure { throw failure }
        return encoded
    }
}
