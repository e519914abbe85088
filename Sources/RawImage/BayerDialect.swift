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
            }
        }
    }

    /// Returns the sample format that `name` stands for; nil for an unknown name.
    ///
    /// `significantBits` is the caps field `bpp` or `depth` that some camera plugins add; nil is also returned when it
    /// contradicts the name.
    public static func meaning(of name: String, significantBits: Int? = nil) -> CodeFormat? {
        guard var format = fourCharacterCode(name) ?? parse(name.lowercased()) else { return nil }
        if let bits = significantBits {
            // Only unpacked 16-bit words can hold codes with fewer bits than the name states.
            let isUnpacked = format.layout == .littleEndian || format.layout == .bigEndian
            guard bits == format.bitDepth || isUnpacked && (8..<format.bitDepth).contains(bits) else { return nil }
            format.bitDepth = bits
        }
        return format
    }

    /// The format names for pad templates: GStreamer's `video/x-bayer` names and the packed names of V4L2.
    public static let names: [String] = BayerPattern.allCases.flatMap { pattern -> [String] in
        let name = pattern.rawValue
        let codes = fourCharacterCodes.filter { $0.format.pattern == pattern && $0.code.hasPrefix("p") }.map(\.code)
        let wide = [10, 12, 14, 16].flatMap { ["\(name)\($0)le", "\(name)\($0)be", "\(name)\($0)"] }
        let packed = [10, 12, 14].flatMap { ["\(name)\($0)p", "S\(name.uppercased())\($0)P"] }
        return [name] + wide + packed + codes
    }

    /// Parses a lower-cased name: `rggb`, `rggb12le`, `rggb12be`, `rggb12` (native byte order), `rggb12p` (MIPI CSI-2
    /// packing) and V4L2's `srggb12p`.
    private static func parse(_ name: String) -> CodeFormat? {
        let base = name.hasPrefix("s") ? String(name.dropFirst()) : name
        guard let pattern = BayerPattern(rawValue: String(base.prefix(4))) else { return nil }
        let rest = base.dropFirst(4)
        let digits = rest.prefix { $0.isNumber }
        let ending = rest.dropFirst(digits.count)
        guard let depth = digits.isEmpty ? 8 : [8, 10, 12, 14, 16].first(where: { String($0) == digits }) else {
            return nil
        }
        switch (depth, ending) {
        case (8, ""): return CodeFormat(pattern: pattern, bitDepth: 8, layout: .bytes)
        case (10..., ""): return CodeFormat(pattern: pattern, bitDepth: depth, layout: native)
        case (10..., "le"): return CodeFormat(pattern: pattern, bitDepth: depth, layout: .littleEndian)
        case (10..., "be"): return CodeFormat(pattern: pattern, bitDepth: depth, layout: .bigEndian)
        case (10, "p"): return CodeFormat(pattern: pattern, bitDepth: 10, layout: .mipi10)
        case (12, "p"): return CodeFormat(pattern: pattern, bitDepth: 12, layout: .mipi12)
        case (14, "p"): return CodeFormat(pattern: pattern, bitDepth: 14, layout: .mipi14)
        default: return nil
        }
    }

    private static var native: CodeLayout { UInt16(1).littleEndian == 1 ? .littleEndian : .bigEndian }

    /// Looks up a four-character code of Video4Linux, in which case matters: `pgAA` is GRBG, `pGAA` is GBRG.
    private static func fourCharacterCode(_ name: String) -> CodeFormat? {
        fourCharacterCodes.first { $0.code == name }?.format
    }

    /// The four-character codes of Video4Linux for uncompressed Bayer and grey formats of 8 to 16 bits.
    package static let fourCharacterCodes: [(code: String, format: CodeFormat)] = {
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
