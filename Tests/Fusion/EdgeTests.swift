import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests of the edges of a burst, where tiles and blocks extend beyond the frames.
@Suite(.timeLimit(.minutes(10))) struct EdgeTests {
    private func fuse(
        _ burst: SyntheticBurst, _ frames: [[UInt16]]
    ) throws(FusionError) -> (mosaic: Mosaic, report: FusionReport) {
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
        return try fusion.finish()
    }

    /// Returns four noisy frames, each shifted against the one before.
    private func frames(_ burst: SyntheticBurst, right: Double = 0, down: Double = 0) -> [[UInt16]] {
        (0..<4).map { (index: Int) -> [UInt16] in
            burst.frame(right: right * Double(index), down: down * Double(index), seed: UInt64(index + 1))
        }
    }

    /// The rows and columns of the four edges, 8 pixels wide, and of the four corners.
    private static func borders(_ width: Int, _ height: Int) -> [(Range<Int>, Range<Int>)] {
        let (rows, columns) = (0..<height, 0..<width)
        let edges: [(Range<Int>, Range<Int>)] = [
            (0..<8, columns), (height - 8..<height, columns), (rows, 0..<8), (rows, width - 8..<width),
        ]
        let corners: [(Range<Int>, Range<Int>)] = [
            (0..<16, 0..<16), (0..<16, width - 16..<width), (height - 16..<height, 0..<16),
            (height - 16..<height, width - 16..<width),
        ]
        return edges + corners
    }

    /// Sizes with every remainder by 16, the distance of tiles in mosaic pixels. A tile that moved would change the
    /// codes.
    @Test(arguments: 0..<16) func aFrameEqualToTheReferenceDoesNotMove(_ remainder: Int) throws {
        let burst = SyntheticBurst(80 + remainder, 95 - remainder)
        let frame = burst.frame(seed: 5)
        let result = try fuse(burst, [frame, frame, frame])
        #expect(result.mosaic.codes == frame.map { $0 << 4 })
        #expect(result.report.frames.allSatisfy { $0.motion == .zero && $0.mergedShare > 0.999 })
        #expect(result.report.effectiveFramesMap.values.allSatisfy { $0 > 2.99 })
    }

    /// Edges and corners lose noise nearly as the same pixels of a larger burst do, in hills and on a gradient.
    @Test(arguments: [(203, 171), (210, 150)]) func edgesLoseNoise(_ width: Int, _ height: Int) throws {
        let margin = 64
        let scenes: [(Double, Double) -> Double] = [SyntheticBurst.hills, { x, y in 0.1 + 0.0008 * x + 0.0005 * y }]
        for scene in scenes {
            var burst = SyntheticBurst(width, height)
            burst.scene = scene
            var larger = SyntheticBurst(width + 2 * margin, height + 2 * margin)
            larger.scene = { x, y in scene(x - Double(margin), y - Double(margin)) }
            let wholes = frames(larger)
            let parts: [[UInt16]] = wholes.map { frame in
                (0..<height).flatMap { row -> ArraySlice<UInt16> in
                    let start = (row + margin) * larger.format.stride + margin
                    return frame[start..<start + width]
                }
            }
            let (fused, first) = (try fuse(burst, parts).mosaic, try fuse(burst, [parts[0]]).mosaic)
            let whole = try fuse(larger, wholes).mosaic
            for (rows, columns) in Self.borders(width, height) {
                let error = burst.errors(of: fused, rows: rows, columns: columns).deviation
                let single = burst.errors(of: first, rows: rows, columns: columns).deviation
                let inner = larger.errors(
                    of: whole, rows: rows.lowerBound + margin..<rows.upperBound + margin,
                    columns: columns.lowerBound + margin..<columns.upperBound + margin
                ).deviation
                #expect(error < 0.75 * single, "rows \(rows), columns \(columns): \(error) of \(single)")
                #expect(error < 1.7 * inner, "rows \(rows), columns \(columns): \(error), inside \(inner)")
            }
        }
    }

    /// Pixels at an edge that a shifted frame does not show stay those of the reference.
    @Test(arguments: [(2.3, -1.7), (-3.4, 2.6)])
    func shiftedFramesLeaveNoTraceAtTheEdges(_ right: Double, _ down: Double) throws {
        let (width, height) = (203, 171)
        let burst = SyntheticBurst(width, height)
        let frames = frames(burst, right: right, down: down)
        let (fused, first) = (try fuse(burst, frames).mosaic, try fuse(burst, [frames[0]]).mosaic)
        for (rows, columns) in Self.borders(width, height) {
            let error = burst.errors(of: fused, rows: rows, columns: columns)
            let single = burst.errors(of: first, rows: rows, columns: columns)
            #expect(error.deviation < single.deviation, "rows \(rows), columns \(columns)")
            #expect(abs(error.mean - single.mean) < 0.2 * single.deviation, "rows \(rows), columns \(columns)")
        }
    }

    /// Blocks at the right edge end with the frame: the codes of the row padding do not change the result.
    @Test(arguments: [(203, 171), (97, 84)]) func rowPaddingIsNotUsed(_ width: Int, _ height: Int) throws {
        let burst = SyntheticBurst(width, height, stride: width + 5)
        let plain = frames(burst, right: 2.3, down: -1.7)
        let filled: [[UInt16]] = plain.map { frame in
            frame.indices.map { $0 % burst.format.stride < width ? frame[$0] : 4095 }
        }
        let (one, two) = (try fuse(burst, plain), try fuse(burst, filled))
        #expect(one.mosaic.codes == two.mosaic.codes)
        #expect(one.report.frames == two.report.frames)
    }

    /// Denoising mirrors frames smaller than half a tile several times, without reading beyond them.
    @Test(arguments: [(2000, 2), (2000, 4), (2, 2), (6, 14), (4, 2000), (16, 16), (17, 3)])
    func narrowFramesAreDenoised(_ width: Int, _ height: Int) throws {
        var burst = SyntheticBurst(width, height)
        burst.scene = { _, _ in 0.3 }
        let fusion = BurstFusion(FusionOptions(spatialDenoise: 1, reference: 0))
        for frame in frames(burst) { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
        let result = try fusion.finish()
        #expect(result.report.denoising == 1)
        // The noise of one frame is 68 codes, that of the mean of four is 34. That of a few pixels is not known well.
        let uncertainty = 3 / Double(2 * width * height).squareRoot()
        #expect(burst.errors(of: result.mosaic).deviation < 60 * (1 + uncertainty))
    }

    /// Denoising does not depend on the memory that a fusion reuses, also if the last band of rows is the lowest. The
    /// second fusion finds the memory of the first one, of much brighter frames.
    @Test(arguments: [129, 130, 136, 137]) func denoisingReadsOnlyTheFrames(_ height: Int) throws {
        func denoised(_ memory: FusionMemory, _ signal: Double) throws(FusionError) -> [UInt16] {
            var burst = SyntheticBurst(40, height)
            burst.scene = { _, _ in signal }
            let fusion = BurstFusion(FusionOptions(spatialDenoise: 1, reference: 0), memory: memory) { false }
            for frame in frames(burst) { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
            return try fusion.finish().mosaic.codes
        }
        let used = FusionMemory()
        _ = try denoised(used, 0.9)
        #expect(try denoised(used, 0.05) == denoised(FusionMemory(), 0.05))
    }
}
