import BurstScenes
import Fusion
import RawImage
import Synchronization
import Testing

/// Tests of brackets in which some or all frames cannot be merged.
@Suite struct BracketFailureTests {
    @Test func oneFrameIsThatFrame() throws {
        var bracket = SyntheticBracket(64, 48)
        bracket.expose(0)
        let result = try bracket.fuse()
        let (signals, frameErrors) = (bracket.signals(result), bracket.signals(ofFrame: 0))
        #expect(zip(signals, frameErrors).allSatisfy { abs($0 - $1) < 1e-4 || $1 > 0.95 })
        #expect(result.report.headroom == 0 && result.report.effectiveFrames == 1)
        #expect(result.mosaic.metadata.fusedFrames == 1)
    }

    /// Frames of another scene, black ones and clipped ones are rejected, and the result equals the fusion of the other
    /// frames.
    @Test func uselessFramesAreRejected() throws {
        var bracket = SyntheticBracket(384, 256)
        bracket.exposeThree()
        bracket.expose(-1, seed: 4) { x, y in 0.5 + 0.4 * (Int(x / 11) + Int(y / 7) & 1 == 0 ? 1 : -1) }
        bracket.expose(1, seed: 5) { _, _ in 50 }
        bracket.expose(1, seed: 6) { _, _ in 0 }
        let result = try bracket.fuse(reference: 0)
        let rejected = result.report.frames.map { $0.rejection != nil }
        #expect(rejected == [false, false, false, true, true, true], "\(result.report.frames)")
        #expect(result.mosaic.metadata.sensorDigests == ["0.0", "-2.0", "2.0"])
        let (fusedErrors, frameErrors) = (
            bracket.errors(bracket.signals(result)) { $2 < 0.9 },
            bracket.errors(bracket.signals(ofFrame: 0)) { $2 < 0.9 }
        )
        #expect(fusedErrors.deviation < frameErrors.deviation)
    }

    @Test(arguments: [0.0, 100.0])
    func nothingButBlackOrWhite(_ light: Double) throws {
        var bracket = SyntheticBracket(96, 64)
        bracket.burst.scene = { _, _ in light }
        bracket.exposeThree()
        let signals = bracket.signals(try bracket.fuse())
        #expect(signals.allSatisfy { light == 0 ? abs($0) < 0.01 : $0 > 0.9 })
    }

    @Test(arguments: [
        [], [NoiseProfile(shot: .nan, read: 1)], [NoiseProfile(shot: 0, read: 0)], [NoiseProfile(shot: -1, read: 1e-5)],
        [NoiseProfile(shot: .infinity, read: 0)], [NoiseProfile(shot: 1e300, read: 1e300)],
    ])
    func invalidNoiseProfiles(_ noise: [NoiseProfile]) throws {
        var bracket = SyntheticBracket(128, 96)
        bracket.exposeThree()
        for index in 0..<3 { bracket.frames[index].metadata.noise = noise }
        let result = try bracket.fuse()
        #expect(result.report.effectiveFrames >= 1)
        #expect(result.mosaic.metadata.noise.count == noise.count)
        let bright = bracket.errors(bracket.signals(result)) { $2 > 1.2 && $2 < 3.8 }
        #expect(bright.deviation < 0.1, "\(bright)")
    }

    @Test func absurdExposuresAreRejected() throws {
        for exposure in [1e9, 1e-12, .infinity] {
            var bracket = SyntheticBracket(64, 64)
            bracket.expose(0, seed: 1)
            bracket.expose(0, seed: 2)
            bracket.frames[1].metadata.exposureTime = exposure
            bracket.frames[1].metadata.sensorDigests = ["another frame"]
            let report = try bracket.fuse(reference: 0).report
            #expect((report.frames[1].rejection != nil) == exposure.isFinite)
        }
    }

    /// A frame is rejected whose black and white levels are so far apart that the gain between codes is acceptable
    /// although the exposure ratio is not.
    @Test func absurdExposuresOnAnotherScaleAreRejected() throws {
        var bracket = SyntheticBracket(64, 64)
        bracket.expose(0, seed: 1)
        bracket.expose(0, seed: 2)
        bracket.frames[0].metadata.whiteLevel = bracket.frames[0].metadata.blackLevel[0] + 16
        bracket.frames[1].metadata.whiteLevel = 100_000
        bracket.frames[1].metadata.exposureTime /= 1e7
        bracket.frames[1].metadata.noise = [NoiseProfile(shot: 1, read: 1)]
        #expect(try bracket.fuse(reference: 0).report.frames[1].rejection != nil)
    }

    @Test func framesOfDifferentFormats() throws {
        let bracket = SyntheticBurst(64, 48)
        let frame = bracket.frame()
        let fusion = BracketFusion()
        #expect(errorCode { _ = try fusion.finish() } == .empty)
        try fusion.add(frame.span, format: bracket.format, metadata: bracket.metadata)
        let others = [
            MosaicFormat(width: 32, height: 48, pattern: .rggb, bitDepth: 12),
            MosaicFormat(width: 64, height: 48, pattern: .bggr, bitDepth: 12),
            MosaicFormat(width: 64, height: 48, pattern: .rggb, bitDepth: 10),
        ]
        for other in others {
            #expect(
                errorCode { try fusion.add(frame.span, format: other, metadata: bracket.metadata) } == .differentFormat)
        }
        let short = [UInt16](frame.dropLast())
        #expect(
            errorCode { try fusion.add(short.span, format: bracket.format, metadata: bracket.metadata) } == .badFrame)
        for white in [100, bracket.metadata.blackLevel[0] + 1e-9, .nan, 1e300] {
            var metadata = bracket.metadata
            metadata.whiteLevel = white
            #expect(errorCode { try fusion.add(frame.span, format: bracket.format, metadata: metadata) } == .badFrame)
        }
        for _ in 1..<BracketFusion.mostFrames {
            try fusion.add(frame.span, format: bracket.format, metadata: bracket.metadata)
        }
        #expect(
            errorCode {
                try fusion.add(frame.span, format: bracket.format, metadata: bracket.metadata)
            } == .tooManyFrames)
        #expect(try fusion.finish().report.frames.count == BracketFusion.mostFrames)
    }

    @Test func aMissingReference() throws {
        var bracket = SyntheticBracket(64, 48)
        bracket.exposeThree()
        #expect(errorCode { _ = try bracket.fuse(reference: 3) } == .badOptions)
        #expect(errorCode { _ = try bracket.fuse(reference: -1) } == .badOptions)
    }

    @Test func cancelling() throws {
        var bracket = SyntheticBracket(64, 48)
        bracket.exposeThree()
        let isCancelled = Atomic(false)
        try withExtendedLifetime(isCancelled) {
            let fusion = BracketFusion { isCancelled.load(ordering: .relaxed) }
            let (codes, metadata) = bracket.frames[0]
            try fusion.add(codes.span, format: bracket.burst.format, metadata: metadata)
            isCancelled.store(true, ordering: .relaxed)
            #expect(
                errorCode {
                    try fusion.add(codes.span, format: bracket.burst.format, metadata: metadata)
                } == .cancelled)
            isCancelled.store(false, ordering: .relaxed)
            #expect(errorCode { _ = try fusion.finish() } == .cancelled)
        }
    }
}
