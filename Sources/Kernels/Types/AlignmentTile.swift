/// The sizes and memory layouts of the burst alignment kernels, in values. They work on tiles of 16×16 grey pixels.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum AlignmentTile {
    /// The width and height of a tile.
    @inlinable @inline(__always) public static var side: Int { 16 }
    /// The number of pixels of a tile.
    @inlinable @inline(__always) public static var count: Int { side &* side }

    // The sums of products that `tileGradients` stores: gx and gy are the gradients of the tile a of the reference
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
    /// The number of sums of products: three of gradients, and two with the reference's tile.
    @inlinable @inline(__always) public static var sumCount: Int { gradientsByTile &+ 2 }

    // The scratch memory of `tileGradients` and `correlateGradients`.

    /// The offset, in the scratch memory, of the gradients to the right.
    @inlinable @inline(__always) public static var acrossGradients: Int { 0 }
    /// The offset, in the scratch memory, of the gradients down.
    @inlinable @inline(__always) public static var downGradients: Int { acrossGradients &+ count }
    /// The offset, in the scratch memory, of the pixels that are multiplied by the gradients.
    @inlinable @inline(__always) public static var pixels: Int { downGradients &+ count }
    /// The number of values of the scratch memory.
    @inlinable @inline(__always) public static var scratchCount: Int { pixels &+ count }
}
