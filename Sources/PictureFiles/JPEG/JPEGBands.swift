/// One JPEG whose bands are made on several cores.
///
/// The pixels of a JPEG may be coded in pieces that begin afresh, with restart markers between them that say so. Each piece is
/// coded as a JPEG of its own; the coded pixels of all, behind the head of the first, make a JPEG of the whole. A band is
/// what one core makes of it, a few pieces one after another, so that neither pixels nor code of more than a piece lie in memory.
package enum JPEGBands {
    /// Takes red, green and blue of the next rows of a band.
    package typealias Taker = (Span<UInt8>) -> Void

    /// The JPEG of a picture in memory.
    package static func compress(
        rgb: [UInt8], width: Int, height: Int, quality: Int
    ) throws(PictureFileError) -> [UInt8] {
        try compress(width: width, height: height, quality: quality, watch: nil) { rows, _, take in
            take(rgb.span.extracting(rows.lowerBound * width * 3..<rows.upperBound * width * 3))
        }.file()
    }

    /// The JPEG of a picture that is made band by band: `make` fills a band with red, green and blue of some rows. It is
    /// called on several threads.
    package static func compress(
        width: Int, height: Int, quality: Int, _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> [UInt8] {
        let plan = JPEGPlan(width: width, height: height, quality: quality)
        let bands = try codedBands(rows: height, of: plan.bandHeight) { rows in
            var rgb = [UInt8](repeating: 0, count: rows.count * width * 3)
            var span = rgb.mutableSpan
            try make(rows, &span)
            var band = try JPEGBand(plan, rows)
            band.add(rgb.span, watch: nil)
            return try band.coded()
        }
        return try CodedJPEG(plan, bands).file()
    }

    /// The JPEG of a picture that is given on demand, on several threads: `give` hands out the rows of a band in pieces of so
    /// many rows. Bands have about `bandHeight` rows.
    static func compress(
        width: Int, height: Int, quality: Int, bandHeight: Int = 0, watch: EncodingWatch?,
        _ give: (_ rows: Range<Int>, _ pieceHeight: Int, _ take: Taker) -> Void
    ) throws(PictureFileError) -> CodedJPEG {
        let plan = JPEGPlan(width: width, height: height, quality: quality, bandHeight: bandHeight)
        let bands = try codedBands(rows: height, of: plan.bandHeight) { rows throws(PictureFileError) in
            if watch?.isCancelled == true { return JPEGBand.Coded() }
            var band = try JPEGBand(plan, rows)
            give(rows, plan.pieceHeight) { band.add($0, watch: watch) }
            return try band.coded()
        }
        try watch?.check()
        return try CodedJPEG(plan, bands)
    }
}

/// How a picture is cut into pieces and bands.
struct JPEGPlan {
    let width: Int
    let height: Int
    let quality: Int
    let chroma: JPEGCompressor.Chroma
    /// Rows of a piece: whole rows of coded blocks.
    let pieceHeight: Int
    /// Rows of a band: whole pieces.
    let bandHeight: Int

    /// So many rows are coded well, and stay in a core's cache.
    private static let usualHeight = 128

    init(width: Int, height: Int, quality: Int, bandHeight: Int = 0) {
        (self.width, self.height, self.quality) = (width, height, quality)
        chroma = JPEGCompressor.Chroma(quality: quality)
        // A piece's blocks are counted in 16 bits.
        let side = chroma.blockSide
        let most = 65_535 / ((width + side - 1) / side) * side
        pieceHeight = max(16, min(Self.usualHeight, most) / 16 * 16)
        self.bandHeight = max(1, (bandHeight + pieceHeight - 1) / pieceHeight) * pieceHeight
    }

    /// Blocks of a piece.
    var blocks: Int { (width + chroma.blockSide - 1) / chroma.blockSide * (pieceHeight / chroma.blockSide) }
}

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
