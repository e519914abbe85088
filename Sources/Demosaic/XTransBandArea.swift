/// The rows of a band of an X-Trans mosaic, with margins on all sides, in planes of one value for each pixel.
struct XTransBandArea: Sendable {
    /// The first row of the band, without margin, in the mosaic.
    let top: Int
    /// The rows without margins.
    let rows: Int
    /// The columns without margins.
    let width: Int

    /// The rows and columns around the band: the sum of the reaches of all steps.
    static let margin = 12

    /// The distance from a row to the next in the planes.
    var stride: Int { width + 2 * Self.margin }
    /// The number of values of a plane.
    var count: Int { stride * (rows + 2 * Self.margin) }

    /// Returns the index in the planes of the first pixel of a row of the mosaic.
    func start(ofRow row: Int) -> Int { (row - top + Self.margin) * stride + Self.margin }

    /// Calls `body` with the index of each pixel in the planes and its position in the 6×6 cell, without the outermost
    /// `inset` rows and columns of the margins.
    func forEach(inset: Int, _ body: (_ index: Int, _ position: Int) -> Void) {
        for row in inset..<rows + 2 * Self.margin - inset {
            let cellRow = ((top + row - Self.margin) % 6 + 6) % 6 * 6
            var cellColumn = ((inset - Self.margin) % 6 + 6) % 6
            for column in inset..<stride - inset {
                body(row * stride + column, cellRow + cellColumn)
                cellColumn = cellColumn == 5 ? 0 : cellColumn + 1
            }
        }
    }
}
