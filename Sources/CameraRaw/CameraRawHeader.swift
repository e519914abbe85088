package import DNG
package import RawImage

/// The description of a camera's raw file, read without decoding its codes.
package struct CameraRawHeader: Sendable, Hashable {
    /// The arrangement of the colours.
    package var colors: CameraRawColors
    /// The width in pixels of the visible area, without masked borders.
    package var width: Int
    /// The height in rows of the visible area.
    package var height: Int
    /// The bits of the largest code.
    package var bitDepth: Int
    /// The width of a pixel divided by its height; 1 for square pixels.
    package var pixelAspect = 1.0
    /// The part of the visible area that the camera's own pictures show, as the camera states it; nil if it does not.
    package var crop: PixelRectangle?
    /// The metadata. The time zone of the capture time is unknown, since LibRaw reads none.
    package var metadata: FrameMetadata
    /// The black levels of an X-Trans mosaic's 6×6 cell by rows, if they differ; otherwise empty.
    package var cellBlackLevels: [Double] = []
    /// The colours of a camera with four of them; nil for others.
    package var fourColors: FourColorTags?
    /// The camera's serial number; empty when unknown.
    package var serial: String
    /// The version of LibRaw that has read the file.
    package var version: String

    /// The format of a mosaic, Bayer or of a camera without colour filters; nil for other raw pictures.
    package var format: MosaicFormat? {
        var format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: bitDepth)
        switch colors {
        case .bayer(let pattern): format.pattern = pattern
        case .monochrome: format.isMonochrome = true
        default: return nil
        }
        return format
    }
}

/// The arrangement of the colours in a camera's raw picture.
package enum CameraRawColors: Sendable, Hashable {
    /// A Bayer mosaic.
    case bayer(BayerPattern)
    /// An X-Trans mosaic.
    case xTrans(XTransPattern)
    /// A mosaic of four colours: the plane, 0 to 3, of each position of its 2×2 cell by rows, and the colours of the
    /// planes as DNG numbers them (1 green, 3 cyan, 4 magenta, 5 yellow …).
    case four(planes: [Int], colors: [Int])
    /// One sample for each pixel, without colour filters.
    case monochrome
    /// Red, green and blue for each pixel, such as sRAW.
    case linear
}
