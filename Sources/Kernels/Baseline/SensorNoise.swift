package import KernelTypes

// Kernels of the simulated sensor that convert irradiance to codes: lens shading, exposure, noise, black level,
// clipping.
//
// Noise comes from a hash of the pixel's position and the row's key, so that any pixel can be computed alone and in any
// order. Fused multiply-add is not used: every processor computes the same codes.

/// Returns a hash of each counter: two rounds of multiplication and shift, each with its own key.
@inline(__always)
private func mixed(_ counter: SIMD16<UInt32>, _ key: UInt32, _ secondKey: UInt32) -> SIMD16<UInt32> {
    var hash = counter &+ key
    hash ^= hash &>> 16
    hash = hash &* 0x7feb_352d
    hash ^= hash &>> 15
    hash = (hash ^ secondKey) &* 0x846c_a68b
    return hash ^ (hash &>> 16)
}

/// Returns the natural logarithm of numbers above 0 and up to 1, with an error below 1e-5.
@inline(__always)
private func logarithm(_ number: SIMD16<Float>) -> SIMD16<Float> {
    let bits = unsafeBitCast(number, to: SIMD16<UInt32>.self)
    let exponent = unsafeBitCast((bits &>> 23) | 0x4b00_0000, to: SIMD16<Float>.self) - (8_388_608 + 127)
    let m = unsafeBitCast((bits & 0x007f_ffff) | 0x3f80_0000, to: SIMD16<Float>.self) - 1
    var p = m * Float(-0.023_443_66) + Float(0.100_139_73)
    p = p * m + Float(-0.209_079_54)
    p = p * m + Float(0.324_849_58)
    p = p * m + Float(-0.499_314_65)
    p = p * m + Float(0.999_990_59)
    return exponent * Float(0.693_147_18) + p * m
}

/// Returns the square root of numbers from 0 up, with a relative error below 1e-5.
///
/// Two Newton steps refine a first guess from the bits: as fast as the processor's instruction, and equal on all
/// processors.
@inline(__always)
private func squareRoot(_ number: SIMD16<Float>) -> SIMD16<Float> {
    let guess = 0x5f37_59df &- unsafeBitCast(number, to: SIMD16<UInt32>.self) &>> 1
    let half = number * 0.5
    var inverse = unsafeBitCast(guess, to: SIMD16<Float>.self)
    inverse = inverse * (1.5 - half * inverse * inverse)
    inverse = inverse * (1.5 - half * inverse * inverse)
    return number * inverse
}

/// Returns 32 independent normally distributed numbers of mean 0 and variance 1, by the Box-Muller transform.
@inline(__always)
private func normal(_ block: Int, _ key: UInt32, _ secondKey: UInt32) -> (SIMD16<Float>, SIMD16<Float>) {
    let lanes = SIMD16<UInt32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let first = mixed(lanes &+ UInt32(truncatingIfNeeded: block &* 16), key, secondKey)
    let second = mixed(first, secondKey, key)
    let uniform = unsafeBitCast((first &>> 9) | 0x3f80_0000, to: SIMD16<Float>.self) - Float(0.999_999_94)
    let square = logarithm(uniform) * -2
    let radius = squareRoot(square.replacing(with: 0, where: square .< 0))
    // The high bits give an angle within half a turn; the lowest bit, as the cosine's sign, adds the other half.
    let turn = unsafeBitCast((second &>> 9) | 0x3f80_0000, to: SIMD16<Float>.self) - Float(1.5)
    let angle = turn * Float.pi
    let a = angle * angle
    var sine = a * Float(-0.000_183_63) + Float(0.008_306_29)
    sine = sine * a + Float(-0.166_648_24)
    sine = (sine * a + Float(0.999_996_6)) * angle
    var cosine = a * Float(0.000_024_80) + Float(-0.001_388_89)
    cosine = cosine * a + Float(0.041_666_67)
    cosine = cosine * a + Float(-0.5)
    cosine = cosine * a + 1
    let signed = unsafeBitCast(cosine, to: SIMD16<UInt32>.self) ^ (second &<< 31)
    return (radius * unsafeBitCast(signed, to: SIMD16<Float>.self), radius * sine)
}

/// Returns the codes of 16 pixels: the expected code above black plus noise of its variance, plus
/// `black`, rounded and limited to 0…`white`.
///
/// Adding 2²³ rounds and leaves the code in the float's low bits.
@inline(__always)
private func codes(
    _ expected: SIMD16<Float>, _ noise: SIMD16<Float>, _ shot: Float, _ read: Float, _ black: Float, _ white: Float
) -> SIMD16<UInt32> {
    var code = expected + squareRoot(expected * shot + read) * noise + black
    code.replace(with: 0, where: code .< 0)
    code.replace(with: white, where: code .> white)
    return unsafeBitCast(code + 8_388_608, to: SIMD16<UInt32>.self) & 0xffff
}

/// Returns the expected codes above black, after lens shading, of 16 pixels of equal column parity; `first` is the
/// signed distance in columns of the first of them from the optical centre.
@inline(__always)
private func shaded(
    _ signal: UnsafePointer<Float>, _ first: Float, _ scale: Float, _ shading: Float, _ heightSquare: Float
) -> SIMD16<Float> {
    let lanes = SIMD16<Float>(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
    let irradiance = UnsafeRawPointer(signal).loadUnaligned(as: SIMD16<Float>.self)
    let fromCentre = lanes + first
    return irradiance * (scale - (fromCentre * fromCentre + heightSquare) * shading)
}

/// Converts part of a row's irradiance to codes.
///
/// `signal` is irradiance as stored by `sampleScene`, for `count` rounded up to a multiple of 32 pixels. Codes are
/// signal × (scale − shading · r²) + black, where r is the distance in pixels from the optical centre; their variance
/// is shot · (code − black) + read. `firstColumn` is the first column, a multiple of 32.
package func exposeSensor(
    _ output: UnsafeMutablePointer<UInt16>, _ signal: UnsafePointer<Float>, count: Int, firstColumn: Int,
    row: SensorRow, response: SensorResponse
) {
    let (scale, shading, shot, read) = (response.scale, response.shading, response.shot, response.read)
    let (black, white) = (response.black, response.white)
    var column = 0
    while column < count {
        let noise = normal((firstColumn &+ column) &>> 5, row.key, row.secondKey)
        let first = Float(firstColumn &+ column) - row.centre
        let even = shaded(signal + column, first, scale, shading, row.heightSquare)
        let odd = shaded(signal + column + 16, first + 1, scale, shading, row.heightSquare)
        let pairs =
            codes(even, noise.0, shot, read, black, white)
            | codes(odd, noise.1, shot, read, black, white) &<< 16
        if count &- column >= 32 {
            UnsafeMutableRawPointer(output + column).storeBytes(of: pairs, as: SIMD16<UInt32>.self)
        } else {
            for lane in 0..<count &- column {
                output[column &+ lane] = UInt16(truncatingIfNeeded: pairs[lane &>> 1] &>> (UInt32(lane & 1) &* 16))
            }
        }
        column &+= 32
    }
}
