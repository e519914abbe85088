// The numbers of a finished picture as the whole numbers that files hold. Halves come as their bits: an integer shift and a
// multiplication widen them on every processor, those that are not numbers become large.

/// Bytes of words, each the nearest.
package func bytes(ofWords words: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    for i in 0..<count {
        bytes[i] = UInt8(truncatingIfNeeded: (UInt32(words[i]) &* 255 &+ 32_895) &>> 16)
    }
}

/// Bytes of halves of 0…1; what is beyond is held there.
package func bytes(ofHalves halves: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    for i in 0..<count {
        bytes[i] = UInt8(truncatingIfNeeded: Int32(heldHalf(halves[i]) * 255 + 0.5))
    }
}

/// Codes of 0…`maximum` of bytes.
package func codes(
    ofBytes bytes: UnsafePointer<UInt8>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    let scale = maximum / 255
    for i in 0..<count { codes[i] = UInt16(truncatingIfNeeded: Int32(Float(bytes[i]) * scale + 0.5)) }
}

/// Codes of 0…`maximum` of words.
package func codes(
    ofWords words: UnsafePointer<UInt16>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    let scale = maximum / 65_535
    for i in 0..<count { codes[i] = UInt16(truncatingIfNeeded: Int32(Float(words[i]) * scale + 0.5)) }
}

/// Codes of 0…`maximum` of halves of 0…1; what is beyond is held there.
package func codes(
    ofHalves halves: UnsafePointer<UInt16>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count { codes[i] = UInt16(truncatingIfNeeded: Int32(heldHalf(halves[i]) * maximum + 0.5)) }
}

/// The numbers that halves are.
package func floats(ofHalves halves: UnsafePointer<UInt16>, count: Int, into floats: UnsafeMutablePointer<Float>) {
    for i in 0..<count { floats[i] = wideHalf(halves[i]) }
}

/// A half with its sign, from its bits; infinity becomes 65,536.
@inline(__always)
private func wideHalf(_ half: UInt16) -> Float {
    let size = Float(bitPattern: UInt32(half & 0x7FFF) &<< 13) * 0x1p112
    return Float(bitPattern: size.bitPattern | UInt32(half & 0x8000) &<< 16)
}

/// A half held to 0…1, from its bits.
@inline(__always)
private func heldHalf(_ half: UInt16) -> Float {
    let value = wideHalf(half)
    let above = value > 0 ? value : 0
    return above < 1 ? above : 1
}
