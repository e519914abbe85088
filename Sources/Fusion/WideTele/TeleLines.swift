internal import RawImage

/// The lines along which the shifts between the views lie.
///
/// Parallax shifts a thing along the direction from one lens to the other, by a distance that depends on its depth.
/// What shifts have across that direction comes from errors of the calibrations, which change slowly over the picture.
/// A shift is therefore known but for one number, its place on the line.
struct TeleLines: Sendable {
    /// Unit vectors along the lines and across them.
    private let (along, across): (SIMD2<Float>, SIMD2<Float>)
    /// The component across the lines, by the position in the field.
    private let offset: TeleShading
    /// The places on the lines between which the shifts lie.
    let range: ClosedRange<Float>

    /// What a tile says of the lines.
    struct Sample {
        /// The tile's centre.
        var place: SIMD2<Float>
        var shift: SIMD2<Float>
        /// The sums of squared gradients in each direction, which tell how exact the components of the shift are.
        var structure: SIMD2<Float>
    }

    /// The usual deviation of a tile's shift from its line, and the largest of a tile that bounds the range, in pixels.
    private static let (usualDeviation, mostDeviation): (Double, Float) = (0.3, 1)
    /// The least number of tiles that bound the range, and the margin around their shifts in pixels.
    private static let (leastTiles, margin): (Int, Float) = (16, 2)
    /// The structure of a tile that bounds the range, relative to the mean of all.
    private static let leastStructure: Float = 0.2

    /// Finds the lines from the shifts of tiles, in a field of a size. `parallax` is the shift of the nearest things;
    /// the calibrations' errors add up to `tolerance` pixels.
    init(_ samples: [Sample], parallax: SIMD2<Double>, tolerance: Double, width: Int, height: Int) {
        let length = (parallax * parallax).sum().squareRoot()
        let direction =
            length > 0
            ? SIMD2<Float>(Float(parallax.x / length), Float(parallax.y / length)) : Self.direction(of: samples)
        let normal = SIMD2(-direction.y, direction.x)
        let mean = samples.reduce(SIMD2<Float>()) { $0 + $1.structure } / Float(max(samples.count, 1))
        let usual = max(mean.sum(), 1e-12)
        let offset = TeleShading(
            samples.map { sample in
                TeleShading.Sample(
                    place: SIMD2(Double(sample.place.x), Double(sample.place.y)),
                    value: Double((sample.shift * normal).sum()),
                    weight: Double(min((sample.structure * normal * normal).sum() / usual, 1)))
            }, width: Double(width), height: Double(height), degree: .second, usualDeviation: Self.usualDeviation)
        let places = samples.compactMap { sample -> Float? in
            let expected = Float(offset.value(at: SIMD2(Double(sample.place.x), Double(sample.place.y))))
            guard abs((sample.shift * normal).sum() - expected) < Self.mostDeviation,
                (sample.structure * direction * direction).sum() > Self.leastStructure * usual
            else { return nil }
            return (sample.shift * direction).sum()
        }
        let limits = -Float(tolerance)...Float(length + tolerance)
        if places.count < Self.leastTiles {
            range = limits
        } else {
            let (least, most) = places.reduce((Float.infinity, -Float.infinity)) { (min($0.0, $1), max($0.1, $1)) }
            range = (least - Self.margin...most + Self.margin).clamped(to: limits)
        }
        (along, across, self.offset) = (direction, normal, offset)
    }

    /// Returns the direction in which the shifts differ most, for lenses whose positions are unknown.
    private static func direction(of samples: [Sample]) -> SIMD2<Float> {
        let weights = samples.map { $0.structure.min() }
        let total = max(weights.reduce(0, +), 1e-12)
        let mean = zip(samples, weights).reduce(SIMD2<Float>()) { $0 + $1.0.shift * $1.1 } / total
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        for (sample, weight) in zip(samples, weights) {
            let change = sample.shift - mean
            xx += weight * change.x * change.x
            xy += weight * change.x * change.y
            yy += weight * change.y * change.y
        }
        // The eigenvector of the larger eigenvalue of the covariance.
        let half = (xx - yy) / 2
        let vector = SIMD2(half + (half * half + xy * xy).squareRoot(), xy)
        let length = (vector * vector).sum().squareRoot()
        if length > 0 { return vector / length }
        return yy > xx ? SIMD2(0, 1) : SIMD2(1, 0)
    }

    /// Returns the shift at a position in the field for a place on its line.
    func shift(at position: SIMD2<Float>, place: Float) -> SIMD2<Float> {
        along * place + across * Float(offset.value(at: SIMD2(Double(position.x), Double(position.y))))
    }
}
