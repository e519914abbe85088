/// How precisely a tile shows its motion: the inverse of the covariance of the motion's error, in 1 / pixels².
struct MotionInformation: Sendable {
    private let xx: Float
    private let xy: Float
    private let yy: Float

    /// The information of gradients that are nothing but noise: 256 of them with half of a frame's variance, which is
    /// half of the difference's. The margin is two standard deviations.
    private static let ofNoise: Float = 64 + 2 * 8
    /// The information of the whole frame's motion on that of a tile: the motion of a still thing differs from it by a
    /// quarter of a pixel.
    private static let ofFrame: Float = 16
    /// The largest squared distance from the frame's motion, in units of the tile's error, that noise explains.
    private static let likely: Float = 9

    /// The squared distance in pixels from the frame's motion within which a tile, compared at its own motion, was in
    /// effect compared at the frame's, too.
    private static let nearness: Float = 1

    /// No information.
    static let none = MotionInformation(0, 0, 0, variance: 1)

    /// Computes the information of sums of squared gradients and of their products; `variance` is that of the noise of
    /// the difference of two frames.
    init(_ xx: Float, _ xy: Float, _ yy: Float, variance: Float) {
        self.xx = max(xx / variance - Self.ofNoise, 0)
        self.yy = max(yy / variance - Self.ofNoise, 0)
        let most = (self.xx * self.yy).squareRoot()
        self.xy = (xy / variance).clamped(to: -most...most)
    }

    /// The information in the direction that is known least, or up to twice of it.
    var least: Float {
        let sum = xx + yy
        return sum > 0 ? (xx * yy - xy * xy) / sum : 0
    }

    /// Returns a tile's motion, improved by the motion of the whole frame if they are near and noise explains their
    /// difference: each counts by its information in each direction.
    func combined(_ motion: SIMD2<Float>, with frame: SIMD2<Float>) -> SIMD2<Float> {
        let away = motion - frame
        guard (away * away).sum() < Self.nearness else { return motion }
        let pull = SIMD2(xx * away.x + xy * away.y, xy * away.x + yy * away.y)
        // The frame's motion counts less the less likely it is that of the tile.
        let frameInformation = Self.ofFrame * (1 - (pull * away).sum() / Self.likely)
        guard frameInformation > 0 else { return motion }
        let (a, d) = (xx + frameInformation, yy + frameInformation)
        let determinant = a * d - xy * xy
        return frame + SIMD2(d * pull.x - xy * pull.y, a * pull.y - xy * pull.x) / determinant
    }
}
