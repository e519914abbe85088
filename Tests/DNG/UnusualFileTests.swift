import DNG
import RawImage
import Testing

/// Tests of valid files with unusual tags: levels behind opcodes, lossy masks, no white balance, pixel shapes, tiles of
/// blocks, reversed bits, and large cells of black levels.
@Suite(.timeLimit(.minutes(10))) struct UnusualFileTests {
    private func picture(_ change: (inout HandmadeDNG) -> Void = { _ in }) throws -> DNGFile {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 16)
        dng.tags[50_707] = .bytes([1, 3, 0, 0])
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        dng.tags[50_717] = .longs([4095])
        dng.parts = [dng.bytes((0..<16).map { UInt16($0 * 256) })]
        change(&dng)
        return try DNGFile(bytes: dng.file)
    }

    private func words(_ numbers: [UInt32]) -> [UInt8] {
        numbers.flatMap { number in (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    /// A MapPolynomial of OpcodeList1 or OpcodeList2 that multiplies all codes by 16 brings 12 bits to WhiteLevel
    /// 65535.
    @Test(arguments: [UInt16(51_008), 51_009]) func whiteLevelBehindAPolynomialIsNoError(_ list: UInt16) throws {
        let file = try picture { dng in
            let coefficients = [0.0, 16].flatMap {
                [UInt32($0.bitPattern >> 32), UInt32(truncatingIfNeeded: $0.bitPattern)]
            }
            let map = words([0, 0, 4, 4, 0, 1, 1, 1, 1] + coefficients)
            dng.tags[258] = .shorts([12])
            dng.parts = [HandmadeDNG.packed((0..<16).map { UInt16($0 * 256) }, bits: 12, width: 4)]
            dng.tags[50_717] = .longs([65_535])
            dng.tags[list] = .undefined(words([1, 8, 0x0103_0000, 0, UInt32(map.count)]) + map)
        }
        #expect(file.verify().isEmpty, "\(file.verify())")
        #expect(try file.mosaic().codes.max() ?? 0 > 60_000)
    }

    /// Readers skip masks that they cannot decode, so their compression does not need DNGBackwardVersion 1.4.
    @Test func aLossyMaskDoesNotNeedALaterVersion() throws {
        let file = try picture { dng in
            var mask = HandmadeDNG.bayer(width: 16, height: 8, bits: 8)
            mask.tags[254] = .longs([65_540])
            mask.tags[259] = .shorts([34_892])
            mask.tags[262] = .shorts([52_527])
            mask.tags[52_526] = .text("urn:com:apple:photo:2020:aux:semanticskymatte")
            mask.parts = [TestCodecs.greyJPEG]
            dng.children[330] = [mask]
        }
        #expect(!file.verify().contains { $0.message.contains("DNGBackwardVersion") }, "\(file.verify())")
    }

    @Test func aMissingWhiteBalanceIsD55() throws {
        // The matrix is the identity, so the neutral is the colour of the white in XYZ.
        let missing = try picture { $0.tags[50_728] = nil }.metadata.neutral
        let chromaticity = try picture { dng in
            dng.tags[50_728] = nil
            dng.tags[50_729] = .rationals([33_242, 100_000, 34_743, 100_000])
        }.metadata.neutral
        let expected = SIMD3(0.33242, 0.34743, 0.32015) / 0.34743
        for plane in 0..<3 {
            #expect(abs(missing[plane] - expected[plane]) < 1e-6)
            #expect(abs(chromaticity[plane] - expected[plane]) < 1e-6)
        }
    }

    @Test func pixelsThatAreNotSquareAreNamed() throws {
        let file = try picture { $0.tags[50_718] = .rationals([1, 1, 2, 1]) }
        #expect(file.verify().isEmpty)
        #expect(file.pixelShapeProblem?.contains("DefaultScale") == true)
        #expect(try picture { $0.tags[50_718] = .rationals([1, 1, 1, 1]) }.pixelShapeProblem == nil)
        let scaled = try picture { $0.tags[50_718] = .rationals([2, 1, 2, 1]) }
        #expect(file.squareScale?.across == 1 && file.squareScale?.down == 2)
        let smaller = try picture { $0.tags[50_718] = .rationals([1, 1, 1, 4]) }
        #expect(smaller.squareScale?.across == 4 && smaller.squareScale?.down == 1)
        #expect(scaled.squareScale == nil)
        #expect(try picture { $0.tags[50_718] = .rationals([1, 1, 9, 1]) }.squareScale == nil)
        #expect(scaled.pixelShapeProblem == nil && scaled.remarks.contains { $0.message.contains("DefaultScale") })
    }

    /// The pixels of a block follow each other, and the blocks are in the order of rows, as the Adobe DNG SDK reads
    /// them.
    @Test func tilesOfBlocks() throws {
        let blocks = try picture { $0.tags[50_974] = .shorts([2, 2]) }.mosaic().codes
        let order: [UInt16] = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
        #expect(blocks == order.map { $0 * 256 })
        let rows = try picture { $0.tags[50_974] = .shorts([1, 4]) }.mosaic().codes
        #expect(rows == (0..<16).map { $0 * 256 })
        #expect(try picture { $0.tags[50_974] = .shorts([1, 1]) }.mosaic().codes == rows)
        let file = try picture { $0.tags[50_974] = .shorts([3, 2]) }
        let error = #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(error?.code == .malformed && error?.message.contains("SubTileBlockSize") == true)
    }

    private func reversed(_ byte: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in 0..<8 { result |= (byte >> UInt8(bit) & 1) << UInt8(7 - bit) }
        return result
    }

    /// FillOrder 2 reverses the bits of each byte, as in libtiff, unless the samples show that it does not, as LibRaw
    /// reads them.
    @Test(arguments: [8, 10, 12, 16], [false, true]) func bitsInReverseOrder(_ bits: Int, isReversed: Bool) throws {
        let codes = (0..<512).map { place -> UInt16 in
            let (row, column): (Int, Int) = (place / 64, place % 64)
            let level: Int = 40 + column * 3 + row * 2
            return UInt16(level * (1 << bits) / 320)
        }
        var dng = HandmadeDNG.bayer(width: 64, height: 8, bits: bits)
        let stored = bits == 16 ? dng.bytes(codes) : HandmadeDNG.packed(codes, bits: bits, width: 64)
        dng.tags[266] = .shorts([2])
        dng.parts = [isReversed ? stored.map(reversed) : stored]
        let file = try DNGFile(bytes: dng.file)
        #expect(try file.mosaic().codes == codes)
        var transcoder = DNGTranscoder()
        transcoder.storage = .uncompressed
        #expect(try DNGFile(transcoder.encode(file).data).mosaic().codes == codes)
    }

    /// A white balance with a 0 is ignored, as by the Adobe DNG SDK, with a warning.
    @Test func aWhiteBalanceWithAZeroIsIgnored() throws {
        let file = try picture { $0.tags[50_728] = .rationals([0, 1, 1, 1, 1, 2]) }
        #expect(file.colorProblem == nil)
        #expect(try file.metadata.neutral == picture { $0.tags[50_728] = nil }.metadata.neutral)
        #expect(file.remarks.contains { $0.message.contains("has a 0") })
        #expect(file.verify().map(\.severity) == [.warning], "\(file.verify())")
        let negative = try picture { $0.tags[50_728] = .signedRationals([-1, 1, 1, 1, 1, 2]) }
        #expect(negative.colorProblem != nil)
    }

    /// A copy has the levels of each position, which reading equalizes.
    @Test func largeCellsOfBlackLevelsAreCopied() throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 8)
        dng.parts = [[UInt8](repeating: 90, count: 16)]
        dng.tags[50_713] = .shorts([4, 4])
        dng.tags[50_714] = .shorts((0..<16).map { UInt16($0) })
        try CopiedTagTests.expectSameTags(dng)
    }
}
