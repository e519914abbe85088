/// The names of Bayer formats in GStreamer, V4L2 and camera vendors' plugins.
public enum BayerDialect {
    /// The sample format that the name of a Bayer format stands for.
    public struct CodeFormat: Sendable, Hashable {
        /// The Bayer pattern at the image origin; nil for a camera without colour filters.
        public var pattern: BayerPattern?
        /// Significant bits in each code.
        public var bitDepth: Int
        /// How the codes are packed into bytes.
        public var layout: CodeLayout

        /// Creates a format from its pattern, bit depth and packing.
        public init(pattern: BayerPattern?, bitDepth: Int, layout: CodeLayout) {
            self.pattern = pattern
            self.bitDepth = bitDepth
            self.layout = layout
        }

        /// The name in GStreamer's manner: `rggb`, `rggb12le`, `rggb12p`; `mono12le` without a pattern.
        public var name: String {
            let base = pattern?.rawValue ?? "mono"
            return switch layout {
            case .bytes: base
            case .littleEndian: "\(base)\(bitDepth)le"
            case .bigEndian: "\(base)\(bitDepth)be"
            case .mipi10, .mipi12, .mipi14: "\(base)\(bitDepth)p"
            // GStreamer has no name for these packings.
            case .lowest10, .lowest12, .gige10, .gige12:
                genICamNames.first { $0.format == self }?.name ?? base
            }
        }
    }

    /// Returns the sample format that `name` stands for; nil for an unknown name.
    ///
    /// Case matters in Video4Linux' and GenICam's names: `pgAA` is GRBG and `pGAA` GBRG, `mono12p` is packed as in MIPI
    /// CSI-2 and `Mono12p` from the lowest bit on. `significantBits` is the caps field `bpp` or `depth` that some
    /// camera plugins add; nil is also returned when it contradicts the name.
    public static func meaning(of name: String, significantBits: Int? = nil) -> CodeFormat? {
        guard var format = spellings[name] ?? parse(name.lowercased()) else { return nil }
        if let bits = significantBits {
            // Only unpacked 16-bit words can hold codes with fewer bits than the name states.
            let isUnpacked = format.layout == .littleEndian || format.layout == .bigEndian
            guard bits == format.bitDepth || isUnpacked && (8..<format.bitDepth).contains(bits) else { return nil }
            format.bitDepth = bits
        }
        return format
    }

    /// The format names for pad templates: those of GStreamer, Video4Linux, libcamera and GenICam.
    public static let names: [String] = {
        let generic = patterns.flatMap { pattern -> [String] in
            let name = pattern?.rawValue ?? "mono"
            let wide = [10, 12, 14, 16].flatMap { ["\(name)\($0)le", "\(name)\($0)be", "\(name)\($0)"] }
            let packed = [10, 12, 14].flatMap { depth -> [String] in
                let other = "S\(name.uppercased())\(depth)"
                return ["\(name)\(depth)p"] + (pattern == nil ? [] : [other, other + "P", other + "_CSI2P"])
            }
            return [name] + (pattern == nil ? [] : ["S\(name.uppercased())8"]) + wide + packed
        }
        // A name with a space needs quotation marks in caps.
        return generic + exactNames.map(\.name).filter { !$0.contains(" ") }
    }()

    private static let patterns: [BayerPattern?] = BayerPattern.allCases + [nil]

    /// Parses a lower-cased name: `rggb`, `rggb12le`, `rggb12be`, `rggb12` (native byte order), `rggb12p` (MIPI CSI-2
    /// packing), the same with `mono`, V4L2's `srggb12p` and libcamera's `srggb12_csi2p`.
    private static func parse(_ name: String) -> CodeFormat? {
        let base = name.hasPrefix("s") ? String(name.dropFirst()) : name
        let pattern = BayerPattern(rawValue: String(base.prefix(4)))
        guard pattern != nil || name.hasPrefix("mono") else { return nil }
        let rest = base.dropFirst(4)
        let digits = rest.prefix { $0.isNumber }
        let ending = rest.dropFirst(digits.count)
        guard let depth = digits.isEmpty ? 8 : [8, 10, 12, 14, 16].first(where: { String($0) == digits }) else {
            return nil
        }
        let layout: CodeLayout? =
            switch (depth, ending) {
            case (8, ""): .bytes
            case (10..., ""): native
            case (10..., "le"): .littleEndian
            case (10..., "be"): .bigEndian
            case (10, "p"), (10, "_csi2p"): .mipi10
            case (12, "p"), (12, "_csi2p"): .mipi12
            case (14, "p"), (14, "_csi2p"): .mipi14
            default: nil
            }
        return layout.map { CodeFormat(pattern: pattern, bitDepth: depth, layout: $0) }
    }

    private static var native: CodeLayout { UInt16(1).littleEndian == 1 ? .littleEndian : .bigEndian }

    /// The names that are not parsed, because case matters in them or because they follow no rule.
    private static let spellings = Dictionary(uniqueKeysWithValues: exactNames.map { ($0.name, $0.format) })

    private static let exactNames = fourCharacterCodes + greyCodes + genICamNames

    /// Video4Linux' codes of four characters without their final space.
    private static let greyCodes = fourCharacterCodes.filter { $0.name.hasSuffix(" ") }.map {
        (name: String($0.name.dropLast()), format: $0.format)
    }

    /// The names of GenICam's Pixel Format Naming Convention and GigE Vision: `BayerRG12p`, `BayerRG12Packed`,
    /// `BayerRG12`, `Mono12p`.
    static let genICamNames: [(name: String, format: CodeFormat)] = {
        let bases: [(String, BayerPattern?)] = [
            ("BayerRG", .rggb), ("BayerGR", .grbg), ("BayerGB", .gbrg), ("BayerBG", .bggr), ("Mono", nil),
        ]
        let endings: [(ending: String, depth: Int, layout: CodeLayout)] = [
            ("8", 8, .bytes), ("10", 10, .littleEndian), ("12", 12, .littleEndian), ("14", 14, .littleEndian),
            ("16", 16, .littleEndian), ("10p", 10, .lowest10), ("12p", 12, .lowest12), ("10Packed", 10, .gige10),
            ("12Packed", 12, .gige12),
        ]
        return bases.flatMap { base, pattern in
            endings.map {
                (base + $0.ending, CodeFormat(pattern: pattern, bitDepth: $0.depth, layout: $0.layout))
            }
        }
    }()

    /// The four-character codes of Video4Linux for uncompressed Bayer and grey formats of 8 to 16 bits.
    package static let fourCharacterCodes: [(name: String, format: CodeFormat)] = {
        let patterns: [BayerPattern?] = [.bggr, .gbrg, .grbg, .rggb, nil]
        let codes: [(depth: Int, layout: CodeLayout, codes: [String])] = [
            (8, .bytes, ["BA81", "GBRG", "GRBG", "RGGB", "GREY"]),
            (10, .littleEndian, ["BG10", "GB10", "BA10", "RG10", "Y10 "]),
            (10, .mipi10, ["pBAA", "pGAA", "pgAA", "pRAA", "Y10P"]),
            (12, .littleEndian, ["BG12", "GB12", "BA12", "RG12", "Y12 "]),
            (12, .mipi12, ["pBCC", "pGCC", "pgCC", "pRCC", "Y12P"]),
            (14, .littleEndian, ["BG14", "GB14", "GR14", "RG14", "Y14 "]),
            (14, .mipi14, ["pBEE", "pGEE", "pgEE", "pREE", "Y14P"]),
            (16, .littleEndian, ["BYR2", "GB16", "GR16", "RG16", "Y16 "]),
        ]
        return codes.flatMap { row in
            zip(patterns, row.codes).map { pattern, code in
                (code, CodeFormat(pattern: pattern, bitDepth: row.depth, layout: row.layout))
            }
        } + [("Y16 -BE", CodeFormat(pattern: nil, bitDepth: 16, layout: .bigEndian))]
    }()
}
