// Kernels that unpack rows of codes to 16 bits per code. Each returns a mask of the bits that may be set in its codes.

/// Converts bytes to 16-bit codes. Returns 0xFF, the bits that may be set.
package func unpackBytes(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int) -> UInt16
{
    for index in 0..<count { target[index] = UInt16(source[index]) }
    return 0xFF
}

/// Reads little-endian 16-bit words at an address of any alignment. Returns the bitwise OR of all codes.
package func unpackLittle(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ count: Int) -> UInt16 {
    var seen: UInt16 = 0
    for index in 0..<count {
        let code = UInt16(littleEndian: source.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
        target[index] = code
        seen |= code
    }
    return seen
}

/// Reads big-endian 16-bit words at an address of any alignment. Returns the bitwise OR of all codes.
package func unpackBig(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ count: Int) -> UInt16 {
    var seen: UInt16 = 0
    for index in 0..<count {
        let code = UInt16(bigEndian: source.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
        target[index] = code
        seen |= code
    }
    return seen
}

/// Unpacks MIPI CSI-2 RAW10: four bytes of high bits, then a byte with the low two bits of each, those of the first
/// pixel lowest. Returns 0x3FF, the bits that may be set.
package func unpackMIPI10(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int
) -> UInt16 {
    let groups = count / 4
    for group in 0..<groups {
        let bytes = source + 5 &* group
        let codes = target + 4 &* group
        let low = UInt16(bytes[4])
        codes[0] = UInt16(bytes[0]) << 2 | low & 3
        codes[1] = UInt16(bytes[1]) << 2 | low >> 2 & 3
        codes[2] = UInt16(bytes[2]) << 2 | low >> 4 & 3
        codes[3] = UInt16(bytes[3]) << 2 | low >> 6
    }
    for index in 4 &* groups..<count {
        let low = UInt16(source[5 &* groups &+ 4]) >> UInt16(2 &* (index & 3))
        target[index] = UInt16(source[5 &* groups &+ (index & 3)]) << 2 | low & 3
    }
    return 0x3FF
}

/// Unpacks MIPI CSI-2 RAW12: two bytes of high bits, then a byte with the low four bits of each, those of the first
/// pixel lowest. Returns 0xFFF, the bits that may be set.
package func unpackMIPI12(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int
) -> UInt16 {
    let groups = count / 2
    for group in 0..<groups {
        let bytes = source + 3 &* group
        let low = UInt16(bytes[2])
        target[2 &* group] = UInt16(bytes[0]) << 4 | low & 15
        target[2 &* group &+ 1] = UInt16(bytes[1]) << 4 | low >> 4
    }
    if count & 1 == 1 {
        target[count &- 1] = UInt16(source[3 &* groups]) << 4 | UInt16(source[3 &* groups &+ 2]) & 15
    }
    return 0xFFF
}

/// Unpacks MIPI CSI-2 RAW14: four bytes of high bits, then three bytes with the low six bits of each, those of the
/// first pixel lowest. Returns 0x3FFF, the bits that may be set.
package func unpackMIPI14(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int
) -> UInt16 {
    let groups = count / 4
    for group in 0..<groups {
        let bytes = source + 7 &* group
        let codes = target + 4 &* group
        let (low, middle, high) = (UInt16(bytes[4]), UInt16(bytes[5]), UInt16(bytes[6]))
        codes[0] = UInt16(bytes[0]) << 6 | low & 63
        codes[1] = UInt16(bytes[1]) << 6 | low >> 6 | (middle & 15) << 2
        codes[2] = UInt16(bytes[2]) << 6 | middle >> 4 | (high & 3) << 4
        codes[3] = UInt16(bytes[3]) << 6 | high >> 2
    }
    let bytes = source + 7 &* groups
    for index in 0..<count & 3 {
        let low = UInt32(bytes[4]) | UInt32(bytes[5]) << 8 | UInt32(bytes[6]) << 16
        let six = low >> UInt32(6 &* index) & 63
        target[4 &* groups &+ index] = UInt16(bytes[index]) << 6 | UInt16(truncatingIfNeeded: six)
    }
    return 0x3FFF
}
