import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests of the memory that one fusion after another uses.
@Suite(.timeLimit(.minutes(10))) struct FusionMemoryTests {
    private func fuse(_ burst: SyntheticBurst, in memory: FusionMemory) throws -> [UInt16] {
        let fusion = BurstFusion(FusionOptions(reference: 0), memory: memory) { false }
        for seed in 1...4 {
            try fusion.add(burst.frame(seed: UInt64(seed)).span, format: burst.format, metadata: burst.metadata)
        }
        return try fusion.finish().mosaic.codes
    }

    /// What the last burst left in the memory does not change the next one.
    @Test func burstsThatShareMemoryAreFusedAlike() throws {
        let memory = FusionMemory()
        let (first, second) = (SyntheticBurst(256, 192), SyntheticBurst(192, 128))
        let expected = try fuse(first, in: FusionMemory())
        #expect(try fuse(first, in: memory) == expected)
        _ = try fuse(second, in: memory)
        #expect(try fuse(first, in: memory) == expected)
        memory.freeIdle()
        #expect(try fuse(first, in: memory) == expected)
    }
}
