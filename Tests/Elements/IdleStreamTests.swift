import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// What a stream of which no photo is taken costs: the work on its frames.
@Suite(.timeLimit(.minutes(10))) struct IdleStreamTests {
    private static let caps = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=10/1"

    init() throws { try GscapPlugin.register() }

    /// The fault: each 32nd frame of 12 megapixels was measured, 4 % of a core at 10 frames per second.
    @Test func ofALongStreamFewFramesAreMeasured() {
        let learner = NoiseLearner()
        let format = MosaicFormat(width: 64, height: 48, pattern: .rggb, bitDepth: 12)
        let metadata = FrameMetadata(bitDepth: 12)
        let codes = [UInt16](repeating: 1000, count: format.codeCount)
        var (measured, gaps, last) = (0, [Int](), 0)
        for frame in 0..<5000 {
            learner.learn(codes.span, format, metadata)
            guard learner.measuredFrames > measured else { continue }
            measured = learner.measuredFrames
            gaps.append(frame - last)
            last = frame
        }
        #expect(gaps.prefix(4) == [0, 2, 4, 8])
        #expect(measured < 30 && gaps.max() == NoiseLearner.mostApart, "\(gaps)")
    }

    /// A camera whose gain changes is learned again from the next frame on.
    @Test func anotherGainIsMeasuredAtOnce() {
        let learner = NoiseLearner()
        let format = MosaicFormat(width: 64, height: 48, pattern: .rggb, bitDepth: 12)
        var metadata = FrameMetadata(bitDepth: 12)
        let codes = [UInt16](repeating: 1000, count: format.codeCount)
        for iso in [100.0, 800] {
            metadata.iso = iso
            for _ in 0..<100 { learner.learn(codes.span, format, metadata) }
        }
        #expect(learner.measuredFrames == 2 * [0, 2, 6, 14, 30, 62].count)
    }

    /// Returns what `rawunpack` makes of a frame, and whether the two have the same memory.
    private func unpacked(_ codes: [UInt16]) throws -> (codes: [UInt16], isShared: Bool) {
        let harness = try Harness(factory: "rawunpack")
        harness.send(caps: Self.caps)
        harness.play()
        let input = try Buffer(copying: codes.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        let address = Self.address(input)
        harness.push(input)
        guard let output = harness.waitAndPull() else { throw GStreamerError(message: "no frame came out") }
        let hasMetadata = output.hasFrameMetadata
        #expect(hasMetadata)
        let values = output.withValues(of: UInt16.self) { codes in codes.indices.map { codes[$0] } }
        return (values, Self.address(output) == address)
    }

    private static func address(_ buffer: borrowing Buffer) -> UInt {
        buffer.withBytes { bytes in unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
    }

    /// The fault: a camera's frames without metadata were copied, 25 MB each at 12 megapixels.
    @Test func canonicalFramesWithoutMetadataAreNotCopied() throws {
        let codes = (0..<64 * 48).map { UInt16($0 % 4096) }
        let (output, isShared) = try unpacked(codes)
        #expect(output == codes)
        #expect(isShared)
    }

    @Test func codesOfMoreBitsThanTheCapsStateAreStillClipped() throws {
        var codes = (0..<64 * 48).map { UInt16($0 % 4096) }
        codes[1234] = 4096
        let (output, isShared) = try unpacked(codes)
        #expect(output[1234] == 4095 && output[1235] == codes[1235])
        #expect(!isShared)
    }
}
