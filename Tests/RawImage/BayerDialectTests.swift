import RawImage
import Testing

@Suite struct BayerDialectTests {
    @Test(arguments: BayerPattern.allCases, [10, 12, 14, 16])
    func namesOfGStreamer(_ pattern: BayerPattern, _ depth: Int) {
        let name = "\(pattern.rawValue)\(depth)"
        #expect(
            BayerDialect.meaning(of: name + "le")
                == BayerDialect.CodeFormat(pattern: pattern, bitDepth: depth, layout: .littleEndian))
        #expect(
            BayerDialect.meaning(of: name + "be")
                == BayerDialect.CodeFormat(pattern: pattern, bitDepth: depth, layout: .bigEndian))
    }

    @Test(arguments: BayerPattern.allCases)
    func eightBitsHaveNoSuffix(_ pattern: BayerPattern) {
        let meaning = BayerDialect.CodeFormat(pattern: pattern, bitDepth: 8, layout: .bytes)
        #expect(BayerDialect.meaning(of: pattern.rawValue) == meaning)
        #expect(BayerDialect.meaning(of: pattern.rawValue, significantBits: 8) == meaning)
        #expect(BayerDialect.meaning(of: pattern.rawValue, significantBits: 10) == nil)
    }

    @Test func namesWithoutByteOrderAreThisMachines() {
        #expect(BayerDialect.meaning(of: "rggb16")?.layout == .littleEndian)
        #expect(BayerDialect.meaning(of: "gbrg12")?.bitDepth == 12)
    }

    @Test func significantBitsNarrowAContainer() {
        #expect(BayerDialect.meaning(of: "rggb16le", significantBits: 10)?.bitDepth == 10)
        #expect(BayerDialect.meaning(of: "rggb10le", significantBits: 10)?.bitDepth == 10)
        #expect(BayerDialect.meaning(of: "rggb16be", significantBits: 9)?.bitDepth == 9)
        #expect(BayerDialect.meaning(of: "rggb10le", significantBits: 12) == nil)
        #expect(BayerDialect.meaning(of: "rggb16le", significantBits: 7) == nil)
        #expect(BayerDialect.meaning(of: "rggb10p", significantBits: 8) == nil)
        #expect(BayerDialect.meaning(of: "rggb10p", significantBits: 10)?.layout == .mipi10)
    }

    @Test func packedNamesAndTheirAliases() {
        let spellings: [(names: [String], meaning: BayerDialect.CodeFormat)] = [
            (["rggb10p", "SRGGB10P", "pRAA"], BayerDialect.CodeFormat(pattern: .rggb, bitDepth: 10, layout: .mipi10)),
            (["bggr10p", "SBGGR10P", "pBAA"], BayerDialect.CodeFormat(pattern: .bggr, bitDepth: 10, layout: .mipi10)),
            (["gbrg10p", "SGBRG10P", "pGAA"], BayerDialect.CodeFormat(pattern: .gbrg, bitDepth: 10, layout: .mipi10)),
            (["grbg10p", "SGRBG10P", "pgAA"], BayerDialect.CodeFormat(pattern: .grbg, bitDepth: 10, layout: .mipi10)),
            (["rggb12p", "SRGGB12P", "pRCC"], BayerDialect.CodeFormat(pattern: .rggb, bitDepth: 12, layout: .mipi12)),
            (["grbg14p", "SGRBG14P", "pgEE"], BayerDialect.CodeFormat(pattern: .grbg, bitDepth: 14, layout: .mipi14)),
        ]
        for (names, meaning) in spellings {
            for name in names { #expect(BayerDialect.meaning(of: name) == meaning, "\(name)") }
        }
    }

    @Test(arguments: [
        "", "rgb", "rggb11le", "rggb010le", "rggb8le", "rggb16p", "rggb12x", "rggb-10", "xggb10le", "pRBB", "praa",
        "rggb99999999999999999999le",
    ])
    func whatNobodyUsesIsRefused(_ name: String) {
        #expect(BayerDialect.meaning(of: name) == nil)
    }

    @Test func allNamesAreUnderstoodAndDiffer() {
        #expect(Set(BayerDialect.names).count == BayerDialect.names.count)
        for name in BayerDialect.names { #expect(BayerDialect.meaning(of: name) != nil, "\(name)") }
    }
}
