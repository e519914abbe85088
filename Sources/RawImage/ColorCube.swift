/// A three-dimensional lookup table from RGB to RGB, the last step of a look (DNG's RGBTables).
public struct ColorCube: Sendable, Hashable, Codable {
    /// The transfer function applied to linear values before the lookup, by DNG's numbers.
    public enum Encoding: Int, Sendable, Hashable, Codable {
        /// No transfer function: linear values.
        case linear = 0
        /// The sRGB transfer function.
        case sRGB
        /// A power function with exponent 1/1.8.
        case gamma18
        /// A power function with exponent 1/2.2.
        case gamma22
        /// The Rec. 2020 transfer function.
        case rec2020
    }

    /// The RGB primaries of the table's colours, by DNG's numbers.
    public enum Primaries: Int, Sendable, Hashable, Codable {
        /// The sRGB primaries.
        case sRGB = 0
        /// The Adobe RGB primaries.
        case adobeRGB
        /// The Display P3 primaries.
        case displayP3
        /// The Rec. 2020 primaries.
        case rec2020
        /// The ProPhoto RGB primaries.
        case proPhoto
    }

    /// The number of samples along each axis of the cube.
    public let side: Int
    /// The output colours, components 0…1, `side`³ of them: red varies slowest and blue fastest.
    public let colors: [SIMD3<Float>]
    /// The transfer function of the input and output values.
    public let encoding: Encoding
    /// The RGB primaries of the input and output values.
    public let primaries: Primaries
    /// Whether input outside 0…1 is looked up at the nearest colour in 0…1 and its distance from that is added to the
    /// result; otherwise input is clamped to 0…1 (DNG's gamut processing).
    public let extendsGamut: Bool

    /// The valid numbers of samples along an axis.
    public static let sides = 2...130

    /// Creates a table; throws unless it has `side`³ colours with components in 0…1.
    public init(
        side: Int, colors: [SIMD3<Float>], encoding: Encoding = .sRGB, primaries: Primaries = .sRGB,
        extendsGamut: Bool = false
    ) throws(GscapError) {
        guard Self.sides.contains(side), colors.count == side * side * side else {
            throw GscapError(
                .badRecipe, "a colour table of \(side) samples along each axis has \(colors.count) colours")
        }
        let isSane = colors.allSatisfy { color in (0..<3).allSatisfy { (0...1).contains(color[$0]) } }
        guard isSane else {
            throw GscapError(.badRecipe, "a colour table has a component that is not between 0 and 1")
        }
        self.side = side
        self.colors = colors
        self.encoding = encoding
        self.primaries = primaries
        self.extendsGamut = extendsGamut
    }

    /// Decodes a table; throws when its values are invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            side: values.decode(Int.self, forKey: .side), colors: values.decode([SIMD3<Float>].self, forKey: .colors),
            encoding: values.decode(Encoding.self, forKey: .encoding),
            primaries: values.decode(Primaries.self, forKey: .primaries),
            extendsGamut: values.decode(Bool.self, forKey: .extendsGamut))
    }
}
