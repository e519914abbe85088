// Kernels that convert the samples of a rendered picture to the integers that files hold. Half-precision floats are
// passed as their bits: they are converted to floats by an integer shift and a multiplication, which every processor
// has; NaN and infinity become large numbers.

/// Converts 16-bit words to the nearest bytes (65535 to 255).
package func bytes(ofWords words: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    for i in 0..<count {
        bytes[i] = UInt8(truncatingIfNeeded: (UInt32(words[i]) &* 255 &+ 32_895) &>> 16)
    }
}

/// Converts half-precision floats 0…1 to bytes; values outside are clamped.
package func bytes(ofHalves halves: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    for i in 0..<count {
        bytes[i] = UInt8(truncatingIfNeeded: Int32(clampedHalf(halves[i]) * 255 + 0.5))
    }
}

/// Converts bytes to codes 0…`maximum`: 255 becomes `maximum`.
package func codes(
    ofBytes bytes: UnsafePointer<UInt8>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    let scale = maximum / 255
    for i in 0..<count { codes[i] = UInt16(truncatingIfNeeded: Int32(Float(bytes[i]) * scale + 0.5)) }
}

/// Converts 16-bit words to codes 0…`maximum`: 65535 becomes `maximum`.
package func codes(
    ofWords words: UnsafePointer<UInt16>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    let scale = maximum / 65_535
    for i in 0..<count { codes[i] = UInt16(truncatingIfNeeded: Int32(Float(words[i]) * scale + 0.5)) }
}

/// Converts half-precision floats 0…1 to codes 0…`maximum`; values outside are clamped.
package func codes(
    ofHalves halves: UnsafePointer<UInt16>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count { codes[i] = UInt16(truncatingIfNeeded: Int32(clampedHalf(halves[i]) * maximum + 0.5)) }
}

/// Converts half-precision floats to floats.
package func floats(ofHalves halves: UnsafePointer<UInt16>, count: Int, into floats: UnsafeMutablePointer<Float>) {
    for i in 0..<count { floats[i] = wideHalf(halves[i]) }
}

/// Converts a half-precision float, given as its bits, to a float; infinity becomes 65,536.
@inline(__always)
private func wideHalf(_ half: UInt16) -> Float {
    let size = Float(bitPattern: UInt32(half & 0x7FFF) &<< 13) * 0x1p112
    return Float(bitPattern: size.bitPattern | UInt32(half & 0x8000) &<< 16)
}

/// Returns a half-precision float, given by its bits, clamped to 0…1.
@inline(__always)
private func clampedHalf(_ half: UInt16) -> Float {
    let value = wideHalf(half)
    let above = value > 0 ? value : 0
    return above < 1 ? above : 1
}
