internal import KernelsBaseline
internal import KernelsV3

/// One colour of the display's linear light, as indices into the curve, from the camera's three colours.
package func mixColors(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, redShare: Float,
    greenShare: Float, blueShare: Float, count: Int, into indices: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.mixColors(
            red, green, blue, redShare: redShare, greenShare: greenShare, blueShare: blueShare, count: count,
            into: indices)
    } else {
        KernelsBaseline.mixColors(
            red, green, blue, redShare: redShare, greenShare: greenShare, blueShare: blueShare, count: count,
            into: indices)
    }
}

/// The display's three colours, as indices into the curve, of pixels of four values each; `shares` are those of the
/// four values in a colour.
package func mixCells(
    _ light: UnsafePointer<Float>, redShares: SIMD4<Float>, greenShares: SIMD4<Float>, blueShares: SIMD4<Float>,
    count: Int, red: UnsafeMutablePointer<UInt16>, green: UnsafeMutablePointer<UInt16>,
    blue: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.mixCells(
            light, redShares: redShares, greenShares: greenShares, blueShares: blueShares, count: count, red: red,
            green: green, blue: blue)
    } else {
        KernelsBaseline.mixCells(
            light, redShares: redShares, greenShares: greenShares, blueShares: blueShares, count: count, red: red,
            green: green, blue: blue)
    }
}

/// Looks three colours up in the curve and writes pixels of four bytes with an opaque alpha, `step` pixels apart. A
/// shift says where the colour's byte sits in the pixel's word.
package func storeWidePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, count: Int,
    curve: UnsafePointer<UInt8>, redShift: UInt32, greenShift: UInt32, blueShift: UInt32, step: Int,
    to output: UnsafeMutableRawPointer
) {
    if hasWideVectors {
        KernelsV3.storeWidePixels(
            red, green, blue, count: count, curve: curve, redShift: redShift, greenShift: greenShift,
            blueShift: blueShift, step: step, to: output)
    } else {
        KernelsBaseline.storeWidePixels(
            red, green, blue, count: count, curve: curve, redShift: redShift, greenShift: greenShift,
            blueShift: blueShift, step: step, to: output)
    }
}

/// Looks three colours up in the curve and writes pixels of three bytes, `step` pixels apart.
package func storePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, count: Int,
    curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, step: Int,
    to output: UnsafeMutablePointer<UInt8>
) {
    if hasWideVectors {
        KernelsV3.storePixels(
            red, green, blue, count: count, curve: curve, redOffset: redOffset, greenOffset: greenOffset,
            blueOffset: blueOffset, step: step, to: output)
    } else {
        KernelsBaseline.storePixels(
            red, green, blue, count: count, curve: curve, redOffset: redOffset, greenOffset: greenOffset,
            blueOffset: blueOffset, step: step, to: output)
    }
}
