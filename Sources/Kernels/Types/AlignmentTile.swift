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

    /// The offset of the sum of gx · gx.
    @inlinable @inline(__always) public static var gxx: Int { 0 }
    /// The offset of the sum of gx · gy.
    @inlinable @inline(__always) public static var gxy: Int { 1 }
    /// The offset of the sum of gy · gy.
    @inlinable @inline(__always) public static var gyy: Int { 2 }
    /// The offset of the sum of gx · a, which the sum of gy · a follows.
    @inlinable @inline(__always) public static var gradientsByTile: Int { 3 }
    /// Returns the offset of the sum of gx · b, which the sum of gy · b follows, where b is the tile of the other frame
    /// shifted by −1, 0 or 1 pixels to the right and down.
    @inlinable @inline(__always) public static func gradientsByShifted(right: Int, down: Int) -> Int {
        gradientsByTile &+ 2 &+ 2 &* (shifts &* (right &+ 1) &+ down &+ 1)
    }
    /// The number of shifts along each direction: −1, 0 and 1 pixels.
    @inlinable @inline(__always) public static var shifts: Int { 3 }
    /// The number of sums of products.
    @inlinable @inline(__always) public static var sumCount: Int { gradientsByTile &+ 2 &+ 2 &* shifts &* shifts }

    // The scratch memory of `correlateGradients`.

    /// The offset of the gradients to the right.
    @inlinable @inline(__always) public static var acrossGradients: Int { 0 }
    /// The offset of the gradients down.
    @inlinable @inline(__always) public static var downGradients: Int { acrossGradients &+ count }
    /// The offset of the pixels that the gradients are multiplied by.
    @inlinable @inline(__always) public static var pixels: Int { downGradients &+ count }
    /// The number of rows of these pixels: a tile shifted up, not shifted and shifted down.
    @inlinable @inline(__always) public static var pixelRows: Int { side &+ shifts &- 1 }
    /// The number of values of the scratch memory.
    @inlinable @inline(__always) public static var scratchCount: Int { pixels &+ pixelRows &* side }
}
