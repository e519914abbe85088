/// The scratch memory of `denoiseBlocks`, in rows of a block of 8×8 values.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum DenoisingBlock {
    /// The width and height of a block.
    @inlinable @inline(__always) public static var side: Int { 8 }
    /// The first row of the pilot's blocks, behind three blocks of the picture.
    @inlinable @inline(__always) public static var pilotRow: Int { 3 &* side }
    /// The first row of the block for the transforms, behind three blocks each of the picture and the pilot.
    @inlinable @inline(__always) public static var transformRow: Int { 6 &* side }
    /// The number of rows.
    @inlinable @inline(__always) public static var scratchRows: Int { 7 &* side }
    /// The offset in values of the colour differences' table of noise by frequency, behind that of luma.
    @inlinable @inline(__always) public static var chromaShape: Int { side &* side }
}
