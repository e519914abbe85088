/// Colours for colours: what stands at places of the cube of red, green and blue is what a look makes of them (DNG's RGBTables).
public struct ColorCube: Sendable, Hashable, Codable {
    /// How light lies along the cube's edges, by DNG's numbers.
    public enum Encoding: Int, Sendable, Hashable, Codable {
        /// As light.
        case linear = 0
        /// By the curve of sRGB.
        case sRGB
        /// By the root 1.8.
        case gamma18
        /// By the root 2.2.
        case gamma22
        /// By the curve of Rec. 2020.
        case rec2020
    }

    /// Whose red, green and blue are meant, by DNG's numbers.
    public enum Primaries: Int, Sendable, Hashable, Codable {
        /// Those of sRGB.
        case sRGB = 0
        /// Those of Adobe RGB.
        case adobeRGB
        /// Those of Display P3.
        case displayP3
        /// Those of Rec. 2020.
        case rec2020
        /// Those of ProPhoto.
        case proPhoto
    }

    /// Places along an edge.
    public let side: Int
    /// The colours, 0…1: red by red, green by green, blue by blue.
    public let colors: [SIMD3<Float>]
    /// How light lies along the edges.
    public let encoding: Encoding
    /// Whose colours are meant.
    public let primaries: Primaries
    /// Whether colours outside the cube stay as far outside; otherwise they become the nearest ones inside.
    public let extendsGamut: Bool

    /// How many places an edge may have.
    public static let sides = 2...130

    /// A cube; throws when the colours do not fill it or are none.
    public init(
        side: Int, colors: [SIMD3<Float>], encoding: Encoding = .sRGB, primaries: Primaries = .sRGB,
        extendsGamut: Bool = false
    ) throws(RawImageError) {
        guard Self.sides.contains(side), colors.count == side * side * side else {
            throw RawImageError(.badRecipe, "a cube of \(side) places along an edge has \(colors.count) colours")
        }
        let isSane = colors.allSatisfy { color in (0..<3).allSatisfy { (0...1).contains(color[$0]) } }
        guard isSane else { throw RawImageError(.badRecipe, "a cube of colours holds one that is not between 0 and 1") }
        self.side = side
        self.colors = colors
        self.encoding = encoding
        self.primaries = primaries
        self.extendsGamut = extendsGamut
    }

    /// A cube that was encoded; throws when it is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            side: values.decode(Int.self, forKey: .side), colors: values.decode([SIMD3<Float>].self, forKey: .colors),
            encoding: values.decode(Encoding.self, forKey: .encoding),
            primaries: values.decode(Primaries.self, forKey: .primaries),
            extendsGamut: values.decode(Bool.self, forKey: .extendsGamut))
    }
}
