/// A picture of linear values that can be sampled between its pixels by a cubic spline.
package struct Canvas {
    /// The width in pixels of the border that the canvas has around the frame: the largest shift of a frame.
    package static let margin = 40

    package let width: Int
    package let height: Int
    /// The coefficients of the spline, row by row: red, green, blue and 0.
    private var values: [SIMD4<Float>]

    /// Paints a canvas for frames of this size. `lens` is the weight of each of two neighbours in the lens blur: 0.25
    /// removes the highest frequency, 0.18 is a good lens.
    package init(_ width: Int, _ height: Int, lens: Float, _ paint: (Float, Float) -> SIMD3<Float>) {
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

    /// Returns linear red, green and blue at a position of the frame, in pixels.
    package func light(_ x: Float, _ y: Float) -> SIMD4<Float> {
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

    /// Returns the weights of the four spline coefficients around a position that lies the fraction `t` behind the
    /// second.
    private static func weights(_ t: Float) -> SIMD4<Float> {
        let s = 1 - t
        let (first, last) = (s * s * s / 6, t * t * t / 6)
        let second = 2.0 / 3 - t * t * (2 - t) / 2
        return SIMD4(first, second, 1 - first - second - last, last)
    }

    /// Applies `work` to all rows, then to all columns of the result.
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

    /// Converts values to the coefficients of the spline through them: two recursions that invert the filter 1/6, 4/6,
    /// 1/6.
    private static func makeSpline(_ line: inout [SIMD4<Float>]) {
        let pole = Float(3).squareRoot() - 2
        for index in 1..<line.count { line[index] += pole * line[index - 1] }
        let end = line.count - 1
        line[end] = pole / (pole * pole - 1) * (line[end] + pole * line[end - 1])
        for index in (0..<end).reversed() { line[index] = pole * (line[index + 1] - line[index]) }
        for index in line.indices { line[index] *= 6 }
    }
}
