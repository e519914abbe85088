import DNG
import PhotoMetadata
import RawImage
import Testing

/// Round-trip tests of the DNG encoder and reader.
@Suite struct RoundTripTests {
    static let sizes = [(1, 1), (1, 7), (5, 1), (2, 2), (17, 16), (61, 43), (300, 257), (1001, 700)]

    /// An encoder that stores linear photos at 16 bits, without a companding curve.
    private var exact: DNGWriter {
        var writer = DNGWriter()
        writer.bitDepth = 16
        return writer
    }

    @Test(arguments: BayerPattern.allCases, [8, 10, 12, 14, 16])
    func mosaicKeepsItsCodes(pattern: BayerPattern, bitDepth: Int) throws {
        for (width, height) in Self.sizes {
            let mosaic = try TestPictures.mosaic(width, height, pattern: pattern, bitDepth: bitDepth)
            let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
            let back = try file.mosaic()
            let same = back.codes == mosaic.codes
            #expect(same)
            #expect(back.format.pattern == pattern)
            #expect(back.format.bitDepth == bitDepth)
            #expect((back.format.width, back.format.height) == (width, height))
            // The digest that the file states is correct. It is compared directly for more than 8 bits only, because
            // NewRawImageDigest digests 8-bit codes as bytes.
            #expect(file.verify().isEmpty)
            if bitDepth > 8 {
                #expect(file.statedDigest == (try RawDigest(mosaic: back.codes.span, format: back.format)))
            }
        }
    }

    @Test(arguments: sizes)
    func linearKeepsItsValues(width: Int, height: Int) throws {
        let image = try TestPictures.linear(width, height)
        let file = try DNGFile(bytes: exact.encode(image))
        let back = try file.linearImage()
        let same = back.values == image.values
        #expect(same)
        #expect(file.statedDigest == (try RawDigest(linear: back.values.span, format: back.format)))
    }

    @Test func gapsBetweenRowsAreLeftOut() throws {
        let wide = try TestPictures.mosaic(61, 43, stride: 70)
        let back = try DNGFile(bytes: DNGWriter().encode(wide)).mosaic()
        for row in 0..<43 {
            let same = back.codes[row * 61..<row * 61 + 61] == wide.codes[row * 70..<row * 70 + 61]
            #expect(same)
        }
        let wideLinear = try TestPictures.linear(61, 43, stride: 300)
        let backLinear = try DNGFile(bytes: exact.encode(wideLinear)).linearImage()
        for row in 0..<43 {
            let same = backLinear.values[row * 244..<row * 244 + 244] == wideLinear.values[row * 300..<row * 300 + 244]
            #expect(same)
        }
    }

    @Test func samePictureSameBytes() throws {
        let mosaic = try TestPictures.mosaic(61, 43)
        var writer = DNGWriter()
        writer.utcOffset = 0
        #expect(try writer.encode(mosaic) == writer.encode(mosaic))
    }

    @Test func callersPreviewIsStored() throws {
        let rgb = (0..<31 * 17 * 3).map { UInt8(truncatingIfNeeded: 100 + $0 / 31) }
        var writer = DNGWriter()
        writer.previewQuality = 100
        writer.preview = try DNGPreview(width: 31, height: 17, rgb: rgb)
        let file = try DNGFile(bytes: writer.encode(TestPictures.mosaic(61, 43)))
        let preview = try file.preview()
        #expect((preview.width, preview.height) == (31, 17))
        #expect(zip(preview.rgb, rgb).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
        let same = try file.mosaic().codes == TestPictures.mosaic(61, 43).codes
        #expect(same)
    }

    /// A preview's JPEG bands are compressed in parallel and joined: there is no visible seam, and the JPEG is valid.
    @Test(arguments: [(40, 255), (33, 256), (70, 257), (16, 1025), (300, 2800)])
    func previewBandsJoinWithoutSeams(width: Int, height: Int) throws {
        let rgb = (0..<width * height).flatMap { pixel in
            let (x, y) = (pixel % width, pixel / width)
            return [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 255 / (width + height))]
        }
        var writer = DNGWriter()
        writer.preview = try DNGPreview(width: width, height: height, rgb: rgb).compressed(quality: 95)
        let preview = try DNGFile(bytes: writer.encode(TestPictures.mosaic(61, 43))).preview()
        #expect((preview.width, preview.height) == (width, height))
        #expect(zip(preview.rgb, rgb).allSatisfy { abs(Int($0) - Int($1)) <= 12 })
    }

    @Test func ownPreviewShowsWhiteAsWhite() throws {
        var writer = DNGWriter()
        writer.previewSide = 40
        let format = MosaicFormat(width: 200, height: 100, pattern: .grbg, bitDepth: 12)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.neutral = SIMD3(0.5, 1, 0.25)
        metadata.blackLevel = [95, 95, 95, 95]
        let light = [2000.0, 1000, 500, 2000]  // GRBG codes that give linear 0.5 after white balance
        let codes = (0..<20_000).map { UInt16(95 + light[($0 / 200 & 1) * 2 + $0 & 1]) }
        let preview = try DNGFile(
            bytes: writer.encode(Mosaic(format: format, metadata: metadata, codes: codes))
        ).preview()
        #expect((preview.width, preview.height) == (33, 16))
        // Linear 0.5 is 188 in 8-bit sRGB.
        #expect(preview.rgb.allSatisfy { abs(Int($0) - 188) <= 2 })
    }

    @Test func severalStripsAreWritten() throws {
        let mosaic = try TestPictures.mosaic(2001, 801)
        var writer = DNGWriter()
        writer.storage = .uncompressed
        let file = try DNGFile(bytes: writer.encode(mosaic))
        let same = try file.mosaic().codes == mosaic.codes
        #expect(same)
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
