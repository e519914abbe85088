package import RawImage

/// A smooth curve through points: cubic between them, without a kink, straight at its ends.
package struct SmoothCurve {
    private let points: [SIMD2<Double>]
    private let bends: [Double]

    /// The curve through a tone curve's points.
    package init(_ curve: ToneCurve) {
        self.init(curve.points.map { SIMD2(Double($0.x), Double($0.y)) })
    }

    /// The curve through points whose x rise.
    init(_ points: [SIMD2<Double>]) {
        self.points = points
        bends = Self.bends(points)
    }

    /// The second derivative at each point: a system of equations each with its neighbours alone, solved from both ends.
    private static func bends(_ points: [SIMD2<Double>]) -> [Double] {
        let count = points.count
        var bends = [Double](repeating: 0, count: count)
        guard count > 2 else { return bends }
        var factors = bends
        for index in 1..<count - 1 {
            let before = points[index] - points[index - 1]
            let after = points[index + 1] - points[index]
            let pivot = 2 * (before.x + after.x) - before.x * factors[index - 1]
            factors[index] = after.x / pivot
            let change = 6 * (after.y / after.x - before.y / before.x)
            bends[index] = (change - before.x * bends[index - 1]) / pivot
        }
        for index in (1..<count - 1).reversed() { bends[index] -= factors[index] * bends[index + 1] }
        return bends
    }

    /// The curve's value; outside the points that of the nearest.
    package func value(at x: Double) -> Double {
        guard let first = points.first, let last = points.last else { return x }
        if !(x > first.x) { return first.y }
        if x >= last.x { return last.y }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].x <= x { low = middle } else { high = middle }
        }
        let width = points[high].x - points[low].x
        let (a, b) = ((points[high].x - x) / width, (x - points[low].x) / width)
        let bent = (a * a * a - a) * bends[low] + (b * b * b - b) * bends[high]
        return a * points[low].y + b * points[high].y + bent * width * width / 6
    }
}
