/// A picture of light that can be looked at between its pixels, where a cubic spline runs through them.
struct Canvas {
    /// Pixels beyond the frame on every side: a frame may be shifted that far.
    static let margin = 40

    let width: Int
    let height: Int
    /// The spline's coefficients.
    private var values: [SIMD4<Float>]

    /// Paints a canvas for frames of a size. `lens` is what a pixel gives to each neighbour: 0.25 leaves nothing at the
    /// finest frequency, 0.18 is a good lens.
    init(_ width: Int, _ height: Int, lens: Float, _ paint: (Float, Float) -> SIMD3<Float>) {
        self.width = width + 2 * Self.margin
        self.height = height + 2 * Self.margin
        values = []
        values.reserveCapacity(self.width * self.height)
        for row in -Self.margin..<height + Self.margin {
            for column in -Self.margin..<width + Self.margin {
                values.append(SIMD4(paint(Float(column), Float(row)), 0))
            }
        }
        alongLines { Self.blur(&$0, lens) }
        alongLines(Self.makeSpline)
    }

    /// The light of red, green and blue at a place of the frame.
    func light(_ x: Float, _ y: Float) -> SIMD4<Float> {
        let u = min(max(x + Float(Self.margin), 1), Float(width - 3))
        let v = min(max(y + Float(Self.margin), 1), Float(height - 3))
        let (column, row) = (Int(u), Int(v))
        let (across, down) = (Self.weights(u - Float(column)), Self.weights(v - Float(row)))
        var sum = SIMD4<Float>.zero
        var start = (row - 1) * width + column - 1
        for line in 0..<4 {
            let left = values[start] * across[0] + values[start + 1] * across[1]
            sum += (left + values[start + 2] * across[2] + values[start + 3] * across[3]) * down[line]
            start += width
        }
        return sum
    }

    /// What the four coefficients around a place give to it.
    private static func weights(_ t: Float) -> SIMD4<Float> {
        let s = 1 - t
        let (first, last) = (s * s * s / 6, t * t * t / 6)
        let second = 2.0 / 3 - t * t * (2 - t) / 2
        return SIMD4(first, second, 1 - first - second - last, last)
    }

    /// Does the same to all rows, then to all columns.
    private mutating func alongLines(_ work: (inout [SIMD4<Float>]) -> Void) {
        for row in 0..<height {
            var line = Array(values[row * width..<(row + 1) * width])
            work(&line)
            for column in 0..<width { values[row * width + column] = line[column] }
        }
        for column in 0..<width {
            var line = (0..<height).map { values[$0 * width + column] }
            work(&line)
            for row in 0..<height { values[row * width + column] = line[row] }
        }
    }

    private static func blur(_ line: inout [SIMD4<Float>], _ share: Float) {
        var last = line[0]
        for index in 1..<line.count - 1 {
            let here = line[index]
            line[index] = here * (1 - 2 * share) + (last + line[index + 1]) * share
            last = here
        }
    }

    /// Values to the coefficients of the spline through them: the inverse of 1/6, 4/6, 1/6, as two recursions.
    private static func makeSpline(_ line: inout [SIMD4<Float>]) {
        let pole = Float(3).squareRoot() - 2
        for index in 1..<line.count { line[index] += pole * line[index - 1] }
        let end = line.count - 1
        line[end] = pole / (pole * pole - 1) * (line[end] + pole * line[end - 1])
        for index in (0..<end).reversed() { line[index] = pole * (line[index + 1] - line[index]) }
        for index in line.indices { line[index] *= 6 }
    }
}
