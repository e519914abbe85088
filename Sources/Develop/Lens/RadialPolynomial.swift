internal import CLensfun

/// A polynomial in the distance from the optical centre. As a correction it is the ratio of the distance in the
/// recorded image to that in the corrected image.
struct RadialPolynomial: Sendable {
    /// The coefficients, the constant one first.
    var coefficients: [Double]

    static let one = RadialPolynomial(coefficients: [1])

    /// The ratio of a distortion model of Lensfun; nil for an unknown model.
    init?(_ distortion: lfLensCalibDistortion) {
        let terms = distortion.Terms
        let (first, second, third) = (Double(terms.0), Double(terms.1), Double(terms.2))
        switch distortion.Model {
        case LF_DIST_MODEL_POLY3: coefficients = [1 - first, 0, first]
        case LF_DIST_MODEL_POLY5: coefficients = [1, 0, first, 0, second]
        case LF_DIST_MODEL_PTLENS: coefficients = [1 - first - second - third, third, second, first]
        default: return nil
        }
    }

    /// The ratio of red or blue to green of a model of lateral chromatic aberration; nil for an unknown model.
    init?(_ aberration: lfLensCalibTCA, isBlue: Bool) {
        let terms = aberration.Terms
        switch aberration.Model {
        case LF_TCA_MODEL_LINEAR: coefficients = [Double(isBlue ? terms.1 : terms.0)]
        case LF_TCA_MODEL_POLY3:
            coefficients = (isBlue ? [terms.1, terms.3, terms.5] : [terms.0, terms.2, terms.4]).map(Double.init)
        default: return nil
        }
    }

    private init(coefficients: [Double]) {
        self.coefficients = coefficients
    }

    /// Returns the value at a distance.
    func callAsFunction(_ distance: Double) -> Double {
        coefficients.reversed().reduce(0) { $0 * distance + $1 }
    }

    /// Returns the polynomial of distances in a unit that is `unit` of this polynomial's units long.
    func inUnits(of unit: Double) -> RadialPolynomial {
        var power = 1.0
        return RadialPolynomial(
            coefficients: coefficients.map { coefficient in
                defer { power *= unit }
                return coefficient * power
            })
    }

    /// Returns the ratio of this correction followed by `next`, which receives the distance in this one's image.
    func then(_ next: RadialPolynomial) -> RadialPolynomial {
        // The distance after this correction is r times its ratio, a polynomial without constant coefficient.
        let distance = RadialPolynomial(coefficients: [0] + coefficients)
        let ratio = next.coefficients.reversed().reduce(RadialPolynomial(coefficients: [0])) { sum, coefficient in
            var product = sum * distance
            product.coefficients[0] += coefficient
            return product
        }
        return self * ratio
    }

    static func * (left: RadialPolynomial, right: RadialPolynomial) -> RadialPolynomial {
        var product = [Double](repeating: 0, count: left.coefficients.count + right.coefficients.count - 1)
        for (power, coefficient) in left.coefficients.enumerated() {
            for (other, factor) in right.coefficients.enumerated() { product[power + other] += coefficient * factor }
        }
        while product.count > 1, product.last == 0 { product.removeLast() }
        return RadialPolynomial(coefficients: product)
    }
}
