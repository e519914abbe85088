internal import Demosaic
internal import Glibc
internal import RawImage

/// Another exposure as the merge sees it: where its content lies, and what its signals are worth.
struct BracketView: Sendable {
    let frame: BracketFrame
    /// What its signals are multiplied with to be those of the reference.
    let gain: Double
    let field: MotionField
    let plan: DemosaicPlan
    /// Of its signals, multiplied with `gain`.
    let noise: CodeNoise

    /// Whether it gathered as much light as the reference, or more.
    var isLonger: Bool { gain <= 1 }
    /// Whether it may see what the reference clips.
    var seesHighlights: Bool { gain > 1.02 }

    /// What its balanced light is multiplied with to be signals of the reference, for red, green and blue.
    var lightScale: SIMD3<Float> {
        var range = SIMD3<Double>.zero
        for (place, plane) in frame.format.pattern.planes.enumerated() {
            range[plane] += (frame.metadata.whiteLevel - frame.metadata.blackLevel[place]) / (plane == 1 ? 2 : 1)
        }
        return SIMD3<Float>(frame.metadata.relativeSensitivity * range * gain)
    }

    /// The motion at the middle of a block of 16×8 pixels, to the right and down; smooth from tile to tile.
    func motion(x: Int, y: Int) -> SIMD2<Float> {
        let (column, row) = (Float(x + 8) / 16, Float(y + 4) / 16)
        let (left, top) = (column.rounded(.down), row.rounded(.down))
        let (across, down) = (column - left, row - top)
        func tile(_ right: Int, _ below: Int) -> SIMD2<Float> {
            let motion = field.tile(column: Int(left) + right, row: Int(top) + below)
            return SIMD2(motion.right, motion.down) * 2
        }
        let upper = tile(0, 0) * (1 - across) + tile(1, 0) * across
        let lower = tile(0, 1) * (1 - across) + tile(1, 1) * across
        return upper * (1 - down) + lower * down
    }
}

extension BracketView {
    /// Finds the content of `frame` in the reference. Both are cut where the first of them clips: what only one of them
    /// shows must not pull.
    init(
        _ frame: BracketFrame, in reference: BracketFrame, gain: Double, cores: Int?, latch: CancelLatch
    ) throws(FusionError) {
        self.frame = frame
        self.gain = gain
        do {
            plan = try DemosaicPlan(frame.metadata, pattern: frame.format.pattern, method: .fast)
        } catch {
            throw FusionError(.badFrame, "frame \(frame.index): \(error.message)")
        }
        let its = frame.metadata.noise.isEmpty ? Self.noiseOf(reference, seenBy: frame) : frame.metadata
        noise = CodeNoise(its, frame.format.pattern, gain: gain)
        let ours = CodeNoise(reference.metadata, reference.format.pattern, gain: 1)
        let ceiling = min(reference.range, frame.range * gain) * Self.clipping
        let (shot, read) = (
            Double((ours.shot + noise.shot).sum()) / 8, Double((ours.read + noise.read).sum()) / 8
        )
        guard let itsPyramid = frame.pyramid(gain: gain, ceiling: ceiling, cores: cores),
            let ourPyramid = reference.pyramid(gain: 1, ceiling: ceiling, cores: cores)
        else { throw FusionError(.badFrame, "frame \(frame.index) is empty") }
        field = MotionField(
            of: itsPyramid, in: ourPyramid,
            noise: NoiseProfile(shot: shot / ceiling, read: read / (ceiling * ceiling)), cores: cores, latch: latch)
    }

    /// The share of white up to which signals are trusted.
    private static let clipping = 0.95

    /// A frame that does not tell of its noise has that of the reference.
    private static func noiseOf(_ reference: BracketFrame, seenBy frame: BracketFrame) -> FrameMetadata {
        var metadata = frame.metadata
        metadata.noise = reference.metadata.noise
        return metadata
    }
}

extension BracketFrame {
    /// The pyramid of its signals times a gain, cut at a ceiling, which is white; nil when it has no codes.
    fileprivate func pyramid(gain: Double, ceiling: Double, cores: Int?) -> GreyPyramid? {
        let code = UInt16((black + ceiling / gain).clamped(to: 1...65_535))
        return unsafe codes.withUnsafeBufferPointer { codes in
            guard let start = codes.baseAddress else { return nil }
            return unsafe GreyPyramid(
                start, format, metadata, gain: gain * range / ceiling, ceiling: code, cores: cores)
        }
    }
}
