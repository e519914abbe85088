/// The sizes and memory layouts of the super-resolution kernels, in values. They work on tiles of 16×16 mosaic pixels;
/// a quad is one 2×2 cell of the Bayer pattern. Rows are padded to whole vectors of eight values.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum SuperResolutionTile {
    /// The width and height of a tile in pixels.
    @inlinable @inline(__always) public static var side: Int { 16 }
    /// The number of pixels of a tile.
    @inlinable @inline(__always) public static var count: Int { side &* side }
    /// The width and height of a tile in quads.
    @inlinable @inline(__always) public static var quads: Int { side / 2 }
    /// The number of quads of a tile.
    @inlinable @inline(__always) public static var quadCount: Int { quads &* quads }

    /// The number of pixels around a tile from which samples contribute to it.
    @inlinable @inline(__always) public static var margin: Int { 2 }
    /// The number of taps of the kernel that spreads residuals, across and down.
    @inlinable @inline(__always) public static var kernelTaps: Int { 2 &* margin &+ 1 }
    /// The number of taps that interpolate the guide, across and down.
    @inlinable @inline(__always) public static var guideTaps: Int { 4 }

    /// The number of rows of samples of a tile, including its margin.
    @inlinable @inline(__always) public static var sampleRows: Int { side &+ 2 &* margin }
    /// The distance between rows of samples; the last four samples of a row are padding.
    @inlinable @inline(__always) public static var sampleStride: Int { 24 }
    /// The number of samples of a tile, including its margin and the padding.
    @inlinable @inline(__always) public static var sampleCount: Int { sampleRows &* sampleStride }

    /// The number of rows of the guide that are interpolated across before they are interpolated down.
    @inlinable @inline(__always) public static var guideRows: Int { sampleRows &+ guideTaps &- 1 }
    /// The distance between the two planes of the guide's rows, one for rows with red samples and one for rows with
    /// blue samples.
    @inlinable @inline(__always) public static var guidePlane: Int { sampleStride &* sampleStride }
    /// The scratch memory of `superResolutionResidual`.
    @inlinable @inline(__always) public static var guideCount: Int { 2 &* guidePlane }

    /// The number of rows of quads that have a precision: the tile and its margin.
    @inlinable @inline(__always) public static var precisionRows: Int { sampleRows / 2 }
    /// The number of columns of quads that have a precision, including those of the padding.
    @inlinable @inline(__always) public static var precisionColumns: Int { sampleStride / 2 }
    /// The distance between rows of precisions.
    @inlinable @inline(__always) public static var precisionStride: Int { 16 }
    /// The distance between the precisions of red, green and blue.
    @inlinable @inline(__always) public static var precisionPlane: Int { precisionRows &* precisionStride }
    /// The number of precisions of a tile.
    @inlinable @inline(__always) public static var precisionCount: Int { 3 &* precisionPlane }
    /// The offset of the precision of a tile's own first quad.
    @inlinable @inline(__always) public static var firstPrecision: Int { (precisionStride &+ 1) &* (margin / 2) }
    /// The scratch memory of `superResolutionAgreement`: normalised residuals of the three colours, then their energy.
    @inlinable @inline(__always) public static var agreementCount: Int { 4 &* precisionPlane }

    /// The number of weights of a tile: a row for each row of quads, a column for each pixel.
    @inlinable @inline(__always) public static var weightCount: Int { quads &* side }

    /// The offset of the sums of weights behind the sums of residuals, each of three colours.
    @inlinable @inline(__always) public static var weightSums: Int { 3 &* count }
    /// The number of sums of residuals and weights.
    @inlinable @inline(__always) public static var sumCount: Int { 2 &* weightSums }
}

/// Pointers to the same position in planes of red, green and blue linear values, with rows `stride` values apart.
@unsafe
package struct ColorPlanes {
    package let red: UnsafePointer<Float>
    package let green: UnsafePointer<Float>
    package let blue: UnsafePointer<Float>
    package let stride: Int

    /// Groups three planes.
    package init(
        red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>, stride: Int
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.stride = stride
    }
}
