package import RawImage

/// Encodes one JPEG on several cores.
///
/// Restart markers divide the entropy-coded data of a JPEG into independent intervals. Each piece of the picture is
/// encoded as a separate JPEG; the header of the first and the data of all, joined by restart markers, are the whole
/// JPEG. A band is a sequence of pieces encoded by one core, of which only one piece of pixels is in memory at a time.
package enum JPEGBands {
    /// A function that encodes the next rows of a band; it receives the bytes of their pixels.
    package typealias RowConsumer = (Span<UInt8>) -> Void

    /// Encodes a picture of red, green and blue bytes in memory; returns a JPEG file. Quality is 1…100.
    package static func compress(
        rgb: [UInt8], width: Int, height: Int, quality: Int
    ) throws(GscapError) -> [UInt8] {
        let layout = PixelLayout(width: width, height: height, order: .rgb)
        return try compress(layout, quality: quality, monitor: nil) { rows, pieceHeight, consume in
            for piece in rows.parts(of: pieceHeight) {
                consume(rgb.span.extracting(piece.lowerBound * width * 3..<piece.upperBound * width * 3))
            }
        }.file()
    }

    /// Encodes a picture that is computed piece by piece: `make`, called on several threads, fills the span with the
    /// red, green and blue bytes of a range of rows. Quality is 1…100.
    package static func compress(
        width: Int, height: Int, quality: Int, _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> [UInt8] {
        let plan = JPEGPlan(width: width, height: height, quality: quality)
        let bands = try encodedBands(plan.bands) { rows -> JPEGBand.Encoded? in
            var band = try JPEGBand(plan, rows)
            for piece in rows.parts(of: plan.pieceHeight) {
                var rgb = [UInt8](repeating: 0, count: piece.count * width * 3)
                var span = rgb.mutableSpan
                try make(piece, &span)
                band.add(rgb.span, monitor: nil)
            }
            return try band.result()
        }
        return try EncodedJPEG(plan, bands).file()
    }

    /// Encodes a picture that is requested band by band: `provideRows`, called on several threads, passes the pixels of
    /// `rows`, in the memory layout `layout`, to `consume` in pieces of `pieceHeight` rows. Quality is 1…100.
    package static func compress(
        _ layout: PixelLayout, quality: Int, monitor: EncodingMonitor?,
        _ provideRows: (_ rows: Range<Int>, _ pieceHeight: Int, _ consume: RowConsumer) -> Void
    ) throws(GscapError) -> EncodedJPEG {
        let plan = JPEGPlan(layout, quality: quality)
        let bands = try encodedBands(plan.bands) { rows throws(GscapError) -> JPEGBand.Encoded? in
            if monitor?.isCancelled == true { return nil }
            var band = try JPEGBand(plan, rows)
            provideRows(rows, plan.pieceHeight) { band.add($0, monitor: monitor) }
            return try band.result()
        }
        if monitor?.isCancelled == true { throw GscapError.cancellation }
        return try EncodedJPEG(plan, bands)
    }
}
