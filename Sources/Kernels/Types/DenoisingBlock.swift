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
    /// The first scratch row of the energies, then weights, of the common part and of the rest.
    @inlinable @inline(__always) public static var energyRow: Int { 7 &* side }
    /// The number of rows of the scratch memory: nine blocks.
    @inlinable @inline(__always) public static var scratchRows: Int { 9 &* side }
}

/// Pointers to the first pixel of a row of blocks in a picture of three planes, in its pilot and in the sums of their
/// denoised blocks. All have the same layout.
@unsafe
package struct DenoisedPlanes {
    package let picture: UnsafePointer<Float>
    /// An estimate of the clean picture; nil if there is none yet.
    package let pilot: UnsafePointer<Float>?
    /// The sums of the denoised, weighted blocks, which overlap; in three planes.
    package let sums: UnsafeMutablePointer<Float>
    /// The sums of the overlapping blocks' weights at each pixel, in one plane.
    package let weights: UnsafeMutablePointer<Float>
    /// The distance between planes in values.
    package let plane: Int
    /// The distance between rows in values.
    package let stride: Int

    /// Groups pointers to the first pixels, and the distances between planes and between rows.
    package init(
        picture: UnsafePointer<Float>, pilot: UnsafePointer<Float>?, sums: UnsafeMutablePointer<Float>,
        weights: UnsafeMutablePointer<Float>, plane: Int, stride: Int
    ) {
        self.picture = picture
        self.pilot = pilot
        self.sums = sums
        self.weights = weights
        self.plane = plane
        self.stride = stride
    }
}
