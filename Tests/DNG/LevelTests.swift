import DNG
import RawImage
import Testing

/// Tests of black and white levels that vary within a picture.
@Suite struct LevelTests {
    @Test func blackLevelDeltasAreEqualized() throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 8)
        dng.tags[50_714] = .shorts([20])
        dng.tags[50_715] = .signedRationals([0, 1, 4, 1, 2, 1, 8, 1])
        dng.tags[50_716] = .signedRationals([0, 1, -2, 1, 4, 1, 0, 1])
        let columns = [0, 4, 2, 8]
        let rows = [0, -2, 4, 0]
        dng.parts = [(0..<16).map { index -> UInt8 in UInt8(70 + columns[index % 4] + rows[index / 4]) }]
        let mosaic = try DNGFile(bytes: dng.file).mosaic()
        // The decoded black level of each CFA position is the mean over its rows and columns.
        #expect(mosaic.metadata.blackLevel == [23, 28, 20, 25])
        for (i, code) in mosaic.codes.enumerated() {
            let (row, column) = (i / 4, i % 4)
            let black = mosaic.metadata.blackLevel[(row & 1) * 2 + (column & 1)]
            // The white level is unchanged, so equalizing black rescales the codes above it slightly.
            #expect(abs(Double(code) - black - 50) < 2)
        }
        #expect(try DNGFile(bytes: dng.file).storedSamples().codes.first == 70)
    }

    @Test func largeBlackLevelPatternsAreEqualized() throws {
        var dng = HandmadeDNG.bayer(width: 8, height: 4, bits: 8)
        dng.tags[50_713] = .shorts([1, 4])
        dng.tags[50_714] = .shorts([10, 20, 14, 24])
        dng.parts = [(0..<32).map { index -> UInt8 in [110, 120, 114, 124][index % 4] }]
        let mosaic = try DNGFile(bytes: dng.file).mosaic()
        #expect(mosaic.metadata.blackLevel == [12, 22, 12, 22])
        for (i, code) in mosaic.codes.enumerated() {
            #expect(abs(Double(code) - mosaic.metadata.blackLevel[i % 2] - 100) < 2)
        }
    }

    @Test func whiteLevelsOfPlanesAreEqualized() throws {
        var dng = HandmadeDNG.bayer(width: 1, height: 2, bits: 16)
        dng.tags[258] = .shorts([16, 16, 16])
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([3])
        dng.tags[50_714] = .shorts([100, 0, 0])
        dng.tags[50_717] = .longs([30_000, 60_000, 40_000])
        dng.parts = [dng.bytes([30_000, 60_000, 40_000, 100, 30_000, 20_000])]
        let image = try DNGFile(bytes: dng.file).linearImage()
        #expect(image.metadata.whiteLevel == 60_000)
        #expect(image.values == [60_000, 60_000, 60_000, 65_535, 100, 30_000, 30_000, 65_535])
    }

    @Test func invalidLevelsAreReported() throws {
        func refusal(_ change: (inout HandmadeDNG) -> Void) throws -> String {
            var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
            dng.parts = [[1, 2, 3, 4]]
            change(&dng)
            return #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file) }?.message ?? ""
        }
        #expect(try refusal { $0.tags[50_715] = .signedRationals([1, 1]) }.contains("BlackLevelDeltaH"))
        #expect(try refusal { $0.tags[50_716] = .signedRationals([1, 0, 1, 1]) }.contains("BlackLevelDeltaV"))
        #expect(try refusal { $0.tags[50_717] = .shorts([0]) }.contains("WhiteLevel"))
        #expect(try refusal { $0.tags[50_714] = .rationals([1, 0]) }.contains("BlackLevel"))
        #expect(try refusal { $0.tags[50_714] = .shorts([255]) }.contains("BlackLevel"))
    }
}
