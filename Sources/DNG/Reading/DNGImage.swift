public import RawImage

/// A picture of a DNG file, as described by its directory (IFD).
public struct DNGImage: Sendable, Hashable {
    /// A picture's role.
    public enum Kind: String, Sendable, Hashable {
        /// A raw mosaic with a 2×2 Bayer pattern.
        case bayer
        /// A raw mosaic with Fujifilm's 6×6 X-Trans pattern.
        case xTrans
        /// Linear samples of each pixel: demosaiced camera RGB, four colours, or one sample of a monochrome camera.
        case linear
        /// A display-referred preview.
        case preview
        /// A semantic mask of part of the scene.
        case mask
        /// A depth map.
        case depth
        /// Any other picture.
        case other
    }

    /// The picture's role.
    public let kind: Kind
    /// Whether this is the main raw picture.
    public let isMain: Bool
    /// The width in pixels.
    public let width: Int
    /// The height in rows.
    public let height: Int
    /// Bits per stored sample.
    public let bitsPerSample: Int
    /// Samples per pixel.
    public let samplesPerPixel: Int
    /// Whether stored samples are floating-point numbers.
    public let isFloatingPoint: Bool
    /// The compression of the pixels.
    public let compression: DNGCompression
    /// Whether pixels are stored in tiles rather than strips.
    public let isTiled: Bool
    /// The Bayer pattern at the picture's top left pixel; nil for other pictures.
    public let pattern: BayerPattern?
    /// The X-Trans pattern at the picture's top left pixel; nil for other pictures.
    public let xTransPattern: XTransPattern?
    /// The ActiveArea: the pixels exposed to light, without masked borders.
    public let activeArea: PixelRectangle
    /// The default crop that converters show, in picture coordinates.
    public let defaultCrop: PixelRectangle
    /// The SemanticName of a mask; empty for other pictures.
    public let name: String

    /// The byte offset of the picture's directory.
    let offset: Int
    /// The PhotometricInterpretation.
    let photometric: UInt16
}

extension DNGImage {
    /// Whether this is the raw picture of a monochrome camera: one sample a pixel, without colour filters.
    public var isMonochrome: Bool { kind == .linear && samplesPerPixel == 1 }

    /// Whether this is a raw picture that can be decoded.
    var isRaw: Bool { kind == .bayer || kind == .xTrans || kind == .linear }

    /// Whether samples are integers of more than 16 bits, which are scaled to 16-bit codes when they are read.
    var isWide: Bool { bitsPerSample > 16 && !isFloatingPoint }

    /// The picture's description in error messages.
    var place: String { "the \(kind.rawValue) picture of the directory at byte \(offset)" }
}
