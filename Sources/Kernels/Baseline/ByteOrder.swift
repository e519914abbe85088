// Kernels that store codes in the big-endian byte order of DNG files.

/// Stores `count` codes as big-endian 16-bit words.
package func storeBigEndian(_ codes: UnsafePointer<UInt16>, count: Int, to bytes: UnsafeMutableRawPointer) {
    for i in 0..<count {
        bytes.storeBytes(of: codes[i].byteSwapped, toByteOffset: i &* 2, as: UInt16.self)
    }
}

/// Stores `count` RGBA pixels as RGB in big-endian 16-bit words.
///
/// Each pixel but the last is byte-swapped and stored as 8 bytes; its last two bytes (alpha) are overwritten by the
/// next pixel.
package func storeBigEndianRGB(_ pixels: UnsafePointer<UInt16>, count: Int, to bytes: UnsafeMutableRawPointer) {
    guard count > 0 else { return }
    let source = UnsafeRawPointer(pixels)
    for i in 0..<(count - 1) {
        let pixel = source.loadUnaligned(fromByteOffset: i &* 8, as: UInt64.self)
        let swapped = (pixel & 0x00FF_00FF_00FF_00FF) << 8 | (pixel >> 8) & 0x00FF_00FF_00FF_00FF
        bytes.storeBytes(of: swapped, toByteOffset: i &* 6, as: UInt64.self)
    }
    storeBigEndian(pixels + (count - 1) &* 4, count: 3, to: bytes + (count - 1) &* 6)
}
