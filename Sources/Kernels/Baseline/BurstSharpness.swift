// A kernel that measures the sharpness of a mosaic on the sums of its quads, its 2×2 pixels.

/// Returns the sum of the squared gradients, to the right and down, of `count` quads side by side, and the sum of the
/// quads. `codes` points at the upper left pixel of the first quad; the quad before it and those below are read, too.
package func quadGradients(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ count: Int
) -> (energy: Float, brightness: Float) {
    let (here, below) = (UnsafeRawPointer(codes), UnsafeRawPointer(codes + 2 &* stride))
    var (energies, sums) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    var column = 0
    while column &+ 16 <= count {
        let quads = sumsOfQuads(here + 4 &* column, 2 &* stride)
        let across = quads - sumsOfQuads(here + 4 &* (column &- 1), 2 &* stride)
        let down = sumsOfQuads(below + 4 &* column, 2 &* stride) - quads
        energies += across * across + down * down
        sums += quads
        column &+= 16
    }
    var (energy, brightness) = (Float(0), Float(0))
    for lane in 0..<16 {
        energy += energies[lane]
        brightness += sums[lane]
    }
    while column < count {
        let quad = sumOfQuad(here + 4 &* column, 2 &* stride)
        let across = quad - sumOfQuad(here + 4 &* (column &- 1), 2 &* stride)
        let down = sumOfQuad(below + 4 &* column, 2 &* stride) - quad
        energy += across * across + down * down
        brightness += quad
        column &+= 1
    }
    return (energy, brightness)
}

/// Returns the sums of 16 quads side by side, whose rows are `bytes` apart.
@inline(__always)
private func sumsOfQuads(_ codes: UnsafeRawPointer, _ bytes: Int) -> SIMD16<Float> {
    let (upper, lower) = (
        codes.loadUnaligned(as: SIMD16<UInt32>.self), (codes + bytes).loadUnaligned(as: SIMD16<UInt32>.self)
    )
    let ofUpper: SIMD16<UInt32> = (upper & 0xFFFF) &+ (upper &>> 16)
    let ofLower: SIMD16<UInt32> = (lower & 0xFFFF) &+ (lower &>> 16)
    let sum = ofUpper &+ ofLower
    // Whole numbers below 2²³ become the mantissa of a float with the exponent of 2²³, from which 2²³ is subtracted.
    return unsafeBitCast(sum | 0x4B00_0000, to: SIMD16<Float>.self) - 8_388_608
}

/// Returns the sum of a quad.
@inline(__always)
private func sumOfQuad(_ codes: UnsafeRawPointer, _ bytes: Int) -> Float {
    let (upper, lower) = (
        codes.loadUnaligned(as: UInt32.self), (codes + bytes).loadUnaligned(as: UInt32.self)
    )
    let ofUpper: UInt32 = (upper & 0xFFFF) &+ (upper &>> 16)
    let ofLower: UInt32 = (lower & 0xFFFF) &+ (lower &>> 16)
    return Float(ofUpper &+ ofLower)
}
