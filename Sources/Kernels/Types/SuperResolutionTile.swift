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

    /// The width in pixels of the margin around a tile whose samples also contribute to the tile.
    @inlinable @inline(__always) public static var margin: Int { 2 }
    /// The number of taps, in each direction, of the kernel that weights the residuals of the samples around a pixel.
    @inlinable @inline(__always) public static var kernelTaps: Int { 2 &* margin &+ 1 }
    /// The number of taps, in each direction, that interpolate the guide picture.
    @inlinable @inline(__always) public static var guideTaps: Int { 4 }

    /// The number of rows of samples of a tile, including the margins above and below.
    @inlinable @inline(__always) public static var sampleRows: Int { side &+ 2 &* margin }
    /// The distance between rows of samples, in values; the last four values of a row are padding.
    @inlinable @inline(__always) public static var sampleStride: Int { 24 }
    /// The number of samples of a tile, including its margin and the padding.
    @inlinable @inline(__always) public static var sampleCount: Int { sampleRows &* sampleStride }

    /// The number of the guide picture's rows that are interpolated across for a tile, before they are interpolated
    /// down.
    @inlinable @inline(__always) public static var guideRows: Int { sampleRows &+ guideTaps &- 1 }
    /// The distance in values between the two planes of guide rows interpolated across: one plane for rows with red
    /// samples and one for rows with blue samples.
    @inlinable @inline(__always) public static var guidePlane: Int { sampleStride &* sampleStride }
    /// The scratch memory of `superResolutionResidual`, in values.
    @inlinable @inline(__always) public static var guideCount: Int { 2 &* guidePlane }

    /// The number of rows of quads for which a precision (1 / standard deviation of residuals) is computed: those of
    /// the tile and its margin.
    @inlinable @inline(__always) public static var precisionRows: Int { sampleRows / 2 }
    /// The number of columns of quads for which a precision (1 / standard deviation of residuals) is computed,
    /// including the rows' padding.
    @inlinable @inline(__always) public static var precisionColumns: Int { sampleStride / 2 }
    /// The distance between rows of precisions (1 / standard deviation of residuals), in values.
    @inlinable @inline(__always) public static var precisionStride: Int { 16 }
    /// The distance in values between the planes of precisions (1 / standard deviation of residuals) of red, green and
    /// blue.
    @inlinable @inline(__always) public static var precisionPlane: Int { precisionRows &* precisionStride }
    /// The number of precisions (1 / standard deviation of residuals) of a tile, in all three colours.
    @inlinable @inline(__always) public static var precisionCount: Int { 3 &* precisionPlane }
    /// The offset in values of the precision of a tile's first quad, behind that of the margin.
    @inlinable @inline(__always) public static var firstPrecision: Int { (precisionStride &+ 1) &* (margin / 2) }
    /// The scratch memory of `superResolutionAgreement`, in values: residuals divided by their standard deviation, for
    /// three colours, then their energy.
    @inlinable @inline(__always) public static var agreementCount: Int { 4 &* precisionPlane }

    /// The number of weights of a tile: one row for each row of quads, one column for each pixel.
    @inlinable @inline(__always) public static var weightCount: Int { quads &* side }

    /// The offset in values of the sums of weights, behind the sums of residuals; both have three colours.
    @inlinable @inline(__always) public static var weightSums: Int { 3 &* count }
    /// The number of a tile's sums of residuals and of weights together.
    @inlinable @inline(__always) public static var sumCount: Int { 2 &* weightSums }
}

/// Pointers to the same position in planes of red, green and blue linear values, with rows `stride` values apart.
@unsafe
package struct ColorPlanes {
    package let red: UnsafePointer<Float>
    package let green: UnsafePointer<Float>
    package let blue: UnsafePointer<Float>
    package let stride: Int

    /// Groups pointers to three planes with equal distances between rows.
    package init(
        red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>, stride: Int
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.stride = stride
    }
}
