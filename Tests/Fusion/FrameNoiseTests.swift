import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests of bursts whose frames do not state their noise, or state it wrong.
@Suite(.timeLimit(.minutes(10))) struct FrameNoiseTests {
    /// Fuses four shifted frames of a burst whose metadata states a noise profile.
    private func fuse(
        _ burst: SyntheticBurst, stating noise: [NoiseProfile]
    ) throws -> (mosaic: Mosaic, report: FusionReport) {
        var metadata = burst.metadata
        metadata.noise = noise
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for index in 0..<6 {
            let frame = burst.frame(
                right: 1.3 * Double(index), down: -0.6 * Double(index), seed: UInt64(index + 1))
            try fusion.add(frame.span, format: burst.format, metadata: metadata)
        }
        return try fusion.finish()
    }

    private static func burst(_ shot: Double, pattern: BayerPattern = .rggb) -> SyntheticBurst {
        var burst = SyntheticBurst(512, 384, pattern: pattern)
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: shot, read: 6 * shot * shot), count: 3)
        return burst
    }

    /// Returns the ratio of the estimated variance to the true one at dark, middle and bright signals.
    private func ratios(_ estimated: [NoiseProfile], _ truth: NoiseProfile) -> [Double] {
        estimated.flatMap { profile in [0.15, 0.3, 0.6].map { profile.variance(at: $0) / truth.variance(at: $0) } }
    }

    @Test(arguments: [1e-3, 8e-3], BayerPattern.allCases)
    func hiddenNoiseIsEstimated(_ shot: Double, _ pattern: BayerPattern) throws {
        let burst = Self.burst(shot, pattern: pattern)
        let known = try fuse(burst, stating: burst.metadata.noise)
        let hidden = try fuse(burst, stating: [])
        #expect(known.report.noiseSource == .stated && known.report.noiseWarning == nil)
        #expect(!known.mosaic.metadata.isNoiseEstimated)
        #expect(hidden.report.noiseSource == .estimated && hidden.report.noiseWarning == nil)
        #expect(hidden.mosaic.metadata.isNoiseEstimated)
        let (expected, found) = (burst.errors(of: known.mosaic).deviation, burst.errors(of: hidden.mosaic).deviation)
        // 0.3 dB.
        #expect(found < 1.035 * expected, "\(found) against \(expected) codes")
        let frames = hidden.report.effectiveFrames
        let estimated = hidden.mosaic.metadata.noise.map { $0.averaged(over: 1 / frames) }
        #expect(estimated.count == 3)
        for ratio in ratios(estimated, burst.metadata.noise[0]) { #expect((0.75...1.3).contains(ratio)) }
    }

    /// Noise that neighbouring pixels share, as after noise reduction in a camera, looks like little noise in a single
    /// frame. The differences of frames show that the profile is right.
    @Test func aRightProfileIsNotReplacedByThatOfASingleFrame() throws {
        let burst = Self.burst(8e-3)
        let (width, height) = (burst.format.width, burst.format.height)
        let fusion = BurstFusion(FusionOptions(reference: 0))
        var metadata = burst.metadata
        metadata.noise = metadata.noise.map { NoiseProfile(shot: $0.shot / 9, read: $0.read / 9) }
        for index in 0..<6 {
            let frame = burst.frame(right: 1.3 * Double(index), down: -0.6 * Double(index), seed: UInt64(index + 1))
            var smooth = frame
            for row in 2..<height - 2 {
                for column in 2..<width - 2 {
                    var sum = 4
                    for near in [row - 2, row, row + 2] {
                        for beside in [column - 2, column, column + 2] { sum += Int(frame[near * width + beside]) }
                    }
                    smooth[row * width + column] = UInt16(sum / 9)
                }
            }
            try fusion.add(smooth.span, format: burst.format, metadata: metadata)
        }
        let (mosaic, report) = try fusion.finish()
        #expect(report.noiseSource == .stated, "\(report.statedNoiseRatio ?? 0)")
        #expect(!mosaic.metadata.isNoiseEstimated)
        let frames = report.effectiveFrames
        for (fused, stated) in zip(mosaic.metadata.noise, metadata.noise) {
            #expect(abs(fused.shot * frames / stated.shot - 1) < 1e-6)
        }
    }

    /// One frame's wrong profile does not leave that frame out as blurred, nor change its weight.
    @Test(arguments: [1.0 / 50, 50]) func theWrongProfileOfOneFrameIsReplaced(_ factor: Double) throws {
        let burst = Self.burst(2e-3)
        func fused(_ factor: Double) throws -> (mosaic: Mosaic, report: FusionReport) {
            let fusion = BurstFusion(FusionOptions(reference: 0))
            for index in 0..<4 {
                let frame = burst.frame(right: 1.3 * Double(index), down: -0.6 * Double(index), seed: UInt64(index + 1))
                var metadata = burst.metadata
                metadata.iso = 800
                if index == 2 { metadata.noise = metadata.noise.map { $0.amplified(by: factor) } }
                try fusion.add(frame.span, format: burst.format, metadata: metadata)
            }
            return try fusion.finish()
        }
        let (one, other) = (try fused(1), try fused(factor))
        #expect(other.report.usedFrames == 4)
        #expect(other.report.frames.map { $0.hasReplacedNoise == true } == [false, false, true, false])
        #expect(one.mosaic.codes == other.mosaic.codes)
    }

    /// Frames of one burst may have different row strides.
    @Test func theRowStrideChangesNothing() throws {
        let burst = Self.burst(2e-3)
        func codes(padded: Int?) throws -> [UInt16] {
            let fusion = BurstFusion(FusionOptions(reference: 0))
            for index in 0..<4 {
                let frame = burst.frame(right: 2.3 * Double(index), down: -1.6 * Double(index), seed: UInt64(index + 1))
                var format = burst.format
                var rows = frame
                if index == padded {
                    format = MosaicFormat(
                        width: format.width, height: format.height, pattern: format.pattern, bitDepth: format.bitDepth,
                        stride: format.width + 24)
                    rows = (0..<format.height).flatMap { row in
                        frame[row * format.width..<(row + 1) * format.width] + [UInt16](repeating: 60_000, count: 24)
                    }
                }
                try fusion.add(rows.span, format: format, metadata: burst.metadata)
            }
            let (mosaic, report) = try fusion.finish()
            #expect(report.usedFrames == 4)
            return mosaic.codes
        }
        let plain = try codes(padded: nil)
        for padded in 0..<3 { #expect(try codes(padded: padded) == plain) }
    }

    @Test(arguments: [1.0 / 8, 8]) func aWrongProfileIsReportedAndReplaced(_ factor: Double) throws {
        let burst = Self.burst(2e-3)
        let known = try fuse(burst, stating: burst.metadata.noise)
        let wrong = burst.metadata.noise.map { NoiseProfile(shot: $0.shot * factor, read: $0.read * factor) }
        let result = try fuse(burst, stating: wrong)
        #expect(result.report.noiseSource == .corrected)
        let ratio = try #require(result.report.statedNoiseRatio)
        #expect((0.75...1.3).contains(ratio * factor))
        let warning = try #require(result.report.noiseWarning)
        #expect(warning.contains(factor > 1 ? "less noise" : "more noise"))
        let (expected, found) = (burst.errors(of: known.mosaic).deviation, burst.errors(of: result.mosaic).deviation)
        #expect(found < 1.035 * expected, "\(found) against \(expected) codes")
    }

    /// In a smooth scene the noise is most of what a frame shows. With too little noise stated, it counted as detail of
    /// the reference, beside which later frames looked blurred; three or one of eight frames were merged.
    @Test(arguments: [1.0 / 20, 1.0 / 8, 1.0 / 3, 8]) func smoothScenesNeedNoRightProfile(_ factor: Double) throws {
        var burst = Self.burst(8e-3)
        burst.scene = { x, y in 0.1 + 0.0002 * x + 0.0003 * y + (x > 250 && y > 190 ? 0.15 : 0) }
        let known = try fuse(burst, stating: burst.metadata.noise)
        let wrong = burst.metadata.noise.map { NoiseProfile(shot: $0.shot * factor, read: $0.read * factor) }
        let result = try fuse(burst, stating: wrong)
        #expect(result.report.usedFrames == 6, "\(result.report.frames.compactMap(\.rejection))")
        #expect(result.report.noiseSource == .corrected && result.report.repairedPixels == 0)
        let (expected, found) = (burst.errors(of: known.mosaic).deviation, burst.errors(of: result.mosaic).deviation)
        #expect(found < 1.035 * expected, "\(found) against \(expected) codes")
    }

    /// No sensor is free of noise: a profile of zeros states none.
    @Test func aProfileOfZerosIsNone() throws {
        let burst = Self.burst(2e-3)
        let zeros = try fuse(burst, stating: Array(repeating: NoiseProfile(shot: 0, read: 0), count: 3))
        #expect(zeros.report.noiseSource == .estimated)
        #expect(zeros.mosaic.codes == (try fuse(burst, stating: [])).mosaic.codes)
    }

    /// A profile that is off by less than a factor of two, as those of real cameras are, is believed.
    @Test(arguments: [0.65, 1.5]) func aRoughProfileIsBelieved(_ factor: Double) throws {
        let burst = Self.burst(2e-3)
        let rough = burst.metadata.noise.map { NoiseProfile(shot: $0.shot * factor, read: $0.read * factor) }
        let result = try fuse(burst, stating: rough)
        #expect(result.report.noiseSource == .stated && result.report.noiseWarning == nil)
        #expect(result.mosaic.metadata.noise[0].shot < rough[0].shot)
    }

    @Test func theNoiseOfASingleFrameIsEstimated() throws {
        let burst = Self.burst(4e-3)
        var metadata = burst.metadata
        metadata.noise = []
        let alone = try BurstFusion.fuse(alone: burst.frame(seed: 5).span, format: burst.format, metadata: metadata)
        #expect(alone.report.noiseSource == .estimated && alone.mosaic.metadata.isNoiseEstimated)
        for ratio in ratios(alone.mosaic.metadata.noise, burst.metadata.noise[0]) {
            #expect((0.7...1.4).contains(ratio))
        }
    }

    /// The profile of an earlier estimate, such as that of a pipeline from its live frames, is no reason to warn.
    @Test func anEarlierEstimateIsReplacedSilently() throws {
        let burst = Self.burst(2e-3)
        var metadata = burst.metadata
        metadata.noise = [NoiseProfile(shot: 4e-4, read: 1e-6)]
        metadata.isNoiseEstimated = true
        let alone = try BurstFusion.fuse(alone: burst.frame(seed: 5).span, format: burst.format, metadata: metadata)
        #expect(alone.report.noiseSource == .estimated && alone.report.noiseWarning == nil)
        #expect(alone.mosaic.metadata.noise[0].shot > 1e-3)
    }

    /// Fine texture all over a single frame is not taken for more noise than the camera states; its differences between
    /// frames show that it is none.
    @Test func fineTextureIsNotNoise() throws {
        var burst = Self.burst(5e-4)
        burst.scene = { x, y in
            // The edges of the cells lie between the pixels, so that a little blur changes little.
            let cell = (Int(((x + 0.5) / 2).rounded(.down)) + Int(((y + 0.5) / 2).rounded(.down))) & 1
            return 0.2 + 0.2 * SyntheticBurst.hills(x, y) + (cell == 0 ? 0.1 : 0)
        }
        let alone = try BurstFusion.fuse(
            alone: burst.frame(seed: 5).span, format: burst.format, metadata: burst.metadata)
        #expect(alone.report.noiseSource == .stated && alone.mosaic.metadata.noise == burst.metadata.noise)
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for seed in 1...3 as ClosedRange<UInt64> {
            try fusion.add(burst.frame(seed: seed).span, format: burst.format, metadata: burst.metadata)
        }
        #expect(try fusion.finish().report.noiseSource == .stated)
    }

    // MARK: Blurred frames

    /// Returns a sharp burst, and one whose scene is blurred by a Gaussian of `deviation` pixels.
    private func bursts(_ deviation: Double) -> (sharp: SyntheticBurst, blurred: SyntheticBurst) {
        var burst = Self.burst(5e-4)
        burst.scene = { x, y in
            let cell = (Int((x / 2).rounded(.down)) + Int((y / 2).rounded(.down))) & 1
            return 0.2 + 0.2 * SyntheticBurst.hills(x, y) + (cell == 0 ? 0.1 : 0)
        }
        let sharp = burst
        let scene = burst.scene
        burst.scene = { x, y in
            let steps = stride(from: -2.0, through: 2, by: 0.5).map { $0 }
            var (sum, weight) = (0.0, 0.0)
            for across in steps {
                for down in steps {
                    // A Gaussian bell: a factor of exp2 for each axis.
                    let part = BlurTable.weight(across) * BlurTable.weight(down)
                    sum += part * scene(x + deviation * across, y + deviation * down)
                    weight += part
                }
            }
            return sum / weight
        }
        return (sharp, burst)
    }

    /// Returns the mean weight of a frame whose scene is blurred by a Gaussian of `deviation` pixels, beside sharp
    /// ones.
    private func weightOfBlurred(_ deviation: Double) throws -> Double {
        let (sharp, burst) = bursts(deviation)
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for index in 0..<4 {
            let source = index == 3 ? burst : sharp
            try fusion.add(source.frame(seed: UInt64(index + 1)).span, format: source.format, metadata: source.metadata)
        }
        return try fusion.finish().report.frames[3].mergedShare
    }

    private enum BlurTable {
        static func weight(_ deviations: Double) -> Double {
            let square = deviations * deviations / 2
            return 1 / (1 + square + square * square / 2 + square * square * square / 6)
        }
    }

    /// Super-resolution used frames that merging had left out as blurred, and others in full.
    @Test(arguments: [1.5, 3]) func blurredFramesDoNotBlurThePhoto(_ deviation: Double) throws {
        let (sharp, blurred) = bursts(deviation)
        func error(_ count: Int) throws -> Double {
            var options = FusionOptions(photoIn: .quality)
            options.reference = 0
            let fusion = BurstFusion(options)
            for index in 0..<count {
                let source = index < 4 ? sharp : blurred
                let shift = index == 0 ? 0 : Double(index) * 0.37
                try fusion.add(
                    source.frame(right: shift, down: -shift, seed: UInt64(index + 1)).span, format: source.format,
                    metadata: source.metadata)
            }
            let photo = try fusion.finishLinearPhoto().photo
            var sum = 0.0
            for row in 32..<352 {
                for column in 32..<480 {
                    let value = Double(photo.values[row * photo.format.stride + 4 * column + 1]) / 65_535
                    let difference = value - sharp.scene(Double(column), Double(row))
                    sum += difference * difference
                }
            }
            return sum
        }
        let (alone, all) = (try error(4), try error(8))
        #expect(all < alone * 1.03, "\(all / alone)")
    }

    @Test func blurredFramesWeighLittle() throws {
        #expect(try weightOfBlurred(5) < 0.1)
        #expect(try weightOfBlurred(0) > 0.5)
    }
}
