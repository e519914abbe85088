// Kernels of the simulated sensor that sample a prerendered scene at subpixel positions, as behind a shaking lens.
//
// Scenes store the square root of irradiance, so that 16 bits cover more than twenty stops; irradiance is the square of
// a sample. Sampled irradiance is stored in blocks of 32 pixels, the 16 even ones first: two neighbours of a plane
// share one 32-bit word, so masking and shifting words separates even from odd pixels without a shuffle.

/// The exponent bits that turn a 16-bit integer n into the float 2²³ + n.
private let floatBits: UInt32 = 0x4b00_0000

/// Returns the irradiance of 16 pixels of equal column parity: the squares of the low or the high halves of 16 words.
@inline(__always)
private func irradiance(_ plane: UnsafeRawPointer, _ offset: Int, high: Bool) -> SIMD16<Float> {
    let words = plane.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
    let roots = high ? words &>> 16 : words & 0xffff
    let root = unsafeBitCast(roots | floatBits, to: SIMD16<Float>.self) - 8_388_608
    return root * root
}

/// Returns the irradiance of 16 pixels of equal column parity, interpolated bilinearly between two rows and two columns
/// of a plane.
@inline(__always)
private func blend(
    _ plane: UnsafeRawPointer, _ upper: Int, _ lower: Int, _ right: Float, _ down: Float, high: Bool
) -> SIMD16<Float> {
    let upperLeft = irradiance(plane, upper, high: high)
    let above = upperLeft + (irradiance(plane, upper &+ 2, high: high) - upperLeft) * right
    let lowerLeft = irradiance(plane, lower, high: high)
    let below = lowerLeft + (irradiance(plane, lower &+ 2, high: high) - lowerLeft) * right
    return above + (below - above) * down
}

/// Samples part of a row of the scene into `signal`, bilinearly, as squares of plane values.
///
/// `even` and `odd` point into the colour planes of even and odd pixels, at the position of the first pixel without
/// shake; `stride` is the number of plane values per row. Sampling is shifted to the right by `right` and down by
/// `down`, in 65,536ths of a pixel, and down by `slope` more for each block of 32 pixels. `count` is a multiple of 32.
package func sampleScene(
    _ signal: UnsafeMutablePointer<Float>, count: Int, even: UnsafePointer<UInt16>, odd: UnsafePointer<UInt16>,
    stride: Int, right: Int, down: Int, slope: Int
) {
    let partRight = Float(right & 0xffff) / 65_536
    var rowPosition = down
    var column = 0
    while column < count {
        let partDown = Float(rowPosition & 0xffff) / 65_536
        let upper = ((rowPosition &>> 16) &* stride &+ (right &>> 16) &+ column) &* 2
        let lower = upper &+ stride &* 2
        let target = UnsafeMutableRawPointer(signal + column)
        target.storeBytes(
            of: blend(even, upper, lower, partRight, partDown, high: false), as: SIMD16<Float>.self)
        target.storeBytes(
            of: blend(odd, upper, lower, partRight, partDown, high: true), toByteOffset: 64,
            as: SIMD16<Float>.self)
        rowPosition &+= slope
        column &+= 32
    }
}

/// Composites pixels `first..<end` of a partly transparent object over `signal`, which `sampleScene` filled.
///
/// `even` and `odd` (square roots of the object's irradiance) and `cover` (opacity, 65,535 for opaque) point at the
/// position in the object of the row part's pixel 0; each is interpolated bilinearly at the fractions `right` and
/// `down` of a pixel.
package func sampleObject(
    _ signal: UnsafeMutablePointer<Float>, first: Int, end: Int, even: UnsafePointer<UInt16>,
    odd: UnsafePointer<UInt16>, cover: UnsafePointer<UInt16>, stride: Int, right: Float, down: Float
) {
    var column = first
    while column < end {
        let plane = column & 1 == 0 ? even : odd
        let index = (column & ~31) &+ (column & 1) &* 16 &+ (column & 31) &>> 1
        let roots = corners(plane, column, stride)
        let sent = blend(roots * roots, right, down)
        let hidden = blend(corners(cover, column, stride), right, down) * (1 / 65_535)
        signal[index] = signal[index] * (1 - hidden) + sent
        column &+= 1
    }
}

/// Returns the four samples around a position: upper left, upper right, lower left, lower right.
@inline(__always)
private func corners(_ plane: UnsafePointer<UInt16>, _ column: Int, _ stride: Int) -> SIMD4<Float> {
    SIMD4(
        Float(plane[column]), Float(plane[column &+ 1]), Float(plane[column &+ stride]),
        Float(plane[column &+ stride &+ 1]))
}

/// Interpolates bilinearly between four samples (upper left, upper right, lower left, lower right) at the fractions
/// `right` and `down`.
@inline(__always)
private func blend(_ corners: SIMD4<Float>, _ right: Float, _ down: Float) -> Float {
    let above = corners[0] + (corners[1] - corners[0]) * right
    let below = corners[2] + (corners[3] - corners[2]) * right
    return above + (below - above) * down
}
