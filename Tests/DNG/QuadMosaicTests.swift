import DNG
import RawImage
import Testing

/// Quad mosaics, whose colours have 2×2 pixels each, are read as Bayer mosaics of half their sides.
@Suite(.timeLimit(.minutes(10))) struct QuadMosaicTests {
    private static let quad: [UInt8] = [0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2]

    private func quad(_ codes: [UInt16], side: Int = 8, _ change: (inout HandmadeDNG) -> Void = { _ in }) throws
        -> DNGFile
    {
        var dng = HandmadeDNG.bayer(width: side, height: side, bits: 16)
        (dng.tags[33_421], dng.tags[33_422]) = (.shorts([4, 4]), .bytes(Self.quad))
        dng.tags[50_707] = .bytes([1, 1, 0, 0])
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        dng.parts = [dng.bytes(codes)]
        change(&dng)
        return try DNGFile(bytes: dng.file)
    }

    @Test func fourPixelsAreAveraged() throws {
        // The groups are 100 times their number plus 0, 1, 2 and 4, of which the mean is 1.75.
        let codes = (0..<64).map { (index: Int) -> UInt16 in
            let (row, column): (Int, Int) = (index / 8, index % 8)
            let group: Int = row / 2 * 4 + column / 2
            return UInt16(group * 100 + [0, 1, 2, 4][row % 2 * 2 + column % 2])
        }
        let file = try quad(codes)
        let mosaic = try file.mosaic()
        #expect(file.main?.isQuad == true && file.main?.kind == .bayer)
        #expect((mosaic.format.width, mosaic.format.height) == (4, 4))
        #expect(mosaic.format.pattern == .rggb)
        let expected = (0..<16).map { UInt16($0 * 100 + 2) }
        #expect(mosaic.codes == expected)
        #expect(try file.storedSamples().codes == codes)
        #expect(file.remarks.contains { $0.message.contains("quad") })
        #expect(DNGSummary(file).images[0].contains { $0.label == "binning" })
        #expect(!file.verification().problems.contains { $0.severity == .error }, "\(file.verify())")
    }

    @Test func areasAndPatternAreThoseOfTheGroups() throws {
        let file = try quad([UInt16](repeating: 9, count: 144), side: 12) { dng in
            dng.tags[50_829] = .longs([2, 4, 12, 12])
            dng.tags[50_719] = .longs([2, 2])
            dng.tags[50_720] = .longs([4, 6])
            dng.tags[51_041] = .doubles([0.004, 0.0008])
        }
        let main = try #require(file.main)
        #expect(main.activeArea == PixelRectangle(left: 2, top: 1, width: 4, height: 5))
        #expect(main.defaultCrop == PixelRectangle(left: 3, top: 2, width: 2, height: 3))
        // The pattern begins at the active area, at an odd row of groups.
        #expect(main.pattern == .gbrg)
        #expect(file.metadata.noise == [NoiseProfile(shot: 0.001, read: 0.0002)])
    }

    /// Each pixel of the groups may have its own black level.
    @Test func blackLevelsOfPixelsAreEqualized() throws {
        let levels = (0..<16).map { UInt32($0 * 10) }
        let codes = (0..<64).map { UInt16(levels[$0 / 8 % 4 * 4 + $0 % 4]) }
        let mosaic = try quad(codes) { dng in
            dng.tags[50_713] = .shorts([4, 4])
            dng.tags[50_714] = .longs(levels)
        }.mosaic()
        #expect(Set(mosaic.metadata.blackLevel) == [75])
        #expect(Set(mosaic.codes) == [75])
    }

    /// A copy keeps all pixels as they are.
    @Test func copiesKeepThePixels() throws {
        let codes = (0..<256).map { UInt16($0 * 17) }
        let copy = try DNGFile(try DNGTranscoder().encode(try quad(codes, side: 16)).data)
        #expect(copy.main?.isQuad == true)
        #expect(try copy.storedSamples().codes == codes)
        #expect(try copy.mosaic().codes == quad(codes, side: 16).mosaic().codes)
    }

    @Test func groupsThatDoNotBeginWithThePictureAreRefused() throws {
        let file = try quad([UInt16](repeating: 9, count: 64)) { $0.tags[50_829] = .longs([0, 1, 8, 8]) }
        let error = #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(error?.message.contains("quad") == true)
    }
}
