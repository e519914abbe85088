import DNG
import RawImage
import Testing

/// What the writer writes the reader reads, bit for bit.
@Suite struct RoundTripTests {
    static let sizes = [(1, 1), (1, 7), (5, 1), (2, 2), (17, 16), (61, 43), (300, 257), (1001, 700)]

    @Test(arguments: BayerPattern.allCases, [8, 10, 12, 14, 16])
    func mosaicKeepsItsCodes(pattern: BayerPattern, bitDepth: Int) throws {
        for (width, height) in Self.sizes {
            let mosaic = try TestPictures.mosaic(width, height, pattern: pattern, bitDepth: bitDepth)
            let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
            let back = try file.mosaic()
            #expect(back.codes == mosaic.codes)
            #expect(back.format.pattern == pattern)
            #expect(back.format.bitDepth == bitDepth)
            #expect((back.format.width, back.format.height) == (width, height))
            #expect(file.statedDigest == (try RawDigest(mosaic: back.codes.span, format: back.format)))
        }
    }

    @Test(arguments: sizes)
    func linearKeepsItsValues(width: Int, height: Int) throws {
        let image = try TestPictures.linear(width, height)
        let file = try DNGFile(bytes: DNGWriter().encode(image))
        let back = try file.linearImage()
        #expect(back.values == image.values)
        #expect(file.statedDigest == (try RawDigest(linear: back.values.span, format: back.format)))
    }

    @Test func gapsBetweenRowsAreLeftOut() throws {
        let wide = try TestPictures.mosaic(61, 43, stride: 70)
        let back = try DNGFile(bytes: DNGWriter().encode(wide)).mosaic()
        for row in 0..<43 {
            #expect(back.codes[row * 61..<row * 61 + 61] == wide.codes[row * 70..<row * 70 + 61])
        }
        let wideLinear = try TestPictures.linear(61, 43, stride: 300)
        let backLinear = try DNGFile(bytes: DNGWriter().encode(wideLinear)).linearImage()
        for row in 0..<43 {
            #expect(
                backLinear.values[row * 244..<row * 244 + 244] == wideLinear.values[row * 300..<row * 300 + 244])
        }
    }

    @Test func samePictureSameBytes() throws {
        let mosaic = try TestPictures.mosaic(61, 43)
        var writer = DNGWriter()
        writer.utcOffset = 0
        #expect(try writer.encode(mosaic) == writer.encode(mosaic))
    }

    @Test func callersPreviewIsKept() throws {
        let rgb = (0..<31 * 17 * 3).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var writer = DNGWriter()
        writer.preview = try DNGPreview(width: 31, height: 17, rgb: rgb)
        let file = try DNGFile(bytes: writer.encode(TestPictures.mosaic(61, 43)))
        #expect(try file.preview() == writer.preview)
        #expect(try file.mosaic().codes == TestPictures.mosaic(61, 43).codes)
    }

    @Test func ownPreviewShowsWhiteAsWhite() throws {
        var writer = DNGWriter()
        writer.previewSide = 40
        let format = MosaicFormat(width: 200, height: 100, pattern: .grbg, bitDepth: 12)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.neutral = SIMD3(0.5, 1, 0.25)
        metadata.blackLevel = [95, 95, 95, 95]
        let light = [2000.0, 1000, 500, 2000]  // green, red, blue, green of grbg at half of full light
        let codes = (0..<20_000).map { UInt16(95 + light[($0 / 200 & 1) * 2 + $0 & 1]) }
        let preview = try DNGFile(
            bytes: writer.encode(Mosaic(format: format, metadata: metadata, codes: codes))
        ).preview()
        #expect((preview.width, preview.height) == (33, 16))
        // Half of full light is 188 on sRGB's curve.
        #expect(preview.rgb.allSatisfy { abs(Int($0) - 188) <= 1 })
    }

    @Test func severalStripsAreWritten() throws {
        let mosaic = try TestPictures.mosaic(2001, 801)
        let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
        #expect(try file.mosaic().codes == mosaic.codes)
        #expect(file.byteCount > 2001 * 801 * 2)
    }

    @Test func writersAndReadersWorkSideBySide() async throws {
        let mosaic = try TestPictures.mosaic(301, 207)
        let bytes = try DNGWriter().encode(mosaic)
        let file = try DNGFile(bytes: bytes)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { try DNGWriter().encode(mosaic) == bytes }
                group.addTask { try file.mosaic().codes == mosaic.codes }
            }
            for try await same in group { #expect(same) }
        }
    }
}
