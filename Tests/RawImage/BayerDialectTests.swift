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

    /// Case matters: `mono12p` is packed as in MIPI CSI-2, `Mono12p` from the lowest bit on.
    @Test(
        arguments: [
            ("pgAA", .grbg, 10, .mipi10), ("pGAA", .gbrg, 10, .mipi10), ("BA10", .grbg, 10, .littleEndian),
            ("BA81", .bggr, 8, .bytes), ("RG10", .rggb, 10, .littleEndian), ("BYR2", .bggr, 16, .littleEndian),
            ("Y10P", nil, 10, .mipi10), ("Y12 ", nil, 12, .littleEndian), ("Y12", nil, 12, .littleEndian),
            ("GREY", nil, 8, .bytes), ("Y16 -BE", nil, 16, .bigEndian), ("SRGGB10_CSI2P", .rggb, 10, .mipi10),
            ("SBGGR12_CSI2P", .bggr, 12, .mipi12), ("SGRBG8", .grbg, 8, .bytes), ("BayerRG12p", .rggb, 12, .lowest12),
            ("BayerGB10p", .gbrg, 10, .lowest10), ("BayerBG12Packed", .bggr, 12, .gige12),
            ("BayerGR10Packed", .grbg, 10, .gige10), ("BayerRG8", .rggb, 8, .bytes),
            ("BayerRG12", .rggb, 12, .littleEndian), ("Mono8", nil, 8, .bytes), ("Mono16", nil, 16, .littleEndian),
            ("Mono12p", nil, 12, .lowest12), ("mono12p", nil, 12, .mipi12), ("mono10le", nil, 10, .littleEndian),
            ("mono", nil, 8, .bytes), ("mono16be", nil, 16, .bigEndian),
        ] as [(String, BayerPattern?, Int, CodeLayout)])
    func namesOfDriversAndVendors(_ name: String, _ pattern: BayerPattern?, _ depth: Int, _ layout: CodeLayout) {
        let meaning = BayerDialect.CodeFormat(pattern: pattern, bitDepth: depth, layout: layout)
        #expect(BayerDialect.meaning(of: name) == meaning)
        #expect(BayerDialect.meaning(of: meaning.name) == meaning)
    }

    @Test(arguments: [
        "", "smono12le", "monochrome", "bayerrg12p", "rgb", "rggb11le", "rggb010le", "rggb8le", "rggb16p", "rggb12x",
        "rggb-10", "xggb10le", "pRBB", "praa",
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
