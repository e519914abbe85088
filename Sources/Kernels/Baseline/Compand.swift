// Kernels that map 16-bit values in memory to the codes of a file through a table of 65,536 codes.

/// Looks up `count` values, which are `step` values apart, in a table of codes, and stores the codes contiguously.
package func compand(
    _ values: UnsafePointer<UInt16>, step: Int, count: Int, table: UnsafePointer<UInt16>,
    into codes: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count { codes[i] = table[Int(values[i &* step])] }
}

/// Copies `count` values, which are `step` values apart, to contiguous memory.
package func copyPlane(
    _ values: UnsafePointer<UInt16>, step: Int, count: Int, into codes: UnsafeMutablePointer<UInt16>
) {
    if step == 1 { return codes.update(from: values, count: count) }
    for i in 0..<count { codes[i] = values[i &* step] }
}

/// Looks up the red, green and blue of `count` 16-bit RGBA pixels in a table of codes and stores them as RGB, without
/// alpha.
package func compandRGB(
    _ pixels: UnsafePointer<UInt16>, count: Int, table: UnsafePointer<UInt16>, into codes: UnsafeMutablePointer<UInt16>
) {
    let source = UnsafeRawPointer(pixels)
    for i in 0..<count {
        let pixel = source.loadUnaligned(fromByteOffset: i &* 8, as: UInt64.self)
        codes[3 &* i] = table[Int(pixel & 0xFFFF)]
        codes[3 &* i &+ 1] = table[Int(pixel >> 16 & 0xFFFF)]
        codes[3 &* i &+ 2] = table[Int(pixel >> 32 & 0xFFFF)]
    }
}

/// Copies the red, green and blue of `count` 16-bit RGBA pixels, without alpha.
package func copyRGB(_ pixels: UnsafePointer<UInt16>, count: Int, into codes: UnsafeMutablePointer<UInt16>) {
    for i in 0..<count {
        codes[3 &* i] = pixels[4 &* i]
        codes[3 &* i &+ 1] = pixels[4 &* i &+ 1]
        codes[3 &* i &+ 2] = pixels[4 &* i &+ 2]
    }
}

/// Returns the bitwise OR of `count` codes: the bits set in any of them.
package func bitsUsed(_ codes: UnsafePointer<UInt16>, count: Int) -> UInt16 {
    var bits: UInt16 = 0
    for i in 0..<count { bits |= codes[i] }
    return bits
}
