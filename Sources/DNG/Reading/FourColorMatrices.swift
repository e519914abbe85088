internal import RawImage

/// The colour matrices of a camera with four colours, for one to three illuminants.
struct FourColorMatrices {
    /// The matrices of one illuminant, by rows.
    private struct Light {
        /// From XYZ to the four camera colours: four rows.
        let color: [[Double]]
        /// From four white-balanced camera colours to XYZ (D50): three rows; nil without ForwardMatrix.
        let forward: [[Double]]?
        /// The illuminant, as that of a calibration of three colours, for its share.
        let reference: ColorCalibration
    }

    /// The scene's white.
    private(set) var white = Chromaticity.d50
    /// ReductionMatrix: from four to three colours, three rows; nil without one.
    let reduction: [[Double]]?
    private let lights: [Light]

    private static let reductionMatrix1 = TIFFTag(50725)

    /// Reads the matrices; nil if there is no valid one.
    init?(_ first: TIFFDirectory) {
        let tags: [(color: TIFFTag, light: TIFFTag, forward: TIFFTag, calibration: TIFFTag, data: TIFFTag)] = [
            (.colorMatrix1, .calibrationIlluminant1, .forwardMatrix1, .cameraCalibration1, .illuminantData1),
            (.colorMatrix2, .calibrationIlluminant2, .forwardMatrix2, .cameraCalibration2, .illuminantData2),
            (.colorMatrix3, .calibrationIlluminant3, .forwardMatrix3, .cameraCalibration3, .illuminantData3),
        ]
        let balance = first.numbers(.analogBalance)
        let isCalibrated = first.text(.cameraCalibrationSignature) == first.text(.profileCalibrationSignature)
        lights = tags.compactMap { tag in
            guard var color = [[Double]](first.numbers(tag.color), rows: 4, columns: 3) else { return nil }
            if isCalibrated, let own = [[Double]](first.numbers(tag.calibration), rows: 4, columns: 4) {
                color = own.map { row in (0..<3).map { column in (0..<4).map { row[$0] * color[$0][column] }.sum } }
            }
            if balance.count == 4, balance.allSatisfy({ $0.isFinite && $0 > 0 }) {
                color = zip(color, balance).map { row, factor in row.map { $0 * factor } }
            }
            var reference = ColorCalibration(
                illuminant: Illuminant(rawValue: UInt16(clamping: first.integer(tag.light) ?? 0)),
                colorMatrix: .identity)
            if reference.illuminant == .other {
                reference.lightColor = Chromaticity(
                    dng: first.bytes(tag.data), isBigEndian: first.container.isBigEndian)
            }
            return Light(
                color: color.withWhiteResponseOne,
                forward: [[Double]](first.numbers(tag.forward), rows: 3, columns: 4)?.normalizedToD50,
                reference: reference)
        }
        reduction = [[Double]](first.numbers(Self.reductionMatrix1), rows: 3, columns: 4)
        guard !lights.isEmpty else { return nil }
        white = sceneWhite(first)
    }

    /// Returns the matrices interpolated for a white: that to the camera colours, and the forward matrix if all
    /// illuminants have one.
    func mean(at white: Chromaticity) -> (color: [[Double]], forward: [[Double]]?) {
        let shares = lights.map(\.reference).shares(at: white)
        func sum(_ matrices: [[[Double]]]) -> [[Double]] {
            matrices[0].indices.map { row in
                matrices[0][row].indices.map { column in zip(matrices, shares).map { $0[row][column] * $1 }.sum }
            }
        }
        let forward = lights.compactMap(\.forward)
        return (sum(lights.map(\.color)), forward.count == lights.count ? sum(forward) : nil)
    }

    /// Returns the scene's white by AsShotNeutral or AsShotWhiteXY; D55 without either.
    private func sceneWhite(_ first: TIFFDirectory) -> Chromaticity {
        let neutral = first.numbers(.asShotNeutral)
        if neutral.count == 4, neutral.allSatisfy({ $0.isFinite && $0 > 0 }) {
            var white = Chromaticity.d50
            // The matrix depends on the white through interpolation, so this iterates to a fixed point.
            for _ in 0..<30 {
                guard let inverse = mean(at: white).color.pseudoInverse(reducedBy: reduction),
                    let next = Chromaticity(inverse.times(neutral))
                else { break }
                let movement = abs(next.x - white.x) + abs(next.y - white.y)
                white = next
                if movement < 1e-7 { break }
            }
            return white
        }
        let point = first.numbers(.asShotWhiteXY)
        guard point.count == 2, point[0] > 0, point[1] > 0, point[0] + point[1] <= 1 else {
            return Chromaticity(x: 0.33242, y: 0.34743)
        }
        return Chromaticity(x: point[0], y: point[1])
    }
}

// Matrices of other sizes than 3×3, as arrays of rows.
extension [[Double]] {
    /// Creates a matrix from its values by rows; nil unless there are as many, and all are finite.
    init?(_ values: [Double], rows: Int, columns: Int) {
        guard values.count == rows * columns, values.allSatisfy(\.isFinite) else { return nil }
        self = (0..<rows).map { row in (0..<columns).map { values[row * columns + $0] } }
    }

    /// Multiplies a matrix of three columns with a column vector.
    func times(_ vector: SIMD3<Double>) -> [Double] { map { (SIMD3($0[0], $0[1], $0[2]) * vector).sum() } }

    /// Multiplies a matrix of three rows with a column vector of any length.
    func times(_ vector: [Double]) -> SIMD3<Double> {
        func product(_ row: [Double]) -> Double { zip(row, vector).map { $0 * $1 }.sum }
        return SIMD3(product(self[0]), product(self[1]), product(self[2]))
    }

    /// Multiplies a matrix of three columns with another matrix.
    func times(_ matrix: Matrix3) -> [[Double]] {
        map { row in
            let product = matrix.transposed * SIMD3(row[0], row[1], row[2])
            return [product.x, product.y, product.z]
        }
    }

    /// Returns the inverse of a matrix of four rows and three columns, of three rows: (R·A)⁻¹·R with a reduction matrix
    /// R, otherwise the pseudo-inverse, for which R is the transposed matrix. Nil if there is none.
    func pseudoInverse(reducedBy reduction: [[Double]]?) -> [[Double]]? {
        let reducer = reduction ?? (0..<3).map { column in map { $0[column] } }
        let square = (0..<3).flatMap { row in
            (0..<3).map { column in indices.map { reducer[row][$0] * self[$0][column] }.sum }
        }
        guard let inverse = Matrix3(square)?.inverse else { return nil }
        let columns = indices.map { inverse * SIMD3(reducer[0][$0], reducer[1][$0], reducer[2][$0]) }
        return (0..<3).map { row in columns.map { $0[row] } }
    }

    /// The colour matrix scaled so that the largest response to D50 is 1: matrices must have a common scale before they
    /// are interpolated.
    fileprivate var withWhiteResponseOne: [[Double]] {
        guard let largest = times(Chromaticity.d50.color).max(), largest > 0 else { return self }
        return map { row in row.map { $0 / largest } }
    }

    /// The forward matrix with its rows scaled so that equal colours map to D50; nil if that is not possible.
    fileprivate var normalizedToD50: [[Double]]? {
        let (sums, white) = (map(\.sum), Chromaticity.d50.color)
        guard sums.allSatisfy({ $0 > 1e-3 }) else { return nil }
        return indices.map { row in self[row].map { $0 * white[row] / sums[row] } }
    }
}

extension [Double] {
    /// The sum of all values.
    fileprivate var sum: Double { reduce(0, +) }

    /// Returns the values divided by a number; nil unless all are above 0.
    func positive(dividedBy divisor: Double) -> [Double]? {
        let values = map { $0 / divisor }
        return values.allSatisfy({ $0.isFinite && $0 > 1e-6 }) ? values : nil
    }
}
