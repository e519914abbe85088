internal import RawImage

/// The tone curve that Adobe's converters apply to files without one, measured from their rendering of a grey ramp.
enum DefaultToneCurve {
    /// The curve in the form of a recipe's.
    static let toneCurve = try? ToneCurve(points: points.map { SIMD2(Float($0.0 / 1024), Float($0.1)) })

    static let curve = CubicSpline(
        points.map { SIMD2($0.0 / 1024, $0.1) })

    private static let points: [(Double, Double)] = [
        (0, 0), (1, 0.00116), (2, 0.00175), (3, 0.00241), (4, 0.00314), (6, 0.00460), (8, 0.00623), (11, 0.00906),
        (14, 0.01238), (18, 0.01751), (22, 0.02331), (28, 0.03303), (34, 0.04362), (42, 0.05868), (52, 0.07874),
        (64, 0.10433), (80, 0.14061), (96, 0.17902), (100, 0.18892), (106, 0.20398), (112, 0.21929), (128, 0.25962),
        (160, 0.33532), (192, 0.40390), (224, 0.46552), (256, 0.52070), (304, 0.59282), (352, 0.65427),
        (416, 0.72310), (480, 0.78007), (544, 0.82752), (608, 0.86720), (672, 0.90035), (736, 0.92792),
        (800, 0.95067), (864, 0.96919), (928, 0.98398), (976, 0.99285), (1000, 0.99664), (1024, 1),
    ]
}
