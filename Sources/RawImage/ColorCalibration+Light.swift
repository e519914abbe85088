// Interpolates a camera's colour calibrations for a white point between the calibration illuminants.

extension [ColorCalibration] {
    /// Returns the interpolation weight of each calibration for a white point; the weights sum to 1.
    ///
    /// The two illuminants nearest in reciprocal temperature are interpolated linearly; three with known and different
    /// chromaticities are all weighted by distance, as DNG 1.6 prescribes. A calibration whose illuminant has no known
    /// temperature gets weight 0, except when no illuminant has one: then the first calibration gets weight 1.
    package func shares(at white: Chromaticity) -> [Double] {
        let colors = compactMap(\.chromaticity)
        if count == 3, Set(colors).count == 3 { return Self.weights(of: colors, at: white) }
        var weights = [Double](repeating: 0, count: count)
        let lights = indices.compactMap { index in
            self[index].temperature.map { (mired: 1e6 / $0, index: index) }
        }
        .sorted { $0.mired < $1.mired }
        guard let coolest = lights.first, let warmest = lights.last else {
            if !isEmpty { weights[0] = 1 }
            return weights
        }
        let mired = Swift.min(Swift.max(1e6 / white.temperature, coolest.mired), warmest.mired)
        let previous = lights.last { $0.mired <= mired } ?? coolest
        let next = lights.first { $0.mired >= mired } ?? warmest
        let span = next.mired - previous.mired
        guard span > 0, mired.isFinite else {
            weights[next.index] = 1
            return weights
        }
        let weight = (mired - previous.mired) / span
        weights[previous.index] = 1 - weight
        weights[next.index] = weight
        return weights
    }

    /// Returns the weights of three illuminants by their inverse squared distance from the white point, in reciprocal
    /// temperature and tint. A smooth step enlarges the differences between the weights, and small ones become 0.
    private static func weights(of lights: [Chromaticity], at white: Chromaticity) -> [Double] {
        func point(_ light: Chromaticity) -> SIMD2<Double> {
            let (temperature, tint) = light.temperatureAndTint
            return SIMD2(Swift.min(1500 / temperature, 1), tint / 200)
        }
        func normalized(_ weights: [Double]) -> [Double] {
            let sum = weights.reduce(0, +)
            return weights.map { $0 / sum }
        }
        let whitePoint = point(white)
        let inverseSquares = normalized(
            lights.map { light in
                let difference = point(light) - whitePoint
                return 1 / ((difference * difference).sum() + 1e-8)
            })
        return normalized(inverseSquares.map { Swift.max($0 * $0 * (3 - 2 * $0) - 0.02, 0) })
    }

    /// Returns the calibration interpolated for a white point; nil when the array is empty.
    package func mean(at white: Chromaticity) -> ColorCalibration? {
        let weights = shares(at: white)
        guard var mean = zip(self, weights).max(by: { $0.1 < $1.1 })?.0 else { return nil }
        func sum(_ matrix: (ColorCalibration) -> Matrix3?, _ weights: [Double]) -> Matrix3 {
            zip(self, weights).reduce(.identity * 0) { sum, part in
                matrix(part.0).map { sum + $0 * part.1 } ?? sum
            }
        }
        guard weights.count(where: { $0 > 0 }) > 1 else { return mean.withForwardMatrix(from: self) }
        mean.colorMatrix = sum(\.normalizedColorMatrix, weights)
        mean.cameraCalibration = sum(\.cameraCalibration, weights)
        // The sum of the weights of the calibrations that have a forward matrix.
        let forwardWeight = zip(self, weights).reduce(0) { $1.0.forwardMatrix == nil ? $0 : $0 + $1.1 }
        guard forwardWeight > 0 else { return mean.withForwardMatrix(from: self) }
        mean.forwardMatrix = sum(\.forwardMatrix, weights.map { $0 / forwardWeight })
        return mean
    }
}

extension ColorCalibration {
    /// The chromaticity of the calibration illuminant; nil when unknown.
    fileprivate var chromaticity: Chromaticity? { illuminant.chromaticity ?? storedChromaticity }

    /// The correlated colour temperature of the calibration illuminant in kelvin; nil when unknown.
    fileprivate var temperature: Double? { illuminant.temperature ?? storedChromaticity?.temperature }

    /// The chromaticity from IlluminantData; nil when that is absent or no light source can have it.
    private var storedChromaticity: Chromaticity? {
        lightColor.flatMap { Chromaticity(SIMD3($0.x, $0.y, 1 - $0.x - $0.y)) }
    }

    /// The colour matrix scaled so that the largest component of its camera colour for D50 is 1: matrices must have a
    /// common scale before they are interpolated.
    fileprivate var normalizedColorMatrix: Matrix3 {
        guard let reference = cameraCalibration.inverse else { return colorMatrix }
        let largest = (reference * colorMatrix * Chromaticity.d50.color).max()
        // A matrix whose scale is right within 1 percent is normalised already, and stays as it is stored.
        return largest > 0 && abs(largest - 1) > 0.01 ? colorMatrix * (1 / largest) : colorMatrix
    }

    /// Returns the calibration with the first forward matrix of `others` if it has none: even the matrix of another
    /// illuminant is more accurate than none.
    fileprivate func withForwardMatrix(from others: [ColorCalibration]) -> ColorCalibration {
        var result = self
        result.forwardMatrix = forwardMatrix ?? others.lazy.compactMap(\.forwardMatrix).first
        return result
    }
}
