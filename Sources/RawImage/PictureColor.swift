/// The colour space of a rendered image: its RGB primaries and its transfer function.
public struct PictureColor: Sendable, Hashable, Codable {
    /// RGB primaries, all with D65 as the white point.
    public enum Primaries: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sRGB and BT.709 primaries.
        case sRGB
        /// The Display P3 primaries.
        case displayP3
        /// The BT.2020 and BT.2100 primaries.
        case rec2020
    }

    /// The function that encodes linear values as samples.
    public enum Transfer: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sRGB transfer function, also used by Display P3; 1 is diffuse white.
        case sRGB
        /// The BT.709 transfer function, also used by BT.2020; 1 is diffuse white.
        case rec709
        /// Linear; 1 is diffuse white, and highlights may exceed it.
        case linear
        /// Perceptual quantizer (SMPTE ST 2084): absolute luminance up to 10,000 cd/m², diffuse white at 203 cd/m².
        case pq
        /// Hybrid log-gamma (ARIB STD-B67), with diffuse white at a signal of 0.75.
        case hlg
    }

    /// The RGB primaries.
    public var primaries: Primaries
    /// The transfer function.
    public var transfer: Transfer

    /// Creates a colour space from its primaries and transfer function.
    public init(_ primaries: Primaries, _ transfer: Transfer) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// sRGB, which every viewer supports.
    public static let sRGB = PictureColor(.sRGB, .sRGB)
    /// Display P3, the wide gamut of most current displays.
    public static let displayP3 = PictureColor(.displayP3, .sRGB)

    /// Whether samples can represent highlights brighter than diffuse white.
    public var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg || transfer == .linear }
}
