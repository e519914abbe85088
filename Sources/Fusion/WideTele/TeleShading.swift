/// A smooth function of the position in a field: a polynomial, fitted to values at tiles.
///
/// The ratio of two lenses' shading is such a function, of the fourth degree.
struct TeleShading: Sendable {
    /// The coefficients of the terms.
    private let coefficients: [Double]
    private let scale: SIMD2<Double>

    /// A value to be fitted, at a position in the field.
    struct Sample {
        var place: SIMD2<Double>
        var value: Double
        var weight: Double
    }

    /// The degree of the polynomial; the raw value is the number of its terms in two variables.
    enum Degree: Int {
        case second = 6
        case fourth = 15
    }

    /// The number of rounds in which deviating samples lose weight.
    private static let rounds = 6
    /// The weight of the preference for small coefficients, relative to all samples.
    private static let ridge = 1e-4

    /// Fits the function to samples in a field of a size. A sample that deviates by `usualDeviation` loses half its
    /// weight.
    init(_ samples: [Sample], width: Double, height: Double, degree: Degree, usualDeviation: Double) {
        let count = degree.rawValue
        scale = SIMD2(2 / width, 2 / height)
        var coefficients = Array(repeating: 0.0, count: count)
        let terms = samples.map { [scale] sample in Self.terms(sample.place * scale - 1) }
        let values = samples.map(\.value).sorted()
        if !values.isEmpty { coefficients[0] = values[values.count / 2] }
        let total = samples.reduce(0) { $0 + $1.weight }
        for _ in 0..<Self.rounds where total > 0 {
            var system = LinearSystem(count: count)
            for (sample, terms) in zip(samples, terms) {
                let strangeness = (sample.value - Self.sum(coefficients, terms)) / usualDeviation
                system.add(terms, value: sample.value, weight: sample.weight / (1 + strangeness * strangeness))
            }
            for index in 1..<count { system.prefer(index, weight: Self.ridge * total) }
            guard let solution = system.solution() else { break }
            coefficients = solution
        }
        self.coefficients = coefficients
    }

    /// Returns the value at a position in the field.
    func value(at place: SIMD2<Double>) -> Double {
        let bounded = (place * scale - 1).clamped(lowerBound: SIMD2(-1, -1), upperBound: SIMD2(1, 1))
        return Self.sum(coefficients, Self.terms(bounded))
    }

    private static func sum(_ coefficients: [Double], _ terms: [Double]) -> Double {
        zip(coefficients, terms).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Returns the products of powers of x and y up to the fourth degree, 1 first.
    private static func terms(_ place: SIMD2<Double>) -> [Double] {
        let (x, y) = (place.x, place.y)
        let (xx, yy, xy) = (x * x, y * y, x * y)
        return [1, x, y, xx, xy, yy, xx * x, xx * y, x * yy, yy * y, xx * xx, xx * xy, xx * yy, xy * yy, yy * yy]
    }
}

/// The normal equations of a least-squares problem.
private struct LinearSystem {
    private let count: Int
    /// The rows of the matrix, each followed by the right side.
    private var rows: [[Double]]

    init(count: Int) {
        self.count = count
        rows = Array(repeating: Array(repeating: 0, count: count + 1), count: count)
    }

    mutating func add(_ terms: [Double], value: Double, weight: Double) {
        for row in 0..<count {
            let factor = terms[row] * weight
            for column in 0..<count { rows[row][column] += factor * terms[column] }
            rows[row][count] += factor * value
        }
    }

    /// Adds a preference for a small unknown.
    mutating func prefer(_ index: Int, weight: Double) { rows[index][index] += weight }

    /// Returns the solution by elimination; nil if the matrix is singular.
    func solution() -> [Double]? {
        var rows = rows
        for step in 0..<count {
            let pivot = (step..<count).max { abs(rows[$0][step]) < abs(rows[$1][step]) } ?? step
            rows.swapAt(step, pivot)
            guard abs(rows[step][step]) > 1e-12 else { return nil }
            for row in 0..<count where row != step {
                let factor = rows[row][step] / rows[step][step]
                for column in step...count { rows[row][column] -= factor * rows[step][column] }
            }
        }
        return (0..<count).map { rows[$0][count] / rows[$0][$0] }
    }
}
