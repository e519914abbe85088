internal import KernelsBaseline
internal import KernelsV3

/// A row's brightness, and its colours as numbers of −0.5…0.5 times the range, from codes; `red` and `blue` are the shares in
/// brightness.
package func splitColor(
    _ pixels: UnsafePointer<UInt16>, count: Int, red: Float, blue: Float, luma: UnsafeMutablePointer<UInt16>,
    blueness: UnsafeMutablePointer<Float>, redness: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.splitColor(
            pixels, count: count, red: red, blue: blue, luma: luma, blueness: blueness, redness: redness)
        : KernelsBaseline.splitColor(
            pixels, count: count, red: red, blue: blue, luma: luma, blueness: blueness, redness: redness)
}

/// Codes of colours, one of a pixel.
package func storeColor(
    _ color: UnsafePointer<Float>, count: Int, middle: Float, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.storeColor(color, count: count, middle: middle, maximum: maximum, into: codes)
        : KernelsBaseline.storeColor(color, count: count, middle: middle, maximum: maximum, into: codes)
}

/// Codes of colours, one of two by two pixels.
package func storeHalvedColor(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int, middle: Float, maximum: Float,
    into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.storeHalvedColor(first, second, count: count, middle: middle, maximum: maximum, into: codes)
        : KernelsBaseline.storeHalvedColor(first, second, count: count, middle: middle, maximum: maximum, into: codes)
}

/// The low bytes of codes.
package func lowBytes(_ codes: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    hasWideVectors
        ? KernelsV3.lowBytes(codes, count: count, into: bytes)
        : KernelsBaseline.lowBytes(codes, count: count, into: bytes)
}
