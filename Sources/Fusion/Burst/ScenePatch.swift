/// A small part of a frame that shows the scene at a position between pixels, in each colour.
///
/// The colours are interpolated with the gradients of the others (Malvar, He and Cutler, ICASSP 2004), after the local
/// means of the colours have been made equal: so fine dark print is predicted at pixels of every colour.
struct ScenePatch {
    /// The width and height in pixels: interpolation reads two pixels to each side of four pixels, for the position and
    /// its eight neighbours.
    private static let side = 8
    /// The pixels left of and above the position.
    private static let before = 3
    /// The range of the factors that make the means of the colours equal.
    private static let balances: ClosedRange<Float> = 0.25...4
    /// The number of standard deviations of dark noise that are added to each mean, so that noise makes no colour.
    private static let darkest: Float = 4

    private var signals = InlineArray<64, Float>(repeating: 0)
    private var balance = SIMD3<Float>(repeating: 1)
    private let rest: SIMD2<Float>
    /// The position of the patch in the CFA cell, and the cell's colour planes.
    private let (x, y): (Int, Int)
    private let planes: SIMD4<Int>

    /// Reads a frame around a position, with the pixel at `site` repaired; nil near the edges.
    init?(_ frame: EvidenceFrame, around place: SIMD2<Float>, without site: SIMD2<Int>) {
        let whole = place.rounded(.down)
        (x, y) = (Int(whole.x) - Self.before, Int(whole.y) - Self.before)
        guard x >= 0, y >= 0, x + Self.side <= frame.width, y + Self.side <= frame.height else { return nil }
        rest = place - whole
        planes = frame.planes
        var cells = InlineArray<16, SIMD4<Float>>(repeating: .zero)
        var sum = SIMD4<Float>.zero
        let black = frame.black(x, y)
        for index in 0..<16 {
            cells[index] = frame.cell(x &+ 2 &* (index & 3), y &+ 2 &* (index &>> 2), black)
            sum += cells[index]
        }
        let hidden = site &- SIMD2(x, y)
        if (0..<Self.side).contains(hidden.x), (0..<Self.side).contains(hidden.y) {
            let (index, pixel) = (hidden.y / 2 * 4 + hidden.x / 2, (hidden.y & 1) * 2 + hidden.x & 1)
            let repaired = frame.repaired(site.x, site.y)
            sum[pixel] += repaired - cells[index][pixel]
            cells[index][pixel] = repaired
        }
        balance = balance(sum / 16, darkest: Self.darkest * frame.darkNoise)
        let factors = SIMD4(
            balance[plane(0, 0)], balance[plane(1, 0)], balance[plane(0, 1)], balance[plane(1, 1)])
        for index in 0..<16 {
            let corner = (index &>> 2) &* 2 &* Self.side &+ (index & 3) &* 2
            let cell = cells[index] * factors
            (signals[corner], signals[corner &+ 1]) = (cell[0], cell[1])
            (signals[corner &+ Self.side], signals[corner &+ Self.side &+ 1]) = (cell[2], cell[3])
        }
    }

    /// Returns the factors that make the means of the colours equal; `means` are those of the four pixels of a cell.
    private func balance(_ means: SIMD4<Float>, darkest: Float) -> SIMD3<Float> {
        var (sums, counts) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        for pixel in 0..<4 {
            let plane = plane(pixel & 1, pixel >> 1)
            sums[plane] += means[pixel]
            counts[plane] += 1
        }
        // Frames of one colour have no pixels of the others.
        let colors = pointwiseMax(sums / pointwiseMax(counts, .one) + darkest, SIMD3(repeating: darkest))
        let (least, most) = (Self.balances.lowerBound, Self.balances.upperBound)
        return (colors[1] / colors).clamped(
            lowerBound: SIMD3(repeating: least), upperBound: SIMD3(repeating: most))
    }

    /// Returns the signal of a colour plane some whole pixels, at most one, away from the position, and the contrast of
    /// the four pixels around it.
    func signal(_ plane: Int, right: Int, down: Int) -> (value: Float, contrast: Float) {
        let (column, row) = (Self.before + right, Self.before + down)
        let (a, b) = (color(plane, column, row), color(plane, column + 1, row))
        let (c, d) = (color(plane, column, row + 1), color(plane, column + 1, row + 1))
        let (upper, lower) = (a + (b - a) * rest.x, c + (d - c) * rest.x)
        let contrast = max(max(a, b), max(c, d)) - min(min(a, b), min(c, d))
        return ((upper + (lower - upper) * rest.y) / balance[plane], contrast / balance[plane])
    }

    @inline(__always)
    private func plane(_ column: Int, _ row: Int) -> Int {
        planes[((y &+ row) & 1) &<< 1 | (x &+ column) & 1]
    }

    /// Returns the balanced signal of a colour plane at a pixel.
    private func color(_ wanted: Int, _ column: Int, _ row: Int) -> Float {
        let here = plane(column, row)
        let middle = at(column, row)
        if here == wanted { return middle }
        let far = (
            across: at(column &- 2, row) + at(column &+ 2, row), down: at(column, row &- 2) + at(column, row &+ 2)
        )
        let beside = at(column &- 1, row) + at(column &+ 1, row)
        let over = at(column, row &- 1) + at(column, row &+ 1)
        if wanted == 1 { return (4 * middle + 2 * (beside + over) - far.across - far.down) / 8 }
        let diagonal =
            at(column &- 1, row &- 1) + at(column &+ 1, row &- 1) + at(column &- 1, row &+ 1)
            + at(column &+ 1, row &+ 1)
        if here != 1 { return (6 * middle + 2 * diagonal - 1.5 * (far.across + far.down)) / 8 }
        return plane(column &+ 1, row) == wanted
            ? (5 * middle + 4 * beside - diagonal - far.across + far.down / 2) / 8
            : (5 * middle + 4 * over - diagonal - far.down + far.across / 2) / 8
    }

    @inline(__always)
    private func at(_ column: Int, _ row: Int) -> Float { signals[row &* Self.side &+ column] }
}
