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

/// Indices into the curve from the display's linear light.
package func roundToIndices(_ light: UnsafePointer<Float>, count: Int, into indices: UnsafeMutablePointer<UInt16>) {
    if hasWideVectors {
        KernelsV3.roundToIndices(light, count: count, into: indices)
    } else {
        KernelsBaseline.roundToIndices(light, count: count, into: indices)
    }
}

/// Looks three colours up in the curve and writes pixels of four bytes with an opaque alpha, `step` pixels apart; the
/// indices of one colour are `spacing` apart. A shift says where the colour's byte sits in the pixel's word.
package func storeWidePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, spacing: Int,
    count: Int, curve: UnsafePointer<UInt8>, redShift: UInt32, greenShift: UInt32, blueShift: UInt32, step: Int,
    to output: UnsafeMutableRawPointer
) {
    if hasWideVectors {
        KernelsV3.storeWidePixels(
            red, green, blue, spacing: spacing, count: count, curve: curve, redShift: redShift, greenShift: greenShift,
            blueShift: blueShift, step: step, to: output)
    } else {
        KernelsBaseline.storeWidePixels(
            red, green, blue, spacing: spacing, count: count, curve: curve, redShift: redShift, greenShift: greenShift,
            blueShift: blueShift, step: step, to: output)
    }
}

/// Looks three colours up in the curve and writes pixels of three bytes, `step` pixels apart; the indices of one
/// colour are `spacing` apart.
package func storePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, spacing: Int,
    count: Int, curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, step: Int,
    to output: UnsafeMutablePointer<UInt8>
) {
    if hasWideVectors {
        KernelsV3.storePixels(
            red, green, blue, spacing: spacing, count: count, curve: curve, redOffset: redOffset,
            greenOffset: greenOffset, blueOffset: blueOffset, step: step, to: output)
    } else {
        KernelsBaseline.storePixels(
            red, green, blue, spacing: spacing, count: count, curve: curve, redOffset: redOffset,
            greenOffset: greenOffset, blueOffset: blueOffset, step: step, to: output)
    }
}
