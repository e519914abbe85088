/// The layout of the constants with which a frame of a bracket is compared with the reference frame and merged: each
/// constant is four values, one per CFA position. The variance of noise is shot · signal + read.
///
/// The offsets are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum BracketConstants {
    /// The offset of the reference frame's four shot noise terms in the array of constants, one per CFA position.
    @inlinable @inline(__always) public static var referenceShot: Int { 0 }
    /// The offset of the reference frame's four read noise terms in the array of constants, one per CFA position.
    @inlinable @inline(__always) public static var referenceRead: Int { 4 }
    /// The offset of the merged frame's four shot noise terms in the array of constants, one per CFA position.
    @inlinable @inline(__always) public static var frameShot: Int { 8 }
    /// The offset of the merged frame's four read noise terms in the array of constants, one per CFA position.
    @inlinable @inline(__always) public static var frameRead: Int { 12 }
    /// The offset in the array of constants of the four signals, one per CFA position, at which the reference frame
    /// begins to clip.
    @inlinable @inline(__always) public static var clippingStart: Int { 16 }
    /// The offset in the array of constants of the four slopes, one per CFA position, by which the reference frame's
    /// weight decreases per unit of signal above the start of clipping.
    @inlinable @inline(__always) public static var clippingSlope: Int { 20 }
    /// The number of values in the array of constants: six constants of four values.
    @inlinable @inline(__always) public static var count: Int { 24 }
}

/// The sums of a bracket merge for a row of quads (2×2 cells of the Bayer pattern): half rows of weighted differences
/// and of weights, and for each quad the noise and the bias of the summed frames.
@unsafe
package struct BracketSums {
    package let difference: UnsafeMutablePointer<Float>
    package let weight: UnsafeMutablePointer<Float>
    package let noise: UnsafeMutablePointer<Float>
    package let bias: UnsafeMutablePointer<Float>

    /// Groups pointers to the four kinds of sums of a row of quads.
    package init(
        difference: UnsafeMutablePointer<Float>, weight: UnsafeMutablePointer<Float>,
        noise: UnsafeMutablePointer<Float>, bias: UnsafeMutablePointer<Float>
    ) {
        self.difference = difference
        self.weight = weight
        self.noise = noise
        self.bias = bias
    }
}
