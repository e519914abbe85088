/// The scratch memory of `denoiseBlocks`, in rows of a block of 8×8 values.
///
/// The sizes are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum DenoisingBlock {
    /// The width and height of a block, in pixels.
    @inlinable @inline(__always) public static var side: Int { 8 }
    /// The first scratch row of the blocks of the pilot (an estimate of the clean picture), behind three blocks of the
    /// picture.
    @inlinable @inline(__always) public static var pilotRow: Int { 3 &* side }
    /// The first scratch row of the block for the transforms, behind three blocks each of the picture and the pilot.
    @inlinable @inline(__always) public static var transformRow: Int { 6 &* side }
    /// The number of rows of the scratch memory: seven blocks.
    @inlinable @inline(__always) public static var scratchRows: Int { 7 &* side }
    /// The offset in values of the table of noise by frequency for colour differences, behind the table for luma.
    @inlinable @inline(__always) public static var chromaShape: Int { side &* side }
}
