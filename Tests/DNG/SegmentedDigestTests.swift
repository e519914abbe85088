import PhotoMetadata
import Testing

@Suite(.timeLimit(.minutes(10))) struct SegmentedDigestTests {
    /// The digest is defined as the MD5 of eight segments' MD5 digests and of the bytes after them.
    @Test(arguments: [0, 1, 63, 511, 512, 513, 1023, 1024, 4096, 16_383, 16_384, 16_385, 20_000, 40_001])
    func segmentsAreDigestedAsMD5(_ count: Int) {
        let bytes = bytes(count)
        let length = count / 512 * 64
        let segments = length == 0 ? [] : (0..<8).flatMap { MD5.digest(Array(bytes[$0 * length..<($0 + 1) * length])) }
        #expect(SegmentedDigest.digest(bytes) == MD5.digest(segments + bytes[(8 * length)...]))
    }

    /// Two messages of different lengths, digested together, have the digests that they have alone.
    @Test(arguments: [0, 511, 512, 4096, 16_385, 40_001], [0, 511, 1023, 4096, 16_384, 50_000])
    func twoMessagesHaveTheirOwnDigests(_ count: Int, _ other: Int) {
        let (first, second) = (bytes(count), bytes(other).reversed() + [])
        let digests = SegmentedDigest.digests(first, second)
        #expect(digests.first == SegmentedDigest.digest(first))
        #expect(digests.second == SegmentedDigest.digest(second))
    }

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
    }
}
