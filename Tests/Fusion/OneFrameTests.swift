import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests of bursts of one frame: the photo is the frame with its defective pixels repaired.
@Suite struct OneFrameTests {
    private func fuse(
        _ burst: SyntheticBurst, _ frame: [UInt16], _ options: FusionOptions = FusionOptions(), cores: Int? = nil
    ) throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        let fusion = BurstFusion(options, cores: cores)
        try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        return try fusion.finish()
    }

    @Test(
        arguments: [(1, 1), (2, 2), (3, 2), (5, 7), (17, 3), (129, 131), (64, 200)], [8, 10, 12, 14, 16])
    func theCodesAreThoseOfTheFrame(_ size: (width: Int, height: Int), _ depth: Int) throws {
        let (width, height) = size
        for stride in [width, width + 6] {
            let burst = SyntheticBurst(width, height, bitDepth: depth, stride: stride)
            let frame = burst.frame(seed: 7)
            let result = try fuse(burst, frame)
            let shift = UInt16(16 - depth)
            let expected = (0..<height).flatMap { row in
                frame[row * stride..<row * stride + width].map { $0 << shift }
            }
            #expect(result.mosaic.codes == expected)
            #expect(result.mosaic.format.stride == width && result.mosaic.format.bitDepth == 16)
            #expect(result.report.usedFrames == 1 && result.report.effectiveFrames == 1)
            #expect(try fuse(burst, frame, cores: 1).mosaic.codes == expected)
        }
    }

    @Test func aHotPixelIsRepaired() throws {
        var burst = SyntheticBurst(96, 80)
        burst.scene = { _, _ in 0.2 }
        var frame = burst.frame()
        let hot = 31 * 96 + 40
        let expected = frame.map { $0 << 4 }
        frame[hot] = 3000
        let result = try fuse(burst, frame)
        #expect(result.report.repairedPixels == 1)
        #expect(result.mosaic.codes == expected)
    }

    /// The measured noise reduction of an unmerged frame is 0 dB, and unknown where too few areas are flat.
    @Test func nothingIsGained() throws {
        var large = SyntheticBurst(512, 384)
        large.scene = { x, _ in 0.2 + 0.0005 * x }
        #expect(try fuse(large, large.frame(seed: 1)).report.measuredNoiseGain == 0)
        let small = SyntheticBurst(32, 32)
        #expect(try fuse(small, small.frame(seed: 1)).report.measuredNoiseGain == nil)
        var black = large
        black.scene = { _, _ in 0 }
        #expect(try fuse(black, black.frame()).report.measuredNoiseGain == nil)
    }

    /// A burst whose other frames are all rejected gives the same photo as its reference alone.
    @Test(arguments: [(101, 77), (320, 256)])
    func rejectedFramesChangeNothing(_ width: Int, _ height: Int) throws {
        let burst = SyntheticBurst(width, height)
        let frame = burst.frame(seed: 3)
        let options = FusionOptions(reference: 0)
        var other = burst.metadata
        other.exposureTime = 1e9
        let fusion = BurstFusion(options)
        try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        for _ in 0..<3 { try fusion.add(frame.span, format: burst.format, metadata: other) }
        let (all, one) = (try fusion.finish(), try fuse(burst, frame, options))
        #expect(all.report.usedFrames == 1)
        #expect(all.mosaic.codes == one.mosaic.codes)
        #expect(all.mosaic.metadata.noise == one.mosaic.metadata.noise)
        #expect(all.report.measuredNoiseGain == one.report.measuredNoiseGain)
        #expect(all.report.repairedPixels == one.report.repairedPixels)
    }
}
