import BurstScenes
import Fusion
import RawImage
import Testing

@Suite struct BurstFusionTests {
    /// Fuses frames, all with the format and metadata of a burst.
    private func fuse(
        _ burst: SyntheticBurst, _ frames: [[UInt16]], cores: Int? = nil
    ) throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        let first = frames[0]
        let fusion = BurstFusion(FusionOptions(reference: 0), cores: cores)
        try fusion.add(first.span, format: burst.format, metadata: burst.metadata)
        for frame in frames.dropFirst() {
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        }
        return try fusion.finish()
    }

    private func still(_ burst: SyntheticBurst, _ count: Int) -> [[UInt16]] {
        (0..<count).map { burst.frame(seed: UInt64($0 + 1)) }
    }

    @Test(arguments: BayerPattern.allCases, [8, 10, 12, 14, 16])
    func identicalFramesGiveThatFrame(_ pattern: BayerPattern, _ depth: Int) throws {
        let burst = SyntheticBurst(75, 58, pattern: pattern, bitDepth: depth, stride: 80)
        let frame = burst.frame(seed: 7)
        let result = try fuse(burst, [frame, frame, frame, frame])
        let shift = UInt16(16 - depth)
        for row in 0..<58 {
            let line = frame[row * 80..<row * 80 + 75].map { $0 << shift }
            #expect(Array(result.mosaic.codes[row * 75..<(row + 1) * 75]) == line)
        }
        #expect(result.mosaic.format == MosaicFormat(width: 75, height: 58, pattern: pattern, bitDepth: 16))
        #expect(result.report.effectiveFrames > 3.9)
    }

    @Test func oneFrameIsThatFrame() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame(seed: 1)
        let result = try fuse(burst, [frame])
        #expect(result.mosaic.codes == frame.map { $0 << 4 })
        #expect(result.report.effectiveFrames == 1)
        #expect(result.mosaic.metadata.fusedFrames == 1)
        #expect(result.mosaic.metadata.noise == burst.metadata.noise)
    }

    @Test func metadataDescribesTheResult() throws {
        let burst = SyntheticBurst(256, 192)
        let result = try fuse(burst, still(burst, 4))
        let metadata = result.mosaic.metadata
        #expect(metadata.blackLevel == [4096, 4096, 4096, 4096])
        #expect(metadata.whiteLevel == 4095 * 16)
        #expect(metadata.fusedFrames == 4)
        #expect(metadata.exposureTime == burst.metadata.exposureTime)
        #expect(abs(metadata.noise[1].shot - 1e-3 / result.report.effectiveFrames) < 1e-9)
        #expect(result.report.frames.map(\.index) == [0, 1, 2, 3])
        #expect(result.report.frames.allSatisfy { $0.rejection == nil && $0.mergedShare > 0.85 })
        #expect(result.report.seconds(of: "alignment") > 0 && result.report.seconds(of: "merge") > 0)
    }

    /// Without motion the noise falls with the square root of the number of frames, and the report gives the reduction.
    @Test(arguments: [2, 4, 8])
    func noiseFalls(_ count: Int) throws {
        let burst = SyntheticBurst(320, 256)
        let frames = still(burst, count)
        let one = burst.errors(of: try fuse(burst, [frames[0]]).mosaic).deviation
        let result = try fuse(burst, frames)
        let gain = one / burst.errors(of: result.mosaic).deviation
        #expect(gain > 0.95 * Double(count).squareRoot() && gain < 1.05 * Double(count).squareRoot())
        #expect(abs(result.report.effectiveFrames / (gain * gain) - 1) < 0.12)
    }

    @Test(arguments: [(0.0, 0.0), (0.5, -0.25), (3.3, -5.6), (-11.75, 8.4), (37.2, 21.9)])
    func shiftsAreFound(_ right: Double, _ down: Double) throws {
        let burst = SyntheticBurst(512, 384)
        let frames = [burst.frame(seed: 1), burst.frame(right: right, down: down, seed: 2)]
        let result = try fuse(burst, frames)
        let motion = result.report.frames[1].motion
        #expect(abs(motion.x - right) < 0.1 && abs(motion.y - down) < 0.1, "\(motion)")
    }

    @Test func shiftedFramesLoseNoiseAsWell() throws {
        let burst = SyntheticBurst(512, 384)
        let frames = (0..<8).map { (index: Int) -> [UInt16] in
            burst.frame(right: 2.3 * Double(index), down: -1.7 * Double(index), seed: UInt64(index + 1))
        }
        let inner = (rows: 32..<352, columns: 32..<480)
        let one = burst.errors(of: try fuse(burst, [frames[0]]).mosaic, rows: inner.rows, columns: inner.columns)
        let all = burst.errors(of: try fuse(burst, frames).mosaic, rows: inner.rows, columns: inner.columns)
        #expect(one.deviation / all.deviation > 2.2)
    }

    /// Neither rounding nor signal-dependent noise biases the brightness of fused bursts, compared with the mean of
    /// their frames.
    @Test(arguments: [true, false])
    func nothingIsDarkerOrBrighter(_ alongRows: Bool) throws {
        var burst = SyntheticBurst(512, 384)
        burst.scene = { x, y in 0.002 + 0.0002 * (alongRows ? x : y) }
        var bias = 0.0
        for seed in 0..<4 {
            let frames = (0..<4).map { burst.frame(seed: UInt64(seed * 100 + $0)) }
            let means = frames.map { Double($0.reduce(0) { $0 + Int($1) }) / Double($0.count) }
            let merged = try fuse(burst, frames).mosaic.codes
            bias += Double(merged.reduce(0) { $0 + Int($1) }) / Double(merged.count) / 16 - means.reduce(0, +) / 4
        }
        #expect(abs(bias / 4) < 0.05)
    }

    /// A bright square that crosses a still scene leaves no ghost where it was or where it moves to.
    @Test func movingThingsLeaveNoGhosts() throws {
        let burst = SyntheticBurst(384, 256)
        let hills = burst.scene
        let frames = (0..<6).map { index -> [UInt16] in
            var frame = burst
            let left = 60.0 + 45 * Double(index)
            frame.scene = { x, y in (left..<left + 40).contains(x) && (100..<140).contains(y) ? 0.95 : hills(x, y) }
            return frame.frame(seed: UInt64(index + 1))
        }
        var truth = burst
        truth.scene = { x, y in (60..<100).contains(x) && (100..<140).contains(y) ? 0.95 : hills(x, y) }
        let one = truth.errors(of: try fuse(burst, [frames[0]]).mosaic, rows: 100..<140, columns: 60..<330)
        let result = try fuse(burst, frames)
        let all = truth.errors(of: result.mosaic, rows: 100..<140, columns: 60..<330)
        #expect(all.deviation < one.deviation)
        #expect(abs(all.mean) < 0.1 * one.deviation)
        // The rest of the picture is still denoised.
        let rest = truth.errors(of: result.mosaic, rows: 180..<250, columns: 0..<384)
        #expect(rest.deviation < 0.5 * one.deviation)
    }

    @Test func framesOfAnotherExposureAreScaled() throws {
        let burst = SyntheticBurst(320, 256)
        var half = burst.metadata
        half.exposureTime /= 2
        let (first, second) = (burst.frame(seed: 1), burst.frame(exposure: 0.5, seed: 2))
        let fusion = BurstFusion(FusionOptions(reference: 0))
        try fusion.add(first.span, format: burst.format, metadata: burst.metadata)
        try fusion.add(second.span, format: burst.format, metadata: half)
        let result = try fusion.finish()
        #expect(result.report.frames[1].rejection == nil)
        let errors = burst.errors(of: result.mosaic)
        let one = burst.errors(of: try fuse(burst, [first]).mosaic)
        #expect(abs(errors.mean) < 0.5)
        #expect(errors.deviation < 0.9 * one.deviation)
        #expect(result.mosaic.metadata.exposureTime == burst.metadata.exposureTime)
    }

    /// Pixels clipped in a frame of longer exposure do not darken what the reference frame shows unclipped.
    @Test func clippedLongExposuresAreIgnored() throws {
        var burst = SyntheticBurst(320, 256)
        burst.scene = { x, y in 0.3 * SyntheticBurst.hills(x, y) + 0.6 }
        var long = burst.metadata
        long.exposureTime *= 1.6
        let (first, second) = (burst.frame(seed: 1), burst.frame(exposure: 1.6, seed: 2))
        let fusion = BurstFusion(FusionOptions(reference: 0))
        try fusion.add(first.span, format: burst.format, metadata: burst.metadata)
        try fusion.add(second.span, format: burst.format, metadata: long)
        let result = try fusion.finish()
        #expect(result.mosaic.codes == first.map { $0 << 4 })
    }

    @Test func framesOfAnotherSceneAreRejected() throws {
        let burst = SyntheticBurst(384, 256)
        var other = burst
        other.scene = { x, y in 0.5 + 0.4 * (Int(x / 11) + Int(y / 7) & 1 == 0 ? 1 : -1) }
        var dark = burst
        dark.scene = { _, _ in 0 }
        let frames = [burst.frame(seed: 1), other.frame(seed: 2), dark.frame(seed: 3), burst.frame(seed: 4)]
        let result = try fuse(burst, frames)
        #expect(result.report.frames.map { $0.rejection == nil } == [true, false, false, true])
        #expect(result.mosaic.metadata.fusedFrames == 2)
        #expect(result.report.effectiveFrames > 1.8 && result.report.effectiveFrames <= 2)
    }

    @Test func absurdExposuresAreRejected() throws {
        let burst = SyntheticBurst(64, 64)
        var other = burst.metadata
        other.exposureTime = 1e9
        let frame = burst.frame()
        let fusion = BurstFusion(FusionOptions(reference: 0))
        try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        try fusion.add(frame.span, format: burst.format, metadata: other)
        let result = try fusion.finish()
        #expect(result.report.frames[1].rejection != nil)
        #expect(result.mosaic.codes == frame.map { $0 << 4 })
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (3, 2), (5, 7), (17, 3), (35, 36), (37, 37), (129, 131)])
    func anySizeWorks(_ width: Int, _ height: Int) throws {
        let burst = SyntheticBurst(width, height)
        let result = try fuse(burst, still(burst, 3))
        #expect(result.mosaic.codes.count == width * height)
        #expect(result.report.frames.count == 3)
        let canFuse = width >= 2 && height >= 2
        #expect(result.mosaic.metadata.fusedFrames == (canFuse ? 3 : 1))
        #expect((result.report.effectiveFrames > 1.5) == canFuse)
    }

    @Test func theNumberOfCoresMakesNoDifference() throws {
        let burst = SyntheticBurst(333, 301)
        let frames = (0..<4).map { (index: Int) -> [UInt16] in
            burst.frame(right: 1.3 * Double(index), down: 0.4 * Double(index), seed: UInt64(index + 1))
        }
        let (one, all) = (try fuse(burst, frames, cores: 1), try fuse(burst, frames))
        #expect(one.mosaic.codes == all.mosaic.codes)
        #expect(one.report.frames == all.report.frames)
        #expect(one.report.effectiveFrames == all.report.effectiveFrames)
    }

    @Test(arguments: [
        [], [NoiseProfile(shot: .nan, read: 1)], [NoiseProfile(shot: 0, read: 0)], [NoiseProfile(shot: -1, read: 1e-5)],
        [NoiseProfile(shot: .infinity, read: 0)], [NoiseProfile(shot: 1e300, read: 1e300)],
    ])
    func invalidNoiseProfiles(_ noise: [NoiseProfile]) throws {
        var burst = SyntheticBurst(128, 96)
        let frames = still(burst, 3)
        burst.metadata.noise = noise
        let result = try fuse(burst, frames)
        #expect(result.report.effectiveFrames >= 1 && result.report.effectiveFrames <= 3)
        #expect(result.mosaic.codes.contains { $0 > 5000 })
    }

    /// The sharpest frame is chosen correctly for lines so sparse that sampling only some rows finds them in one frame
    /// but not in another.
    @Test func sharpnessDoesNotDependOnLinePositions() throws {
        var burst = SyntheticBurst(192, 160)
        burst.scene = { x, y in
            abs(y - 16 * (y / 16).rounded()) < 1 ? 0.8 : 0.2 + 0.1 * SyntheticBurst.hills(x, y)
        }
        for down in [2.0, 4, 6, 8] {
            let frames = [0, down, -down].enumerated().map { burst.frame(down: $1, seed: UInt64($0 + 1)) }
            #expect(try reference(burst, frames) == 0)
        }
    }

    /// The fault: in a soft scene in little light, where most gradients are noise, a frame was taken for sharper whose
    /// noise happened to be larger.
    @Test func noiseIsNotTakenForSharpness() throws {
        for round in 0..<12 {
            var burst = SyntheticBurst(256, 192)
            burst.metadata.noise = Array(repeating: NoiseProfile(shot: 4e-3, read: 1e-4), count: 3)
            burst.scene = { x, y in 0.2 + 0.15 * SyntheticBurst.hills(x / 9 + 100 * Double(round), y / 9) }
            let frames = (0..<3).map { burst.frame(right: Double($0), seed: UInt64(3 * round + $0 + 1)) }
            #expect(try reference(burst, frames) == 0, "round \(round)")
        }
    }

    /// A first frame that the hand has blurred is not the reference, at little noise and at much.
    @Test(arguments: [1e-4, 1e-3, 4e-3]) func aSharperFrameIsTheReference(shot: Double) throws {
        var blurred = SyntheticBurst(384, 256)
        blurred.metadata.noise = Array(repeating: NoiseProfile(shot: shot, read: shot / 40), count: 3)
        let sharp = blurred
        blurred.scene = { x, y in (-4...4).reduce(0) { $0 + SyntheticBurst.hills(x + Double($1), y) / 9 } }
        let frames = [blurred.frame(seed: 1), sharp.frame(seed: 2), blurred.frame(seed: 3)]
        #expect(try reference(sharp, frames) == 1)
    }

    private func reference(_ burst: SyntheticBurst, _ frames: [[UInt16]]) throws -> Int {
        let fusion = BurstFusion()
        for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
        return try fusion.finish().report.reference
    }
}
