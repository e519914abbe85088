internal import KernelsBaseline
internal import KernelsV3

/// Three colours of light of cells of four values each; `shares` are those of the four values in a colour, and `bases` what
/// is added.
package func mixCellLight(
    _ cells: UnsafePointer<UInt32>, redShares: SIMD4<Float>, greenShares: SIMD4<Float>, blueShares: SIMD4<Float>,
    bases: SIMD3<Float>, count: Int, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.mixCellLight(
            cells, redShares: redShares, greenShares: greenShares, blueShares: blueShares, bases: bases, count: count,
            red: red, green: green, blue: blue)
    } else {
        KernelsBaseline.mixCellLight(
            cells, redShares: redShares, greenShares: greenShares, blueShares: blueShares, bases: bases, count: count,
            red: red, green: green, blue: blue)
    }
}

/// The gains of pixels by their brightness. Tables have 64 gains to each doubling of the brightness and 1/256, up to 1; they
/// lie one behind the other, each `pitch` long. `bases` is where the table left of each pixel begins, `shares` the way to
/// the next one. Works on whole vectors.
package func lookUpGains(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: SIMD3<Float>,
    leastWeight: Float, mostWeight: Float, tables: UnsafePointer<Float>, pitch: Int, bases: UnsafePointer<UInt32>,
    shares: UnsafePointer<Float>, count: Int, indices: UnsafeMutablePointer<UInt32>, gains: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.lookUpGains(
            red, green, blue, weights: weights, leastWeight: leastWeight, mostWeight: mostWeight, tables: tables,
            pitch: pitch, bases: bases, shares: shares, count: count, indices: indices, gains: gains)
    } else {
        KernelsBaseline.lookUpGains(
            red, green, blue, weights: weights, leastWeight: leastWeight, mostWeight: mostWeight, tables: tables,
            pitch: pitch, bases: bases, shares: shares, count: count, indices: indices, gains: gains)
    }
}

/// The display's three colours, as indices into its curve, from three colours of light times their gain, which end at 1, and
/// their shares in each.
package func mixGainedLight(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>,
    gains: UnsafePointer<Float>, redShares: SIMD3<Float>, greenShares: SIMD3<Float>, blueShares: SIMD3<Float>,
    count: Int, redIndices: UnsafeMutablePointer<UInt16>, greenIndices: UnsafeMutablePointer<UInt16>,
    blueIndices: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.mixGainedLight(
            red, green, blue, gains: gains, redShares: redShares, greenShares: greenShares, blueShares: blueShares,
            count: count, redIndices: redIndices, greenIndices: greenIndices, blueIndices: blueIndices)
    } else {
        KernelsBaseline.mixGainedLight(
            red, green, blue, gains: gains, redShares: redShares, greenShares: greenShares, blueShares: blueShares,
            count: count, redIndices: redIndices, greenIndices: greenIndices, blueIndices: blueIndices)
    }
}
