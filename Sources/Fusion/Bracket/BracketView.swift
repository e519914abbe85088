internal import Demosaic
internal import Glibc
internal import PixelMemory
internal import RawImage

/// A frame of a bracket prepared for the merge: its motion field, gain and noise on the scale of the reference.
struct BracketView: Sendable {
    let frame: BracketFrame
    /// The factor that scales this frame's signals to those of the reference.
    let gain: Double
    let field: MotionField
    let plan: DemosaicPlan
    /// The noise of this frame's signals after their multiplication by `gain`.
    let noise: CodeNoise

    /// Whether the exposure is at least as long as the reference's.
    var isLonger: Bool { gain <= 1 }
    /// Whether the exposure is so much shorter that it may show what the reference clips.
    var mayShowHighlights: Bool { gain > 1.02 }

    /// The factors that turn demosaiced, white-balanced red, green and blue (1 is white) into the reference's codes
    /// above black, without white balance.
    var linearScale: SIMD3<Float> {
        var range = SIMD3<Double>.zero
        for (position, plane) in frame.format.pattern.planes.enumerated() {
            range[plane] += (frame.metadata.whiteLevel - frame.metadata.blackLevel[position]) / (plane == 1 ? 2 : 1)
        }
        return SIMD3<Float>(frame.metadata.relativeSensitivity * range * gain)
    }

    /// Returns the motion at the centre of a block of 16×8 mosaic pixels, to the right and down, interpolated between
    /// tiles.
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
    /// Aligns `frame` with the reference. Both are clipped at the lower of their white levels, because areas that clip
    /// in only one of them would bias the alignment.
    init(
        _ frame: BracketFrame, in reference: BracketFrame, gain: Double, cores: Int?, latch: CancelLatch
    ) throws(GscapError) {
        self.frame = frame
        self.gain = gain
        do {
            plan = try DemosaicPlan(frame.metadata, pattern: frame.format.pattern, method: .fast)
        } catch {
            throw GscapError(.badFrame, "frame \(frame.index): \(error.message)")
        }
        let noiseMetadata = frame.metadata.noise.isEmpty ? Self.noiseOf(reference, forFrame: frame) : frame.metadata
        noise = CodeNoise(noiseMetadata, frame.format.pattern, gain: gain)
        let referenceNoise = CodeNoise(reference.metadata, reference.format.pattern, gain: 1)
        let ceiling = min(reference.range, frame.range * gain) * Self.clipping
        let (shot, read) = (
            Double((referenceNoise.shot + noise.shot).sum()) / 8, Double((referenceNoise.read + noise.read).sum()) / 8
        )
        guard let framePyramid = frame.pyramid(gain: gain, ceiling: ceiling, cores: cores),
            let referencePyramid = reference.pyramid(gain: 1, ceiling: ceiling, cores: cores)
        else { throw GscapError(.badFrame, "frame \(frame.index) has no codes") }
        var field = MotionField(
            of: framePyramid, in: ReferencePyramid(referencePyramid, cores: cores),
            noise: NoiseProfile(shot: shot / ceiling, read: read / (ceiling * ceiling)), cores: cores, latch: latch)
        // Motion in a tile that the reference clips is invisible. The noise of a much shorter exposure, a few codes
        // there, would be taken for motion. Beyond a ratio, no tile shows its own motion.
        let isFar = max(frame.range * gain, reference.range) > Self.tileRatio * ceiling / Self.clipping
        referencePyramid.levels[0].withClippedTiles { isClipped in field.followFrame { isFar || isClipped($0, $1) } }
        self.field = field
    }

    /// The fraction of the code range above which signals count as clipped.
    private static let clipping = 0.95
    /// The largest ratio of two exposures, 9 EV, at which the few codes that both show are enough for the motion of
    /// single tiles.
    private static let tileRatio = 512.0

    /// Returns the frame's metadata with the reference's noise profile, for a frame without one.
    private static func noiseOf(_ reference: BracketFrame, forFrame frame: BracketFrame) -> FrameMetadata {
        var metadata = frame.metadata
        metadata.noise = reference.metadata.noise
        return metadata
    }
}

extension GreyPyramid.Plane {
    /// The least fraction of white pixels in a clipped tile.
    private static let clippedFraction = 0.75

    /// Calls `body` with a function that returns whether a tile is clipped.
    fileprivate func withClippedTiles(_ body: (_ isClipped: (_ column: Int, _ row: Int) -> Bool) -> Void) {
        guard grid.canAlign else { return }
        let least = Int(Self.clippedFraction * Double(TileGrid.tile * TileGrid.tile))
        withView { values in
            body { column, row in
                let start = grid.alignmentStart(column: column, row: row)
                var count = 0
                for y in start.y..<start.y + TileGrid.tile {
                    for x in start.x..<start.x + TileGrid.tile
                    where Float(values[y * width + x]) > 0.99 * GreyPyramid.white { count += 1 }
                }
                return count >= least
            }
        }
    }
}

extension BracketFrame {
    /// Builds the pyramid of the signals times `gain`, clipped at `ceiling`, which becomes white; nil if there are no
    /// codes.
    fileprivate func pyramid(gain: Double, ceiling: Double, cores: Int?) -> GreyPyramid? {
        let code = UInt16((black + ceiling / gain).clamped(to: 1...65_535))
        guard !codes.isEmpty else { return nil }
        return codes.withView {
            GreyPyramid($0, format, metadata, gain: gain * range / ceiling, ceiling: code, FusionMemory(), cores: cores)
        }
    }
}
