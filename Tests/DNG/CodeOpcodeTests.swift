import DNG
import RawImage
import Testing

/// Tests of opcodes that are applied to codes while pixels are decoded.
@Suite struct CodeOpcodeTests {
    private func words(_ numbers: UInt32...) -> [UInt8] {
        numbers.flatMap { number in (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    private func floats(_ numbers: Float...) -> [UInt8] { numbers.flatMap { words($0.bitPattern) } }

    private func doubles(_ numbers: Double...) -> [UInt8] {
        numbers.flatMap { words(UInt32($0.bitPattern >> 32), UInt32(truncatingIfNeeded: $0.bitPattern)) }
    }

    private func list(_ opcodes: (number: UInt32, data: [UInt8])...) -> HandmadeDNG.Values {
        let each = opcodes.flatMap { words($0.number, 0x0103_0000, 0, UInt32($0.data.count)) + $0.data }
        return .undefined(words(UInt32(opcodes.count)) + each)
    }

    /// A 6×6 mosaic of codes 10, 11, 12 …; black level 10, white level 110.
    private var picture: HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 6, height: 6, bits: 8)
        dng.parts = [(0..<36).map { UInt8(10 + $0) }]
        dng.tags[50_714] = .shorts([10])
        dng.tags[50_717] = .shorts([110])
        return dng
    }

    private func codes(_ dng: HandmadeDNG) throws -> [Int] {
        let file = try DNGFile(bytes: dng.file)
        #expect(file.opcodes.allSatisfy(\.isRead) && file.tagProblems.isEmpty)
        return try file.mosaic().codes.map(Int.init)
    }

    @Test func tablesChangeCodes() throws {
        var dng = picture
        // The opcode MapTable, on columns 1, 3 and 5 of rows 1 and 2; codes beyond the table's end take its last value.
        let table = (0..<20).flatMap { [UInt8(0), UInt8(100 + $0)] }
        dng.tags[51_008] = list((7, words(1, 1, 3, 6, 0, 1, 1, 2, 20) + table))
        let found = try codes(dng)
        for index in 0..<36 {
            let (row, column) = index.quotientAndRemainder(dividingBy: 6)
            let isChanged = (1...2).contains(row) && column % 2 == 1
            #expect(found[index] == (isChanged ? 100 + min(10 + index, 19) : 10 + index))
        }
    }

    @Test func polynomialsApplyToLinearValues() throws {
        var dng = picture
        // The opcode MapPolynomial: 0.1 x² + 2 x on linear values.
        dng.tags[51_009] = list((8, words(0, 0, 6, 6, 0, 1, 1, 1, 2) + doubles(0, 2, 0.1)))
        for (index, code) in try codes(dng).enumerated() {
            let light = Double(index) / 100
            // 8-bit codes are scaled up to 16 bits, so that the mapping does not posterize shadows.
            let wanted = 257 * (10 + 100 * (2 * light + 0.1 * light * light))
            #expect(abs(Double(code) - wanted) <= 1)
        }
    }

    @Test func tablesOfOpcodeList2ApplyToLinearValues() throws {
        var dng = picture
        let table = (0..<32_768).flatMap { (index: Int) -> [UInt8] in [UInt8(index >> 9), UInt8(index >> 1 & 0xFF)] }
        dng.tags[51_009] = list((7, words(0, 0, 6, 6, 0, 1, 1, 1, 32_768) + table))
        for (index, code) in try codes(dng).enumerated() {
            let expected = 257 * (10 + Double(index) / 2)
            #expect(abs(Double(code) - expected) <= 1)
        }
    }

    /// Offsets are stored in codes of 16 bits, as Adobe's SDK reads them.
    @Test func deltaAndScaleOpcodesApply() throws {
        var dng = picture
        dng.tags[50_829] = .longs([2, 2, 6, 6])
        let area = words(0, 0, 4, 4, 0, 1, 2, 1)
        dng.tags[51_009] = list(
            (10, area + words(2) + floats(32_767.5, -131_070)),
            (13, words(0, 0, 4, 4, 0, 1, 1, 1, 4) + floats(1, 1, 2, 1)))
        let found = try codes(dng)
        // The opcodes' coordinates count from the active area's corner, row 2 and column 2; negative results are
        // clamped to 0.
        for index in 0..<36 {
            let (row, column) = index.quotientAndRemainder(dividingBy: 6)
            var light = index
            if row == 2, column >= 2 { light += 50 }
            if row == 4, column >= 2 { light -= 200 }
            if row >= 2, column == 4 { light *= 2 }
            #expect(found[index] == 257 * max(0, 10 + light))
        }
        dng.tags[51_009] = list(
            (11, words(0, 0, 4, 4, 0, 1, 1, 4, 1) + floats(16_383.75)),
            (12, words(3, 0, 4, 4, 0, 1, 1, 1, 1) + floats(3)))
        let other = try codes(dng)
        let expected: [(index: Int, value: UInt16)] = [
            (2 * 6 + 2, 10 + 14 + 25), (2 * 6 + 3, 10 + 15), (5 * 6 + 3, 10 + 33 * 3), (5 * 6 + 2, 10 + (32 + 25) * 3),
        ]
        for sample in expected { #expect(other[sample.index] == 257 * sample.value) }
    }

    @Test func badPixelsAreReplaced() throws {
        var dng = picture
        var stored = (0..<36).map { UInt8(10 + $0) }
        for index in [0, 14, 16, 35] { stored[index] = 255 }
        dng.parts = [stored]
        // FixBadPixelsList of pixel (0, 0), pixels (2, 2) and (2, 4), which are neighbours of one colour, and a
        // rectangle with (5, 5).
        dng.tags[51_008] = list((5, words(0, 3, 1, 0, 0, 2, 2, 2, 4, 5, 5, 6, 6)))
        let named = try codes(dng)
        dng.tags[51_008] = list((4, words(255, 0)))
        #expect(try codes(dng) == named)
        for index in 0..<36 where ![0, 14, 16, 35].contains(index) { #expect(named[index] == 10 + index) }
        // The expected codes are the means of non-defective neighbours of the same CFA colour.
        #expect(named[0] == 10 + (2 + 12) / 2)
        #expect(named[14] == 10 + Int(((12 + 2 + 26) / 3.0).rounded()))
        #expect(named[16] == 10 + (4 + 28) / 2)
        #expect(named[35] == 10 + (33 + 23) / 2)
    }

    /// A small file that lists millions of bad pixels outside its data must not take time or memory for them.
    @Test(.timeLimit(.minutes(10))) func badPixelListsCostNothingWithoutPixelData() throws {
        var dng = HandmadeDNG.bayer(width: 60_000, height: 60_000, bits: 8)
        dng.parts = [[UInt8](repeating: 10, count: 36)]
        dng.tags[51_008] = list((5, words(0, 0, 1, 0, 0, 30_000, 30_000)))
        let file = try DNGFile(bytes: dng.file)
        #expect(file.opcodes.map(\.isRead) == [true])
        #expect(throws: DNGError.self) { try file.mosaic() }
        let half = words(0, 0, 15_000, 30_000)
        dng.tags[51_008] = list((5, words(0, 0, 3) + half + half + half))
        #expect(try DNGFile(bytes: dng.file).tagProblems.count == 1)
    }

    @Test func vignettesBecomeGains() throws {
        var dng = picture
        dng.tags[51_022] = list((3, doubles(0.5, 0.25, 0, 0, 0, 0.5, 0.5)))
        let map = try #require(try DNGFile(bytes: dng.file).metadata.lens.shading.first)
        #expect(map.gains.first == 1.75 && map.gains.last == 1.75 && map.gains[32 * 65 + 32] == 1)
        // FixVignetteRadial cannot be applied after a warp, which has changed the coordinates.
        let warp = words(1) + doubles(1, 0, 0, 0, 0, 0, 0.5, 0.5)
        dng.tags[51_022] = list((1, warp), (3, doubles(0.5, 0, 0, 0, 0, 0.5, 0.5)))
        let file = try DNGFile(bytes: dng.file)
        #expect(file.metadata.lens.shading.isEmpty)
        #expect(file.remarks.contains { $0.message.contains("FixVignetteRadial of OpcodeList3 is not done") })
    }

    /// Opcodes after a GainMap would apply to codes multiplied by the gains, but the decoder does not multiply them, so
    /// these opcodes are reported as not done.
    @Test func opcodesAfterShadingAreReported() throws {
        let gains = words(0, 0, 6, 6, 0, 1, 1, 1, 1, 1) + doubles(1, 1, 0, 0) + words(1) + floats(2)
        var dng = picture
        dng.tags[51_009] = list((9, gains), (11, words(0, 0, 6, 6, 0, 1, 1, 6, 1) + floats(1)))
        let file = try DNGFile(bytes: dng.file)
        #expect(file.opcodes.map(\.isRead) == [true, false])
        #expect(try file.mosaic().codes[0] == 10)
    }

    @Test func invalidOpcodesAreIgnoredAndReported() throws {
        let area = words(0, 0, 6, 6, 0, 1, 1, 1)
        let whole: [(number: UInt32, data: [UInt8])] = [
            (7, area + words(2) + [0, 1, 0, 2]), (8, area + words(1) + doubles(0, 1)),
            (10, area + words(6) + floats(1, 2, 3, 4, 5, 6)), (5, words(0, 1, 1, 2, 2, 0, 0, 1, 1)),
            (4, words(3, 0)), (3, doubles(0, 0, 0, 0, 0, 0.5, 0.5)),
        ]
        for step in whole {
            for count in 0..<step.data.count where step.number != 4 || count < 4 {
                var dng = picture
                dng.tags[step.number == 3 ? 51_022 : 51_008] = list((step.number, Array(step.data.prefix(count))))
                let file = try DNGFile(bytes: dng.file)
                #expect(file.tagProblems.count == 1, "\(step.number) of \(count) bytes")
                #expect(try file.mosaic().codes[7] == 17)
            }
        }
        for data in [
            words(0, 0, 6, 6, 0, 1, 0, 1, 1) + [0, 1], words(4, 0, 2, 6, 0, 1, 1, 1, 1) + [0, 1],
            words(0, 0, 6, 6, 0, 1, 1, 1, 0), words(0, 0, 6, 6, 0, 1, 1, 1, 70_000),
        ] {
            var dng = picture
            dng.tags[51_008] = list((7, data))
            #expect(try DNGFile(bytes: dng.file).tagProblems.count == 1)
        }
        var far = picture
        far.tags[51_008] = list((5, words(0, 1, 0, 6, 0)))
        #expect(try DNGFile(bytes: far.file).tagProblems.count == 1)
        far.tags[51_008] = list((5, words(0, 0, 1, 0, 0, 6, 6)))
        #expect(try DNGFile(bytes: far.file).tagProblems.count == 1)
    }
}
