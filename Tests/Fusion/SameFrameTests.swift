import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests of a frame that occurs twice in a burst or bracket, as equal digests prove.
@Suite(.timeLimit(.minutes(10))) struct SameFrameTests {
    @Test func theSameFrameCountsOnce() throws {
        let burst = SyntheticBurst(128, 96)
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for (seed, digest) in [(1, "a"), (2, "b"), (1, "a"), (3, "c"), (2, "b")] {
            var metadata = burst.metadata
            metadata.sensorDigests = [digest]
            metadata.history.isEdited = digest == "b"
            try fusion.add(burst.frame(seed: UInt64(seed)).span, format: burst.format, metadata: metadata)
        }
        let result = try fusion.finish()
        #expect(result.mosaic.metadata.fusedFrames == 3)
        #expect(result.mosaic.metadata.sensorDigests.sorted() == ["a", "b", "c"])
        #expect(result.mosaic.metadata.history.isEdited)
        let reasons = result.report.frames.map { $0.rejection ?? "" }
        #expect(reasons[2].contains("same frame as frame 0") && reasons[4].contains("same frame as frame 1"))
        #expect(reasons[0].isEmpty && reasons[1].isEmpty && reasons[3].isEmpty)
    }

    @Test func theSameExposureOfABracketCountsOnce() throws {
        var bracket = SyntheticBracket(128, 96)
        bracket.exposeThree()
        bracket.frames.append(bracket.frames[1])
        let result = try bracket.fuse(reference: 0)
        #expect(result.mosaic.metadata.fusedFrames == 3)
        #expect(result.report.frames[3].rejection?.contains("same frame as frame 1") == true)
    }
}
