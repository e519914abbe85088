package import RawImage

/// A natural cubic spline: cubic between its points, with continuous slope and curvature and no curvature at its
/// ends.
package struct CubicSpline {
    private let points: [SIMD2<Double>]
    private let secondDerivatives: [Double]

    /// Creates the spline through a tone curve's points.
    package init(_ curve: ToneCurve) {
        self.init(curve.points.map { SIMD2(Double($0.x), Double($0.y)) })
    }

    /// Creates the spline through points with increasing x.
    init(_ points: [SIMD2<Double>]) {
        self.points = points
        secondDerivatives = Self.secondDerivatives(points)
    }

    /// Solves the tridiagonal system for the second derivative at each point.
    private static func secondDerivatives(_ points: [SIMD2<Double>]) -> [Double] {
        let count = points.count
        var secondDerivatives = [Double](repeating: 0, count: count)
        guard count > 2 else { return secondDerivatives }
        var factors = secondDerivatives
        for index in 1..<count - 1 {
            let before = points[index] - points[index - 1]
            let after = points[index + 1] - points[index]
            let pivot = 2 * (before.x + after.x) - before.x * factors[index - 1]
            factors[index] = after.x / pivot
            let change = 6 * (after.y / after.x - before.y / before.x)
            secondDerivatives[index] = (change - before.x * secondDerivatives[index - 1]) / pivot
        }
        for index in (1..<count - 1).reversed() {
            secondDerivatives[index] -= factors[index] * secondDerivatives[index + 1]
        }
        return secondDerivatives
    }

    /// Returns the spline's value at `x`; beyond the first or last point, the value of that point.
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
        let cubic = (a * a * a - a) * secondDerivatives[low] + (b * b * b - b) * secondDerivatives[high]
        return a * points[low].y + b * points[high].y + cubic * width * width / 6
    }
}
