/// What the numbers of a finished picture mean: which red, green and blue, and how numbers stand for light.
public struct PictureColor: Sendable, Hashable, Codable {
    /// Red, green and blue, all with daylight (D65) as white.
    public enum Primaries: String, Sendable, Hashable, Codable, CaseIterable {
        /// Those of sRGB and BT.709.
        case sRGB
        /// Those of Display P3.
        case displayP3
        /// Those of BT.2020 and BT.2100.
        case rec2020
    }

    /// How numbers stand for light.
    public enum Transfer: String, Sendable, Hashable, Codable, CaseIterable {
        /// The curve of sRGB, which Display P3 has too; 1 is the white of paper.
        case sRGB
        /// The curve of BT.709, which BT.2020 has too; 1 is the white of paper.
        case rec709
        /// In proportion to light; 1 is the white of paper, and light may go beyond.
        case linear
        /// Absolute light up to 10,000 cd/m² (SMPTE ST 2084), with the white of paper at 203 cd/m².
        case pq
        /// Light up to twelve times that of a middle (ARIB STD-B67), with the white of paper at 0.75.
        case hlg
    }

    /// Red, green and blue.
    public var primaries: Primaries
    /// How numbers stand for light.
    public var transfer: Transfer

    /// A meaning of numbers.
    public init(_ primaries: Primaries, _ transfer: Transfer) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// sRGB, which every viewer knows.
    public static let sRGB = PictureColor(.sRGB, .sRGB)
    /// Display P3, the colours of most screens of today.
    public static let displayP3 = PictureColor(.displayP3, .sRGB)

    /// Whether light beyond the white of paper can be told.
    public var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg || transfer == .linear }
}
