// Codes through a table of 65,536 codes: from the values of memory to the codes of a file.

/// Looks `count` values up that lie `step` apart.
package func compand(
    _ values: UnsafePointer<UInt16>, step: Int, count: Int, table: UnsafePointer<UInt16>,
    into codes: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count { codes[i] = table[Int(values[i &* step])] }
}

/// Copies `count` values that lie `step` apart.
package func copyPlane(
    _ values: UnsafePointer<UInt16>, step: Int, count: Int, into codes: UnsafeMutablePointer<UInt16>
) {
    if step == 1 { return codes.update(from: values, count: count) }
    for i in 0..<count { codes[i] = values[i &* step] }
}

/// Looks the red, green and blue of `count` RGBA pixels up and writes them as RGB.
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

/// Writes the red, green and blue of `count` RGBA pixels as RGB.
package func copyRGB(_ pixels: UnsafePointer<UInt16>, count: Int, into codes: UnsafeMutablePointer<UInt16>) {
    for i in 0..<count {
        codes[3 &* i] = pixels[4 &* i]
        codes[3 &* i &+ 1] = pixels[4 &* i &+ 1]
        codes[3 &* i &+ 2] = pixels[4 &* i &+ 2]
    }
}

/// All bits that any of `count` codes has.
package func bitsUsed(_ codes: UnsafePointer<UInt16>, count: Int) -> UInt16 {
    var bits: UInt16 = 0
    for i in 0..<count { bits |= codes[i] }
    return bits
}
