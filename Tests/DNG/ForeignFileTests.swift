import DNG
import RawImage
import Testing

/// Tests of files with features that this project's encoder does not use.
@Suite struct ForeignFileTests {
    private func codes(_ count: Int, bits: Int) -> [UInt16] {
        var dice = Dice(seed: UInt64(count + bits))
        return (0..<count).map { _ in UInt16(truncatingIfNeeded: dice.next()) >> UInt16(16 - bits) }
    }

    @Test(arguments: [8, 10, 12, 14, 16], [false, true])
    func stripsOfEveryDepth(bits: Int, isBigEndian: Bool) throws {
        let codes = codes(13 * 9, bits: bits)
        var dng = HandmadeDNG.bayer(width: 13, height: 9, bits: bits, isBigEndian: isBigEndian)
        dng.tags[278] = .shorts([4])
        dng.parts = [0..<52, 52..<104, 104..<117].map { range in
            let rows = Array(codes[range])
            return bits == 16 ? dng.bytes(rows) : HandmadeDNG.packed(rows, bits: bits, width: 13)
        }
        let mosaic = try DNGFile(bytes: dng.file).mosaic()
        #expect(mosaic.codes == codes)
        #expect(mosaic.metadata.whiteLevel == Double((1 << bits) - 1))
    }

    @Test(arguments: [12, 16])
    func tilesAreCutAtTheEdges(bits: Int) throws {
        let (width, height) = (21, 19)
        let codes = codes(width * height, bits: bits)
        var dng = HandmadeDNG.bayer(width: width, height: height, bits: bits, isBigEndian: true)
        dng.tags[278] = nil
        dng.tags[322] = .shorts([16])
        dng.tags[323] = .shorts([16])
        dng.isTiled = true
        dng.parts = [(0, 0), (0, 16), (16, 0), (16, 16)].map { top, left in
            let tile = (0..<256).map { i -> UInt16 in
                let (row, column) = (top + i / 16, left + i % 16)
                return row < height && column < width ? codes[row * width + column] : 0
            }
            return bits == 16 ? dng.bytes(tile) : HandmadeDNG.packed(tile, bits: bits, width: 16)
        }
        let file = try DNGFile(bytes: dng.file)
        #expect(file.main?.isTiled == true)
        #expect(try file.mosaic().codes == codes)
    }

    @Test func linearTilesOfEightBits() throws {
        var dng = HandmadeDNG.bayer(width: 16, height: 16, bits: 8)
        dng.tags[258] = .shorts([8, 8, 8])
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([3])
        (dng.tags[278], dng.tags[33_421], dng.tags[33_422]) = (nil, nil, nil)
        dng.tags[322] = .shorts([16])
        dng.tags[323] = .shorts([16])
        dng.tags[50_714] = .shorts([1, 2, 3])
        dng.isTiled = true
        dng.parts = [(0..<768).map { UInt8(truncatingIfNeeded: $0) }]
        let image = try DNGFile(bytes: dng.file).linearImage()
        #expect(Array(image.values.prefix(8)) == [0, 1, 2, 65_535, 3, 4, 5, 65_535])
        #expect(image.metadata.blackLevel == [1, 2, 2, 3])
    }

    @Test func linearizationTableIsApplied() throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 1, bits: 8)
        dng.tags[50_712] = .shorts([0, 10, 1000, 60_000])
        dng.parts = [[0, 1, 3, 200]]
        let mosaic = try DNGFile(bytes: dng.file).mosaic()
        #expect(mosaic.codes == [0, 10, 60_000, 60_000])
        #expect(mosaic.metadata.whiteLevel == 65_535)
    }

    @Test func patternAndBlackStartAtTheActiveArea() throws {
        var dng = HandmadeDNG.bayer(width: 6, height: 5, bits: 8)
        dng.tags[50_829] = .longs([1, 1, 5, 6])
        dng.tags[50_713] = .shorts([2, 2])
        dng.tags[50_714] = .shorts([10, 20, 30, 40])
        dng.tags[50_719] = .shorts([1, 0])
        dng.tags[50_720] = .shorts([3, 4])
        dng.parts = [[UInt8](repeating: 50, count: 30)]
        let file = try DNGFile(bytes: dng.file)
        let mosaic = try file.mosaic()
        #expect(mosaic.format.pattern == .bggr)
        #expect(mosaic.metadata.blackLevel == [40, 30, 20, 10])
        #expect(file.main?.activeArea == PixelRectangle(left: 1, top: 1, width: 5, height: 4))
        #expect(file.main?.defaultCrop == PixelRectangle(left: 2, top: 1, width: 3, height: 4))
    }

    @Test func neutralIsScaledToOne() throws {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.tags[50_728] = .rationals([1, 1, 2, 1, 1, 2])
        dng.parts = [[0, 0, 0, 0]]
        #expect(try DNGFile(bytes: dng.file).metadata.neutral == SIMD3(0.5, 1, 0.25))
    }

    @Test(arguments: [
        (7, "JPEG"), (8, "deflate"), (34_892, "lossy JPEG"), (52_546, "JPEG XL"), (999, "compression 999"),
    ])
    func compressionsAreNamed(number: UInt16, name: String) throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 1, bits: 8)
        dng.tags[259] = .shorts([number])
        dng.parts = [[0, 1, 3, 200]]
        let file = try DNGFile(bytes: dng.file)
        #expect(file.main?.compression.description == name)
        // The strip's four raw bytes are not a valid stream of any compression.
        let error = #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(error?.code == (number == 999 ? .unsupported : .malformed))
        #expect(error?.message.contains(number == 999 ? name : "strip 0") == true)
    }

    @Test func askingForTheWrongKindIsAnError() throws {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.parts = [[0, 0, 0, 0]]
        let file = try DNGFile(bytes: dng.file)
        #expect(throws: DNGError.self) { try file.linearImage() }
        let error = #expect(throws: DNGError.self) { try file.preview() }
        #expect(error?.code == .noSuchImage)
    }
}
