/// The layout of the constants that a frame of a bracket is compared and merged with: four values each, one per CFA
/// position. Variance is shot · signal + read.
///
/// The offsets are public and inlinable, because only then are they constants in the loops of the kernels' modules.
public enum BracketConstants {
    /// The offset of the shot noise terms of the reference frame.
    @inlinable @inline(__always) public static var referenceShot: Int { 0 }
    /// The offset of the read noise terms of the reference frame.
    @inlinable @inline(__always) public static var referenceRead: Int { 4 }
    /// The offset of the shot noise terms of the frame.
    @inlinable @inline(__always) public static var frameShot: Int { 8 }
    /// The offset of the read noise terms of the frame.
    @inlinable @inline(__always) public static var frameRead: Int { 12 }
    /// The offset of the signals at which the reference begins to clip.
    @inlinable @inline(__always) public static var clippingStart: Int { 16 }
    /// The offset of the decrease of the reference's unclipped weight per unit of signal above that.
    @inlinable @inline(__always) public static var clippingSlope: Int { 20 }
    /// The number of constants.
    @inlinable @inline(__always) public static var count: Int { 24 }
}

/// The sums of a bracket merge: half rows of weighted differences and of weights, and for each quad the noise and the
/// bias of the summed frames.
@unsafe
package struct BracketSums {
    package let difference: UnsafeMutablePointer<Float>
    package let weight: UnsafeMutablePointer<Float>
    package let noise: UnsafeMutablePointer<Float>
    package let bias: UnsafeMutablePointer<Float>

    /// Groups the sums of a row of quads.
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
