public import RawImage

/// A picture of a DNG file, as described by its directory (IFD).
public struct DNGImage: Sendable, Hashable {
    /// A picture's role.
    public enum Kind: String, Sendable, Hashable {
        /// A raw mosaic with a 2×2 Bayer pattern.
        case bayer
        /// A raw mosaic with Fujifilm's 6×6 X-Trans pattern.
        case xTrans
        /// A raw mosaic with a 2×2 pattern of four colours, such as CMYG or RGBE.
        case fourColor
        /// A raw mosaic of red, green and blue in a pattern of 2×4 or 4×2 pixels, which is interpolated when it is
        /// read.
        case longPattern
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
    /// Whether this is a quad Bayer mosaic, whose colours have 2×2 pixels each. These are averaged when the picture is
    /// read: its size and areas are those of the Bayer mosaic of half its sides.
    public let isQuad: Bool
    /// Whether the size and areas are those of the averaged pixels of a quad mosaic, not those stored.
    let isBinned: Bool
    /// The X-Trans pattern at the picture's top left pixel; nil for other pictures.
    public let xTransPattern: XTransPattern?
    /// The colour planes, 0 to 3 in the order of CFAPlaneColor, of the 2×2 cell of four colours at the picture's top
    /// left; empty for other pictures.
    let fourColorPlanes: [Int]
    /// The pattern of 2×4 or 4×2 pixels; nil for other pictures.
    let longPattern: LongPattern?
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

extension DNGImage.Kind {
    /// Whether pictures of this kind are raw ones that can be decoded.
    var isRaw: Bool { [.bayer, .xTrans, .fourColor, .longPattern, .linear].contains(self) }
}

extension DNGImage {
    /// Whether this is the raw picture of a monochrome camera: one sample a pixel, without colour filters.
    public var isMonochrome: Bool { kind == .linear && samplesPerPixel == 1 }

    /// Whether this is a raw picture that can be decoded.
    var isRaw: Bool { kind.isRaw }

    /// The cell of a mosaic's colours at the picture's top left; nil for other pictures.
    var cell: ColorCell? {
        switch kind {
        case .bayer: pattern.map(ColorCell.init)
        case .xTrans: xTransPattern.map(ColorCell.init)
        // A copy keeps the tags of the four colours, whose order suffices here.
        case .fourColor: ColorCell(planes: fourColorPlanes, of: [0, 1, 2, 3])
        default: nil
        }
    }

    /// The number of the camera's colours.
    var colors: Int { kind == .fourColor ? 4 : kind != .linear ? 3 : samplesPerPixel }

    /// Whether samples are integers of more than 16 bits, which are scaled to 16-bit codes when they are read.
    var isWide: Bool { bitsPerSample > 16 && !isFloatingPoint }

    /// The picture's description in error messages.
    var place: String { "the \(kind.rawValue) picture of the directory at byte \(offset)" }
}
