import DNG
import RawImage
import Testing

/// Tests of raw pictures other than Bayer mosaics and linear RGB of up to 16 bits.
@Suite(.timeLimit(.minutes(10))) struct OtherPictureTests {
    private func linear(_ samples: Int, bits: Int, isBigEndian: Bool = false) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: bits, isBigEndian: isBigEndian)
        dng.tags[258] = .shorts([UInt16](repeating: UInt16(bits), count: samples))
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([UInt16(samples)])
        (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        return dng
    }

    private func wide(_ numbers: [UInt32], bytes: Int, isBigEndian: Bool) -> [UInt8] {
        numbers.flatMap { number in
            let parts = (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
            // Integers of 24 bits have their high byte first in every file.
            return isBigEndian || bytes == 3 ? parts.reversed() : parts
        }
    }

    // MARK: Integers of 24 and 32 bits

    @Test(arguments: [24, 32], [false, true]) func wideMosaics(bits: Int, isBigEndian: Bool) throws {
        let most = bits == 32 ? UInt32.max : 1 << 24 - 1
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: bits, isBigEndian: isBigEndian)
        dng.parts = [wide([0, most / 2, most / 4, most], bytes: bits / 8, isBigEndian: isBigEndian)]
        dng.tags[50_714] = .longs([most / 16])
        let file = try DNGFile(bytes: dng.file)
        let mosaic = try file.mosaic()
        #expect(mosaic.codes == [0, 32_767, 16_384, 65_535] || mosaic.codes == [0, 32_768, 16_384, 65_535])
        #expect(mosaic.metadata.whiteLevel == 65_535)
        #expect(mosaic.metadata.blackLevel.allSatisfy { abs($0 - 65_535 / 16) < 0.01 })
        #expect(file.remarks.contains { $0.message.contains("16-bit codes") })
        #expect(!file.verify().contains { $0.message.contains("beyond all codes") })
    }

    @Test func wideSamplesOfFewBitsKeepTheirCodes() throws {
        var dng = linear(3, bits: 32)
        dng.parts = [wide((0..<12).map { 100 * $0 }, bytes: 4, isBigEndian: false)]
        dng.tags[50_717] = .longs([4095, 4095, 4095])
        let file = try DNGFile(bytes: dng.file)
        let photo = try file.linearImage()
        #expect(photo.values.prefix(7) == [0, 100, 200, 65_535, 300, 400, 500])
        #expect(photo.metadata.whiteLevel == 4095)
        #expect(!file.remarks.contains { $0.message.contains("16-bit codes") })
    }

    @Test func wideSamplesOfLosslessJPEGAreRefused() throws {
        var dng = linear(3, bits: 32)
        dng.tags[259] = .shorts([7])
        dng.parts = [[0xFF, 0xD8]]
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file).linearImage() }
        #expect(error?.message.contains("more than 16 bits") == true)
    }

    // MARK: Monochrome

    private func expectGrey(_ dng: HandmadeDNG) throws {
        let file = try DNGFile(bytes: dng.file)
        #expect(file.main?.isMonochrome == true)
        let photo = try file.linearImage()
        #expect(photo.values == [10, 10, 10, 65_535, 20, 20, 20, 65_535, 30, 30, 30, 65_535, 40, 40, 40, 65_535])
        #expect(photo.metadata.isMonochrome && photo.metadata.calibrations.isEmpty)
        #expect(photo.metadata.neutral == SIMD3(repeating: 1))
        #expect(!file.verify().contains { $0.message.contains("ColorMatrix") })
        #expect(DNGSummary(file).images[0].contains { $0.text == "monochrome" })
    }

    @Test func monochromeKinds() throws {
        var dng = linear(1, bits: 8)
        dng.parts = [[10, 20, 30, 40]]
        try expectGrey(dng)
        // BlackIsZero, without another raw picture.
        dng.tags[262] = .shorts([1])
        try expectGrey(dng)
        // A colour filter array of one colour.
        dng.tags[262] = .shorts([32_803])
        (dng.tags[33_421], dng.tags[33_422]) = (.shorts([2, 2]), .bytes([1, 1, 1, 1]))
        try expectGrey(dng)
    }

    @Test func greyPictureBesideRawIsNotRaw() throws {
        var grey = linear(1, bits: 8)
        grey.tags[262] = .shorts([1])
        grey.parts = [[10, 20, 30, 40]]
        var raw = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        raw.parts = [[1, 2, 3, 4]]
        grey.children = [330: [raw]]
        let file = try DNGFile(bytes: grey.file)
        #expect(file.main?.kind == .bayer)
    }

    // MARK: X-Trans

    private var trans: [UInt8] { XTransPattern.standard.planes.map { UInt8($0) } }

    @Test func xTransMosaics() throws {
        var dng = HandmadeDNG.bayer(width: 12, height: 12, bits: 8)
        (dng.tags[33_421], dng.tags[33_422]) = (.shorts([6, 6]), .bytes(trans))
        dng.tags[50_829] = .longs([1, 2, 12, 12])
        dng.parts = [(0..<144).map { UInt8($0) }]
        let file = try DNGFile(bytes: dng.file)
        let mosaic = try file.xTransMosaic()
        #expect(file.main?.kind == .xTrans)
        #expect(mosaic.codes == (0..<144).map { UInt16($0) })
        // The pattern starts at the active area.
        #expect(mosaic.pattern.plane(row: 1, column: 2) == Int(trans[0]))
        #expect(mosaic.pattern.plane(row: 2, column: 4) == Int(trans[8]))
        #expect(DNGSummary(file).images[0].contains { $0.text == "X-Trans" })
        #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(throws: DNGError.self) { try file.linearImage() }
    }

    @Test func xTransPatterns() {
        let planes = XTransPattern.standard.planes
        let turned = (0..<36).map { (index: Int) -> Int in
            let (row, column) = (index % 6, 5 - index / 6)
            return planes[row * 6 + column]
        }
        #expect(XTransPattern(turned) != nil)
        #expect(XTransPattern(planes.map { 2 - $0 }) != nil)
        #expect(XTransPattern((0..<36).map { $0 % 3 }) == nil)
        #expect(XTransPattern([]) == nil)
        #expect(XTransPattern.standard.shifted(rows: -7, columns: 13).shifted(rows: 7, columns: -13) == .standard)
    }

    @Test func xTransBlackLevelsAreEqualized() throws {
        var dng = HandmadeDNG.bayer(width: 6, height: 6, bits: 8)
        (dng.tags[33_421], dng.tags[33_422]) = (.shorts([6, 6]), .bytes(trans))
        dng.tags[50_713] = .shorts([6, 6])
        dng.tags[50_714] = .longs((0..<36).map { $0 % 2 == 0 ? 10 : 30 })
        dng.parts = [(0..<36).map { $0 % 2 == 0 ? 10 : 30 }]
        let mosaic = try DNGFile(bytes: dng.file).xTransMosaic()
        #expect(mosaic.metadata.blackLevel == [20, 20, 20, 20])
        #expect(Set(mosaic.codes) == [20])
    }

    // MARK: Four colours

    /// Cyan, magenta, yellow and green filters of a camera whose red, green and blue are those of XYZ.
    private func fourColors() -> HandmadeDNG {
        var dng = linear(4, bits: 16)
        // Rows: X+Y, Y+Z, X+Z, Y.
        let matrix: [Int32] = [1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0]
        dng.tags[50_721] = .signedRationals(matrix.flatMap { [$0, 2] })
        dng.tags[50_778] = .shorts([23])
        return dng
    }

    /// A mosaic in which each colour is even is interpolated to a linear picture of these four colours.
    @Test func mosaicsOfFourColoursAreInterpolated() throws {
        var linear = fourColors()
        linear.parts = [linear.bytes((0..<4).flatMap { _ in [40_000, 30_000, 20_000, 10_000] })]
        var mosaic = linear
        (mosaic.tags[256], mosaic.tags[257], mosaic.tags[278]) = (.shorts([7]), .shorts([5]), .shorts([5]))
        (mosaic.tags[258], mosaic.tags[262], mosaic.tags[277]) = (.shorts([16]), .shorts([32_803]), .shorts([1]))
        (mosaic.tags[33_421], mosaic.tags[33_422]) = (.shorts([2, 2]), .bytes([1, 4, 3, 5]))
        mosaic.tags[50_710] = .bytes([3, 4, 5, 1])
        // The pattern starts at the active area.
        mosaic.tags[50_829] = .longs([1, 0, 5, 7])
        mosaic.parts = [
            mosaic.bytes(
                (0..<35).map { index in
                    let (row, column) = (index / 7, index % 7)
                    // Rows of cyan 40000 and yellow 20000, then of green 10000 and magenta 30000.
                    return row % 2 == 0 ? [40_000, 20_000][column % 2] : [10_000, 30_000][column % 2]
                })
        ]
        let file = try DNGFile(bytes: mosaic.file)
        #expect(file.main?.kind == .fourColor)
        let (one, other) = (try file.linearImage(), try DNGFile(bytes: linear.file).linearImage())
        #expect(
            stride(from: 0, to: one.values.count, by: 4).allSatisfy { index in
                (0..<4).allSatisfy { abs(Int(one.values[index + $0]) - Int(other.values[$0])) <= 1 }
            })
        #expect(DNGSummary(file).images[0].contains { $0.text == "four colours" })
    }

    @Test func fourColorsOfGreyAreGrey() throws {
        var dng = fourColors()
        // The response of the camera to D50, by the matrix, at a quarter of white.
        let sums: [Double] = [1.9642, 1.8251, 1.7893, 1]
        let response: [Double] = sums.map { $0 / 1.9642 }
        dng.tags[50_728] = .rationals(response.flatMap { [UInt32($0 * 1e6), 1_000_000] })
        let pixel: [UInt16] = response.map { UInt16($0 * 65_535 / 4) }
        dng.parts = [dng.bytes(pixel + pixel + pixel + pixel)]
        let file = try DNGFile(bytes: dng.file)
        let photo = try file.linearImage()
        for plane in 0..<3 { #expect(abs(Int(photo.values[plane]) - 16_384) < 60) }
        #expect(photo.metadata.calibrations.count == 1)
        #expect(photo.metadata.whiteLevel == 65_535)
        #expect(!file.verify().contains { $0.severity == .error && $0.message.contains("Color") })
    }

    @Test func fourColorsWithoutMatrixAreRefused() throws {
        var dng = fourColors()
        dng.tags[50_721] = .signedRationals([Int32](repeating: 1, count: 18))
        dng.parts = [dng.bytes([UInt16](repeating: 9, count: 16))]
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file).linearImage() }
        #expect(error?.message.contains("twelve") == true)
    }
}
