// Kernels that convert the 8-bit pixels of a picture to luma and subsampled chroma: the matrix of BT.709, limited
// range. Pixels are words with blue in the lowest byte, then green and red. The weights are 256 times those of the
// standard, rounded so that grey has no chroma.

/// Computes the luma of pixels.
package func storeVideoLuma(
    _ pixels: UnsafePointer<UInt32>, count: Int, into luma: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        let pixel = pixels[i]
        let blue = pixel & 0xFF
        let green = pixel &>> 8 & 0xFF
        let red = pixel &>> 16 & 0xFF
        let sum = 47 &* red &+ 157 &* green &+ 16 &* blue &+ 0x1080
        luma[i] = UInt8(truncatingIfNeeded: sum &>> 8)
    }
}

/// Computes the chroma of two rows of pixels. Each chroma sample lies between the rows, at a pixel with an even index:
/// that pixel weighs twice as much as its neighbours. So the pixels before and after the rows must be readable, too.
package func storeVideoChroma(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, count: Int,
    blueDifference: UnsafeMutablePointer<UInt8>, redDifference: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        let (left, middle, right) = (2 &* i &- 1, 2 &* i, 2 &* i &+ 1)
        // Two colours are summed in one word, of which each sum takes 11 of 16 bits.
        let outer =
            upper[left] & 0xFF00FF &+ lower[left] & 0xFF00FF &+ upper[right] & 0xFF00FF &+ lower[right] & 0xFF00FF
        let inner = upper[middle] & 0xFF00FF &+ lower[middle] & 0xFF00FF
        let both = outer &+ inner &+ inner
        let outerGreen =
            upper[left] &>> 8 & 0xFF &+ lower[left] &>> 8 & 0xFF &+ upper[right] &>> 8 & 0xFF
            &+ lower[right] &>> 8 & 0xFF
        let innerGreen = upper[middle] &>> 8 & 0xFF &+ lower[middle] &>> 8 & 0xFF
        let green = Int32(truncatingIfNeeded: outerGreen &+ innerGreen &+ innerGreen)
        let blue = Int32(truncatingIfNeeded: both & 0xFFFF)
        let red = Int32(truncatingIfNeeded: both &>> 16)
        // 128 and a half, for rounding, in units of 8 × 256.
        let blueSum = 112 &* blue &- 86 &* green &- 26 &* red &+ 0x40400
        let redSum = 112 &* red &- 102 &* green &- 10 &* blue &+ 0x40400
        blueDifference[i] = UInt8(truncatingIfNeeded: blueSum &>> 11)
        redDifference[i] = UInt8(truncatingIfNeeded: redSum &>> 11)
    }
}
