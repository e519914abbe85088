internal import PixelMemory
internal import RawImage

/// The evidence of several frames on defective pixels: a defect deviates from the scene, which the other frames show
/// from other pixels, by the same amount at the same sensor position in every frame.
struct DefectEvidence {
    /// The reference and the frames aligned with it.
    let frames: [EvidenceFrame]

    /// The least motion, in mosaic pixels, between two frames that are compared.
    private static let leastMotion: Float = 1.4
    /// The least deviation of a defect in standard deviations: in two frames, and in all frames together.
    private static let (leastInTwo, leastInAll): (Float, Float) = (3.5, 7)
    /// How far the deviation of a frame may differ from the mean: in standard deviations, or as a fraction of the mean.
    private static let (spread, spreadFraction): (Float, Float) = (2, 0.4)
    /// The least deviation of a frame as a fraction of the mean: an edge of the scene that moves past the pixel
    /// deviates in some frames only.
    private static let leastFraction: Float = 0.4
    /// The least height of a suspect above the darkest pixel beside it (below the brightest), in every frame, as a
    /// fraction of its height above the brightest where it stands out.
    private static let leastHeight: Float = 0.5
    /// The uncertainty of the scene between pixels as a fraction of their contrast.
    private static let interpolationError: Float = 0.1
    /// The factor by which the noise of the scene between pixels exceeds that of a pixel.
    private static let interpolationNoise: Float = 1.3
    /// How much deviations beside a pixel, which a defect does not cause, add to the uncertainty of its own.
    private static let surroundingsWeight: Float = 1.5
    private static let neighbours: [SIMD2<Int>] = [
        SIMD2(-1, -1), SIMD2(0, -1), SIMD2(1, -1), SIMD2(-1, 0), SIMD2(1, 0), SIMD2(-1, 1), SIMD2(0, 1), SIMD2(1, 1),
    ]

    /// Returns whether the pixel at `site`, which stands out in the frame with index `suspect`, is defective; nil if it
    /// may be, but fewer than two frames show the scene there from other pixels.
    func isDefective(_ site: SIMD2<Int>, suspectIn suspect: Int) -> Bool? {
        guard standsOut(site, suspectIn: suspect) else { return false }
        guard let views = views(site, of: suspect) else { return outlastsMotion(site, suspect) ? nil : false }
        // Most suspects are fine texture, which the other frames show as well.
        let first = deviation(views, of: suspect, site, .zero)
        guard abs(first.value) > Self.leastInTwo * first.variance.squareRoot() else { return false }
        var all: [(frame: Int, views: [View], deviation: Deviation)] = [(suspect, views, first)]
        for index in frames.indices where index != suspect {
            if let views = self.views(site, of: index) {
                all.append((index, views, deviation(views, of: index, site, .zero)))
            }
        }
        guard all.count > 1 else { return outlastsMotion(site, suspect) ? nil : false }
        guard Self.agree(all.map(\.deviation)) else { return false }
        for index in all.indices {
            let around = Self.neighbours.map { offset in
                let beside = deviation(all[index].views, of: all[index].frame, site, offset)
                return max(beside.value * beside.value - beside.variance, 0)
            }
            // A defect beside the pixel explains one neighbour's deviation.
            let mean = (around.reduce(0, +) - (around.max() ?? 0)) / Float(around.count - 1)
            all[index].deviation.variance += Self.surroundingsWeight * Self.surroundingsWeight * mean
        }
        return Self.agree(all.map(\.deviation))
    }

    /// Returns whether a suspect deviates, in every frame, at least from the farthest of the next pixels of its colour.
    /// This quick test rejects most dots of fine texture.
    private func standsOut(_ site: SIMD2<Int>, suspectIn suspect: Int) -> Bool {
        let height = frames[suspect].heights(site.x, site.y)
        let isBright = height.overBrightest > 0
        let least = Self.leastHeight * (isBright ? height.overBrightest : -height.overDarkest)
        return frames.allSatisfy { frame in
            if isBright, frame.isClipped(site.x, site.y) { return true }
            let height = frame.heights(site.x, site.y)
            return (isBright ? height.overDarkest : -height.overBrightest) > least
        }
    }

    /// Returns whether a suspect also stands out in every frame that has moved, as a defect does. A light of the scene
    /// is at another pixel there. Decides where no other frame shows the scene, as near the border.
    private func outlastsMotion(_ site: SIMD2<Int>, _ suspect: Int) -> Bool {
        let height = frames[suspect].heights(site.x, site.y)
        let isBright = height.overBrightest > 0
        return frames.allSatisfy { frame in
            guard Self.isMotion(frame.shift - frames[suspect].shift) else { return true }
            if isBright, frame.isClipped(site.x, site.y) { return true }
            let other = frame.heights(site.x, site.y)
            return isBright
                ? other.overBrightest > Self.leastHeight * height.overBrightest
                : other.overDarkest < Self.leastHeight * height.overDarkest
        }
    }

    /// The deviation of a pixel in one frame from the scene.
    private struct Deviation {
        var value: Float
        var variance: Float
        /// Whether the pixel is clipped, so that it may deviate by more than `value`.
        var isClipped: Bool

        /// Returns the deviation in standard deviations, positive if it has the sign of `mean`.
        func height(along mean: Float) -> Float { (mean > 0 ? value : -value) / variance.squareRoot() }

        /// Returns whether the deviation is that of a pixel that deviates by `mean` in every frame.
        func isNear(_ mean: Float) -> Bool {
            (mean > 0 ? value : -value) >= leastFraction * abs(mean)
                && abs(value - mean) <= max(spread * variance.squareRoot(), spreadFraction * abs(mean))
        }
    }

    /// The scene at a pixel in another frame.
    private struct View {
        var frame: Int
        var patch: ScenePatch
    }

    /// Returns whether deviations are significant and equal. Those of clipped pixels are lower bounds; where every
    /// frame is clipped, each deviation must be significant. So must those of a dark pixel, since scenes have dark
    /// specks beside clipped areas, whose brightness is unknown.
    private static func agree(_ deviations: [Deviation]) -> Bool {
        let exact = deviations.filter { !$0.isClipped }
        let mean = mean(exact.isEmpty ? deviations : exact)
        var (squares, significant): (Float, Int) = (0, 0)
        for deviation in deviations {
            let height = deviation.height(along: mean)
            squares += max(height, 0) * max(height, 0)
            if height > leastInTwo { significant += 1 }
        }
        let least = mean < 0 || exact.isEmpty ? deviations.count : 2
        return significant >= least && squares > leastInAll * leastInAll && exact.allSatisfy { $0.isNear(mean) }
    }

    /// Returns the mean of deviations, weighted by their certainty.
    private static func mean(_ deviations: [Deviation]) -> Float {
        var (sum, weights): (Float, Float) = (0, 0)
        for deviation in deviations {
            sum += deviation.value / deviation.variance
            weights += 1 / deviation.variance
        }
        return sum / weights
    }

    /// Returns the deviation of a frame's pixel, `offset` beside `site`, from the scene as other frames show it.
    private func deviation(_ views: [View], of index: Int, _ site: SIMD2<Int>, _ offset: SIMD2<Int>) -> Deviation {
        let (frame, pixel) = (frames[index], site &+ offset)
        let plane = frame.plane(pixel.x, pixel.y)
        let signal = frame.signal(pixel.x, pixel.y)
        var (sum, weights): (Float, Float) = (0, 0)
        for view in views {
            let (value, contrast) = view.patch.signal(plane, right: offset.x, down: offset.y)
            let error = Self.interpolationError * contrast
            let weight = 1 / (Self.interpolationNoise * frames[view.frame].variance(value) + error * error)
            sum += weight * (signal - value)
            weights += weight
        }
        let value = sum / weights
        return Deviation(
            value: value, variance: frame.variance(signal - value) + 1 / weights,
            isClipped: frame.isClipped(pixel.x, pixel.y))
    }

    /// Returns whether a frame shows the scene at the same pixels as the reference.
    func isStill(_ index: Int) -> Bool { !Self.isMotion(frames[index].shift - frames[0].shift) }

    private static func isMotion(_ shift: SIMD2<Float>) -> Bool { max(abs(shift.x), abs(shift.y)) >= leastMotion }

    /// Returns how other frames show the scene at a frame's pixel; nil if none does from other pixels.
    private func views(_ site: SIMD2<Int>, of index: Int) -> [View]? {
        let place = SIMD2(Float(site.x), Float(site.y))
        guard let near = frames[index].motion(at: place), let motion = frames[index].motion(at: place - near) else {
            return nil
        }
        let views = frames.indices.compactMap { other -> View? in
            guard other != index, let further = frames[other].motion(at: place - motion) else { return nil }
            let shift = further - motion
            // On a tripod a light that is aligned wrongly would deviate like a defect.
            let whole = frames[other].shift - frames[index].shift
            guard Self.isMotion(shift), Self.isMotion(whole) else { return nil }
            return ScenePatch(frames[other], around: place + shift, without: site).map { View(frame: other, patch: $0) }
        }
        return views.isEmpty ? nil : views
    }
}
