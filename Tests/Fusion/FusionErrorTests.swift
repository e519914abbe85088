import BurstScenes
import Fusion
import RawImage
import Synchronization
import Testing

@Suite struct FusionErrorTests {
    @Test func framesOfAnotherShape() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame()
        let fusion = BurstFusion(FusionOptions(reference: 0))
        try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        let others = [
            MosaicFormat(width: 32, height: 48, pattern: .rggb, bitDepth: 12),
            MosaicFormat(width: 64, height: 32, pattern: .rggb, bitDepth: 12),
            MosaicFormat(width: 64, height: 48, pattern: .bggr, bitDepth: 12),
            MosaicFormat(width: 64, height: 48, pattern: .rggb, bitDepth: 10),
        ]
        for other in others {
            #expect(
                errorCode {
                    try fusion.add(frame.span, format: other, metadata: burst.metadata)
                } == .differentFormat)
        }
        // The rejected frames do not affect the burst, and a different row stride is accepted.
        let wide = SyntheticBurst(64, 48, stride: 70)
        let next = wide.frame()
        try fusion.add(next.span, format: wide.format, metadata: burst.metadata)
        #expect(try fusion.finish().mosaic.codes == frame.map { $0 << 4 })
    }

    @Test func aFusionMakesOnePhoto() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame()
        let fusion = BurstFusion(FusionOptions(preparesSuperResolution: true))
        for _ in 0..<4 { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
        _ = try fusion.finishLinearPhoto()
        #expect(errorCode { _ = try fusion.finish() } == .badOptions)
        #expect(errorCode { _ = try fusion.finishLinearPhoto() } == .badOptions)
        #expect(
            errorCode { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) } == .badOptions)
    }

    @Test(arguments: [FusionMode.speed, .balanced])
    func withoutStrengthNothingIsMerged(_ mode: FusionMode) throws {
        let burst = SyntheticBurst(64, 48)
        let fusion = BurstFusion(FusionOptions(mode: mode, strength: 0, spatialDenoise: 0, reference: 0))
        for _ in 0..<4 {
            let frame = burst.frame()
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        }
        let report = try fusion.finish().report
        #expect(report.usedFrames == 1 && report.frames.count == 4)
        #expect(report.frames.dropFirst().allSatisfy { $0.rejection?.contains("strength") == true })
    }

    @Test func invalidFrames() {
        let burst = SyntheticBurst(64, 48)
        let short = [UInt16](burst.frame().dropLast())
        #expect(
            errorCode {
                try BurstFusion().add(short.span, format: burst.format, metadata: burst.metadata)
            } == .badFrame)
        let frame = burst.frame()
        for white in [100, burst.metadata.blackLevel[0] + 1e-9, .nan, 1e300] {
            var metadata = burst.metadata
            metadata.whiteLevel = white
            #expect(
                errorCode {
                    try BurstFusion().add(frame.span, format: burst.format, metadata: metadata)
                } == .badFrame)
        }
    }

    @Test(arguments: [
        FusionOptions(reference: .max), FusionOptions(reference: FusionOptions.lastReference + 1),
        FusionOptions(reference: -1), FusionOptions(strength: .nan), FusionOptions(strength: -1),
        FusionOptions(spatialDenoise: .infinity),
    ])
    func invalidOptions(_ options: FusionOptions) {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame()
        #expect(
            errorCode {
                try BurstFusion(options).add(frame.span, format: burst.format, metadata: burst.metadata)
            } == .badOptions)
    }

    /// The 65th frame is rejected, since it would overflow the sums, and the earlier frames are fused.
    @Test func moreFramesThanTheSumsHold() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame()
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for _ in 0..<BurstFusion.mostFrames {
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        }
        #expect(
            errorCode {
                try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
            } == .tooManyFrames)
        #expect(try fusion.finish().mosaic.codes == frame.map { $0 << 4 })
    }

    /// If no other frame can be merged, the report gives the reason and the result is the reference frame.
    @Test(arguments: [("black", UInt16(0)), ("clipped", 4095)])
    func framesThatShowNothing(_ word: String, _ code: UInt16) throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame().map { _ in code }
        let fusion = BurstFusion()
        for _ in 0..<3 { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
        let (mosaic, report) = try fusion.finish()
        #expect(mosaic.codes == frame.map { $0 << 4 })
        #expect(report.usedFrames == 1)
        #expect(report.frames.dropFirst().allSatisfy { $0.rejection?.contains(word) == true })
    }

    @Test func framesThatStateHardlyAnyNoise() throws {
        let burst = SyntheticBurst(64, 48)
        var metadata = burst.metadata
        metadata.noise = metadata.noise.map { _ in NoiseProfile(shot: 1e-9, read: 1e-12) }
        let fusion = BurstFusion(FusionOptions(reference: 0))
        let frames = (0..<4).map { burst.frame(seed: UInt64($0 + 1)) }
        for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: metadata) }
        let (mosaic, report) = try fusion.finish()
        let difference = zip(mosaic.codes, frames[0]).map { abs(Int($0) - Int($1) << 4) }.max() ?? 0
        #expect(difference <= 1)
        #expect(report.usedFrames == 1)
        #expect(report.frames.dropFirst().allSatisfy { $0.rejection?.contains("NoiseProfile") == true })
    }

    @Test func cancelling() throws {
        let isCancelled = Atomic(false)
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame()
        try withExtendedLifetime(isCancelled) {
            let fusion = BurstFusion(FusionOptions(reference: 0)) { isCancelled.load(ordering: .relaxed) }
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
            isCancelled.store(true, ordering: .relaxed)
            #expect(
                errorCode {
                    try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
                } == .cancelled)
            // Frames were merged in part, so the sums are incomplete and the fusion stays cancelled.
            isCancelled.store(false, ordering: .relaxed)
            #expect(errorCode { _ = try fusion.finish() } == .cancelled)
        }
    }

    /// Cancels at each poll of `isCancelled` in turn, during alignment, merge and the final step. The work ends at that
    /// poll. A taller picture is polled more often in every stage, so the time between polls does not grow with it.
    @Test func cancellingWithinAStep() throws {
        let complete = polls(height: 192)
        #expect(complete.code == nil)
        for last in 1...complete.count {
            let cancelled = polls(height: 192, cancellingAt: last)
            #expect(cancelled.count == last && cancelled.code == .cancelled, "poll \(last) of \(complete.count)")
        }
        // The taller picture has two alignments, two merges and a final step, too, in each of which at least three
        // bands of rows more are polled.
        #expect(polls(height: 192 + 1024).count - complete.count >= 5 * 3)
    }

    /// Fuses three frames on one core. Returns how often `isCancelled` was polled, and the error.
    private func polls(height: Int, cancellingAt last: Int = .max) -> (count: Int, code: FusionError.Code?) {
        let burst = SyntheticBurst(64, height)
        let polls = Atomic(0)
        return withExtendedLifetime(polls) {
            let fusion = BurstFusion(FusionOptions(reference: 0), cores: 1) {
                polls.add(1, ordering: .relaxed).newValue >= last
            }
            let code = errorCode {
                for seed in 1...3 as ClosedRange<UInt64> {
                    try fusion.add(burst.frame(seed: seed).span, format: burst.format, metadata: burst.metadata)
                }
                _ = try fusion.finish()
            }
            return (polls.load(ordering: .relaxed), code)
        }
    }
}
