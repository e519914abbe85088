/// The sizes and memory layouts of the burst alignment kernels, in values. They work on tiles of 16×16 grey pixels.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum AlignmentTile {
    /// The width and height of a tile.
    @inlinable @inline(__always) public static var side: Int { 16 }
    /// The number of pixels of a tile.
    @inlinable @inline(__always) public static var count: Int { side &* side }

    // The sums of products that `correlateGradients` stores: gx and gy are the gradients of the tile a of the reference
    // frame, to the right and down.

    /// The offset, in the sums of products, of that of gx · gx (gx is the gradient to the right).
    @inlinable @inline(__always) public static var gxx: Int { 0 }
    /// The offset, in the sums of products, of that of gx · gy (the gradients to the right and down).
    @inlinable @inline(__always) public static var gxy: Int { 1 }
    /// The offset, in the sums of products, of that of gy · gy (gy is the gradient down).
    @inlinable @inline(__always) public static var gyy: Int { 2 }
    /// The offset of the sum of the gradients to the right times the reference frame's pixels (gx · a). The sum with
    /// the gradients down (gy · a) follows.
    @inlinable @inline(__always) public static var gradientsByTile: Int { 3 }
    /// Returns the offset of the sum of gx · b, where b is the other frame's tile shifted by −1, 0 or 1 pixels to the
    /// right and down, and gx the reference tile's gradients to the right; the sum of gy · b (gradients down) follows.
    @inlinable @inline(__always) public static func gradientsByShifted(right: Int, down: Int) -> Int {
        gradientsByTile &+ 2 &+ 2 &* (shifts &* (right &+ 1) &+ down &+ 1)
    }
    /// The number of shifts along each direction: −1, 0 and 1 pixels.
    @inlinable @inline(__always) public static var shifts: Int { 3 }
    /// The number of sums of products: three of gradients, two with the reference's tile, and two for each of 3×3
    /// shifts.
    @inlinable @inline(__always) public static var sumCount: Int { gradientsByTile &+ 2 &+ 2 &* shifts &* shifts }

    // The scratch memory of `correlateGradients`.

    /// The offset, in the scratch memory of `correlateGradients`, of the gradients to the right.
    @inlinable @inline(__always) public static var acrossGradients: Int { 0 }
    /// The offset, in the scratch memory of `correlateGradients`, of the gradients down.
    @inlinable @inline(__always) public static var downGradients: Int { acrossGradients &+ count }
    /// The offset, in the scratch memory of `correlateGradients`, of the pixels that are multiplied by the gradients.
    @inlinable @inline(__always) public static var pixels: Int { downGradients &+ count }
    /// The number of rows of pixels in the scratch memory: those of a tile, one more above and one more below, for
    /// shifts by −1 to 1 pixels.
    @inlinable @inline(__always) public static var pixelRows: Int { side &+ shifts &- 1 }
    /// The number of values of the scratch memory.
    @inlinable @inline(__always) public static var scratchCount: Int { pixels &+ pixelRows &* side }
}
