// Reading a prerendered scene at places between its pixels, as a sensor behind a trembling lens does.
//
// Scenes hold the square root of light, so that 16 bits carry twenty stops; light is the square of what is read. Light
// is written in blocks of 32 pixels, the 16 even ones first: two neighbours of a plane lie in one 32-bit word, so
// masking and shifting words sorts even from odd without any shuffle.

/// The bits of a 16-bit integer above which these make a float of it that is too large by 2²³.
private let floatBits: UInt32 = 0x4b00_0000

/// Light of 16 pixels of the same parity: the low half of each word, or the high half.
@inline(__always)
private func light(_ plane: UnsafeRawPointer, _ offset: Int, high: Bool) -> SIMD16<Float> {
    let words = plane.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
    let roots = high ? words &>> 16 : words & 0xffff
    let root = unsafeBitCast(roots | floatBits, to: SIMD16<Float>.self) - 8_388_608
    return root * root
}

@inline(__always)
private func blend(
    _ plane: UnsafeRawPointer, _ upper: Int, _ lower: Int, _ right: Float, _ down: Float, high: Bool
) -> SIMD16<Float> {
    let upperLeft = light(plane, upper, high: high)
    let above = upperLeft + (light(plane, upper &+ 2, high: high) - upperLeft) * right
    let lowerLeft = light(plane, lower, high: high)
    let below = lowerLeft + (light(plane, lower &+ 2, high: high) - lowerLeft) * right
    return above + (below - above) * down
}

/// Reads a stretch of a row out of the scene into `signal`, bilinearly, in units of a squared plane value.
///
/// `even` and `odd` point into the colour planes seen by the stretch's even and odd pixels, at the pixel where the
/// stretch would begin without shake; `stride` counts plane values from row to row. The stretch is read `right`
/// further right and `down` further down, in 65 536ths of a pixel, and `slope` more a block of 32 pixels. `count` is a
/// multiple of 32.
package func sampleScene(
    _ signal: UnsafeMutablePointer<Float>, count: Int, even: UnsafePointer<UInt16>, odd: UnsafePointer<UInt16>,
    stride: Int, right: Int, down: Int, slope: Int
) {
    let partRight = Float(right & 0xffff) / 65_536
    var place = down
    var column = 0
    while column < count {
        let partDown = Float(place & 0xffff) / 65_536
        let upper = ((place &>> 16) &* stride &+ (right &>> 16) &+ column) &* 2
        let lower = upper &+ stride &* 2
        let target = UnsafeMutableRawPointer(signal + column)
        target.storeBytes(
            of: blend(even, upper, lower, partRight, partDown, high: false), as: SIMD16<Float>.self)
        target.storeBytes(
            of: blend(odd, upper, lower, partRight, partDown, high: true), toByteOffset: 64,
            as: SIMD16<Float>.self)
        place &+= slope
        column &+= 32
    }
}

/// Lays pixels `first..<end` of a partly transparent object over `signal`, which `sampleScene` filled.
///
/// `even`, `odd` (light that the object sends, as square roots) and `cover` (65 535: hides what is behind) point at
/// the place of the object that pixel 0 of the stretch sees; each is read bilinearly, `right` and `down` in 0…1.
package func sampleObject(
    _ signal: UnsafeMutablePointer<Float>, first: Int, end: Int, even: UnsafePointer<UInt16>,
    odd: UnsafePointer<UInt16>, cover: UnsafePointer<UInt16>, stride: Int, right: Float, down: Float
) {
    var column = first
    while column < end {
        let plane = column & 1 == 0 ? even : odd
        let place = (column & ~31) &+ (column & 1) &* 16 &+ (column & 31) &>> 1
        let roots = corners(plane, column, stride)
        let sent = blend(roots * roots, right, down)
        let hidden = blend(corners(cover, column, stride), right, down) * (1 / 65_535)
        signal[place] = signal[place] * (1 - hidden) + sent
        column &+= 1
    }
}

@inline(__always)
private func corners(_ plane: UnsafePointer<UInt16>, _ column: Int, _ stride: Int) -> SIMD4<Float> {
    SIMD4(
        Float(plane[column]), Float(plane[column &+ 1]), Float(plane[column &+ stride]),
        Float(plane[column &+ stride &+ 1]))
}

@inline(__always)
private func blend(_ corners: SIMD4<Float>, _ right: Float, _ down: Float) -> Float {
    let above = corners[0] + (corners[1] - corners[0]) * right
    let below = corners[2] + (corners[3] - corners[2]) * right
    return above + (below - above) * down
}
