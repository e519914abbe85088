/// The sizes and memory layouts of the burst alignment kernels, in values. They work on tiles of 16×16 grey pixels.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum AlignmentTile {
    /// The width and height of a tile.
    @inlinable @inline(__always) public static var side: Int { 16 }
    /// The number of pixels of a tile.
    @inlinable @inline(__always) public static var count: Int { side &* side }

    /// The number of gradients of a tile: those to the right, then those down.
    @inlinable @inline(__always) public static var gradientCount: Int { 2 &* count }
}
