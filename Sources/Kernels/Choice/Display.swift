internal import KernelsBaseline
internal import KernelsV3

/// The display's three colours, as indices into the curve, of cells of four values each; `shares` are those of the
/// four values in a colour, and `bases` what is added.
package func mixCells(
    _ cells: UnsafePointer<UInt32>, redShares: SIMD4<Float>, greenShares: SIMD4<Float>, blueShares: SIMD4<Float>,
    bases: SIMD3<Float>, count: Int, red: UnsafeMutablePointer<UInt16>, green: UnsafeMutablePointer<UInt16>,
    blue: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.mixCells(
            cells, redShares: redShares, greenShares: greenShares, blueShares: blueShares, bases: bases, count: count,
            red: red, green: green, blue: blue)
    } else {
        KernelsBaseline.mixCells(
            cells, redShares: redShares, greenShares: greenShares, blueShares: blueShares, bases: bases, count: count,
            red: red, green: green, blue: blue)
    }
}

/// Looks three colours up in their tables of a pixel's word and writes pixels of four bytes, `step` pixels apart.
package func storeWidePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, count: Int,
    redWords: UnsafePointer<UInt32>, greenWords: UnsafePointer<UInt32>, blueWords: UnsafePointer<UInt32>, step: Int,
    to output: UnsafeMutableRawPointer
) {
    if hasWideVectors {
        KernelsV3.storeWidePixels(
            red, green, blue, count: count, redWords: redWords, greenWords: greenWords, blueWords: blueWords,
            step: step, to: output)
    } else {
        KernelsBaseline.storeWidePixels(
            red, green, blue, count: count, redWords: redWords, greenWords: greenWords, blueWords: blueWords,
            step: step, to: output)
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
