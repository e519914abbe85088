internal import RawImage

/// One JPEG whose bands are made on several cores.
///
/// The pixels of a JPEG may be coded in pieces that begin afresh, with restart markers between them that say so. Each piece is
/// coded as a JPEG of its own; the coded pixels of all, behind the head of the first, make a JPEG of the whole. A band is
/// what one core makes of it, a few pieces one after another, so that of its pixels no more than a piece lie in memory.
package enum JPEGBands {
    /// Takes red, green and blue of the next rows of a band.
    package typealias Taker = (Span<UInt8>) -> Void

    /// The JPEG of a picture in memory.
    package static func compress(
        rgb: [UInt8], width: Int, height: Int, quality: Int
    ) throws(PictureFileError) -> [UInt8] {
        try compress(width: width, height: height, quality: quality, watch: nil) { rows, pieceHeight, take in
            for piece in rows.parts(of: pieceHeight) {
                take(rgb.span.extracting(piece.lowerBound * width * 3..<piece.upperBound * width * 3))
            }
        }.file()
    }

    /// The JPEG of a picture that is made piece by piece: `make` fills one with red, green and blue of some rows. It is called
    /// on several threads.
    package static func compress(
        width: Int, height: Int, quality: Int, _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> [UInt8] {
        let plan = JPEGPlan(width: width, height: height, quality: quality)
        let bands = try codedBands(plan.bands) { rows -> JPEGBand.Coded? in
            var band = try JPEGBand(plan, rows)
            for piece in rows.parts(of: plan.pieceHeight) {
                var rgb = [UInt8](repeating: 0, count: piece.count * width * 3)
                var span = rgb.mutableSpan
                try make(piece, &span)
                band.add(rgb.span, watch: nil)
            }
            return try band.coded()
        }
        return try CodedJPEG(plan, bands).file()
    }

    /// The JPEG of a picture that is given on demand, on several threads: `give` hands out the rows of a band in pieces of so
    /// many rows.
    static func compress(
        width: Int, height: Int, quality: Int, watch: EncodingWatch?,
        _ give: (_ rows: Range<Int>, _ pieceHeight: Int, _ take: Taker) -> Void
    ) throws(PictureFileError) -> CodedJPEG {
        let plan = JPEGPlan(width: width, height: height, quality: quality)
        let bands = try codedBands(plan.bands) { rows throws(PictureFileError) -> JPEGBand.Coded? in
            if watch?.isCancelled == true { return nil }
            var band = try JPEGBand(plan, rows)
            give(rows, plan.pieceHeight) { band.add($0, watch: watch) }
            return try band.coded()
        }
        try watch?.check()
        return try CodedJPEG(plan, bands)
    }
}
