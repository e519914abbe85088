/// The names of Bayer formats in GStreamer, V4L2 and camera vendors' plugins.
public enum BayerDialect {
    /// The sample format that the name of a Bayer format stands for.
    public struct CodeFormat: Sendable, Hashable {
        /// The Bayer pattern at the image origin.
        public var pattern: BayerPattern
        /// Significant bits in each code.
        public var bitDepth: Int
        /// How the codes are packed into bytes.
        public var layout: CodeLayout

        /// Creates a format from its pattern, bit depth and packing.
        public init(pattern: BayerPattern, bitDepth: Int, layout: CodeLayout) {
            self.pattern = pattern
            self.bitDepth = bitDepth
            self.layout = layout
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
        let codes = packedCodes.filter { $0.pattern == pattern }.map(\.code)
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

    /// Looks up a V4L2 four-character code of a MIPI-packed format, for example `pRAA` for 10-bit RGGB: `p`, one letter
    /// for the pattern, and the letter for the bit depth twice.
    private static func fourCharacterCode(_ name: String) -> CodeFormat? {
        packedCodes.first { $0.code == name }.map {
            CodeFormat(pattern: $0.pattern, bitDepth: $0.bitDepth, layout: $0.layout)
        }
    }

    private static let packedCodes: [(code: String, pattern: BayerPattern, bitDepth: Int, layout: CodeLayout)] = {
        let patterns: [(String, BayerPattern)] = [("R", .rggb), ("B", .bggr), ("g", .grbg), ("G", .gbrg)]
        let depths: [(String, Int, CodeLayout)] = [("A", 10, .mipi10), ("C", 12, .mipi12), ("E", 14, .mipi14)]
        return patterns.flatMap { letter, pattern in
            depths.map { ("p\(letter)\($0.0)\($0.0)", pattern, $0.1, $0.2) }
        }
    }()
}
