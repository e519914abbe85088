/// The sizes and memory layouts of the burst kernels. They work on tiles of 32×32 mosaic pixels, stored as four planes
/// of 16 rows of 16 values, one for each CFA position. Rows are of 16 values unless stated otherwise.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum BurstTile {
    /// The width and height of one of a tile's four planes, in values.
    @inlinable @inline(__always) public static var planeSide: Int { 16 }
    /// The number of values of a tile's plane, and equally of the spatial frequencies of a tile.
    @inlinable @inline(__always) public static var planeCount: Int { planeSide &* planeSide }
    /// The width and height of a tile in mosaic pixels.
    @inlinable @inline(__always) public static var side: Int { 2 &* planeSide }
    /// The total number of rows of a tile's four planes.
    @inlinable @inline(__always) public static var rows: Int { 4 &* planeSide }

    /// The width and height of the block of codes that `subtractReferenceTile` reads for a tile: the tile and the reach
    /// of four interpolation taps that are two pixels apart.
    @inlinable @inline(__always) public static var colorBlock: Int { side &+ 2 &* 3 }
    /// The number of rows of codes that `subtractReferenceGreyTile` reads for a tile: the tile and the reach of four
    /// interpolation taps that are one pixel apart.
    @inlinable @inline(__always) public static var greyBlockRows: Int { side &+ 3 }
    /// The number of columns of codes that `subtractReferenceGreyTile` reads for a tile: the tile and the reach of four
    /// interpolation taps, rounded up to whole Bayer cells.
    @inlinable @inline(__always) public static var greyBlockColumns: Int { side &+ 4 }

    /// The number of interpolated rows in the scratch memory of the `subtractReference` kernels: one of even and one of
    /// odd columns for each row of the block of codes.
    @inlinable @inline(__always) public static var interpolatedRows: Int { 2 &* colorBlock }
    /// The number of values that the even columns of a row of codes take when split from the odd ones, including
    /// padding; the odd columns take as many.
    @inlinable @inline(__always) public static var splitColumns: Int { 24 }
    /// The scratch memory of the `subtractReference` kernels, in rows of 16 values: interpolated rows, then rows split
    /// into even and odd columns.
    @inlinable @inline(__always) public static var subtractRows: Int {
        interpolatedRows &+ colorBlock &* 2 &* splitColumns / 16
    }
    /// The scratch memory of `noiseExcess`, in rows of 16 values: it holds 16 rows of 17 values.
    @inlinable @inline(__always) public static var energyRows: Int { planeSide &+ 1 }
    /// The scratch memory of `removeOutliers`, in rows of 16 values: it holds 18 rows of 18 values.
    @inlinable @inline(__always) public static var outlierRows: Int { planeSide &+ 5 }

    /// The scratch memory of `denoiseWindowedTile`, in rows of 16 values: the energies of the common part and of the
    /// rest, what is taken from each, then the frequencies of the four planes.
    @inlinable @inline(__always) public static var denoisingRows: Int { (2 &+ 2 &+ 8) &* planeSide }

    /// The offset in values of a tile's sums of weights, behind the sums of its four planes.
    @inlinable @inline(__always) public static var weightSums: Int { 4 &* planeCount }
    /// The number of sums of a tile: those of the four planes and those of the weights.
    @inlinable @inline(__always) public static var sumCount: Int { weightSums &+ planeCount }
}
