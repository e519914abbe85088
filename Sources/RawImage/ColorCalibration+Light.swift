// What the calibrations of a camera say together of a light that none was made for.

extension [ColorCalibration] {
    /// How much each counts under a white: shares that add up to 1.
    ///
    /// The two nearest in reciprocal temperature share it; three whose colours are known all count, as readers of DNG 1.6 do it.
    /// Lights that nobody knows serve only when there is nothing better.
    package func shares(at white: Chromaticity) -> [Double] {
        let colors = compactMap(\.chromaticity)
        if count == 3, Set(colors).count == 3 { return Self.shares(of: colors, at: white) }
        var shares = [Double](repeating: 0, count: count)
        let lights = indices.compactMap { index in
            self[index].temperature.map { (mired: 1e6 / $0, index: index) }
        }
        .sorted { $0.mired < $1.mired }
        guard let coolest = lights.first, let warmest = lights.last else {
            if !isEmpty { shares[0] = 1 }
            return shares
        }
        let wanted = Swift.min(Swift.max(1e6 / white.temperature, coolest.mired), warmest.mired)
        let previous = lights.last { $0.mired <= wanted } ?? coolest
        let next = lights.first { $0.mired >= wanted } ?? warmest
        let way = next.mired - previous.mired
        guard way > 0, wanted.isFinite else {
            shares[next.index] = 1
            return shares
        }
        let share = (wanted - previous.mired) / way
        shares[previous.index] = 1 - share
        shares[next.index] = share
        return shares
    }

    /// The nearer a light is, in reciprocal temperature and tint, the more it counts; what counts little, counts nothing.
    private static func shares(of lights: [Chromaticity], at white: Chromaticity) -> [Double] {
        func spot(_ light: Chromaticity) -> SIMD2<Double> {
            let (temperature, tint) = light.temperatureAndTint
            return SIMD2(Swift.min(1500 / temperature, 1), tint / 200)
        }
        func whole(_ shares: [Double]) -> [Double] {
            let sum = shares.reduce(0, +)
            return shares.map { $0 / sum }
        }
        let here = spot(white)
        let near = whole(
            lights.map { light in
                let way = spot(light) - here
                return 1 / ((way * way).sum() + 1e-8)
            })
        return whole(near.map { Swift.max($0 * $0 * (3 - 2 * $0) - 0.02, 0) })
    }

    /// The calibration for a white, between those of known lights; nil when there is none at all.
    package func mean(at white: Chromaticity) -> ColorCalibration? {
        let shares = shares(at: white)
        guard var mean = zip(self, shares).max(by: { $0.1 < $1.1 })?.0 else { return nil }
        func sum(_ matrix: (ColorCalibration) -> Matrix3?, _ shares: [Double]) -> Matrix3 {
            zip(self, shares).reduce(.identity * 0) { sum, part in
                matrix(part.0).map { sum + $0 * part.1 } ?? sum
            }
        }
        guard shares.count(where: { $0 > 0 }) > 1 else { return mean.lending(forwardOf: self) }
        mean.colorMatrix = sum(\.ofUsualSize, shares)
        mean.individual = sum(\.individual, shares)
        let counting = zip(self, shares).reduce(0) { $1.0.forwardMatrix == nil ? $0 : $0 + $1.1 }
        guard counting > 0 else { return mean.lending(forwardOf: self) }
        mean.forwardMatrix = sum(\.forwardMatrix, shares.map { $0 / counting })
        return mean
    }
}

extension ColorCalibration {
    /// The light's colour; nil when nobody knows it.
    fileprivate var chromaticity: Chromaticity? { illuminant.chromaticity ?? knownColor }

    /// The light's temperature in kelvin.
    fileprivate var temperature: Double? { illuminant.temperature ?? knownColor?.temperature }

    private var knownColor: Chromaticity? {
        lightColor.flatMap { Chromaticity(SIMD3($0.x, $0.y, 1 - $0.x - $0.y)) }
    }

    /// The matrix, made so large that D50 just fills the strongest colour: what is mixed must be alike in size.
    fileprivate var ofUsualSize: Matrix3 {
        guard let reference = individual.inverse else { return colorMatrix }
        let most = (reference * colorMatrix * Chromaticity.d50.color).max()
        // Most are so already but for rounding.
        return most > 0 && abs(most - 1) > 0.01 ? colorMatrix * (1 / most) : colorMatrix
    }

    /// A forward matrix of another light is better than none.
    fileprivate func lending(forwardOf others: [ColorCalibration]) -> ColorCalibration {
        var result = self
        result.forwardMatrix = forwardMatrix ?? others.lazy.compactMap(\.forwardMatrix).first
        return result
    }
}
