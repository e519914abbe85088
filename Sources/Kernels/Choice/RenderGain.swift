internal import KernelsBaseline
internal import KernelsV3

/// Where each pixel's brightness stands in a gain table of `length` gains: the number of the gain below, and the way to the
/// next. `scale` takes brightness to the table's light. Works on whole vectors.
package func gainPlaces(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: SIMD3<Float>,
    leastWeight: Float, mostWeight: Float, scale: Float, count: Int, brightness: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.gainPlaces(
            red, green, blue, weights: weights, leastWeight: leastWeight, mostWeight: mostWeight, scale: scale,
            count: count, brightness: brightness)
    } else {
        KernelsBaseline.gainPlaces(
            red, green, blue, weights: weights, leastWeight: leastWeight, mostWeight: mostWeight, scale: scale,
            count: count, brightness: brightness)
    }
}

/// Multiplies pixels by their gains. A row of tables lies one behind the other, each `pitch` long with its last gain
/// three times; `bases` is where the table left of each pixel begins, `shares` the way to the next table. `brightness` is
/// used up. Works on whole vectors.
package func applyGains(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    brightness: UnsafeMutablePointer<Float>, length: Int, tables: UnsafePointer<Float>, pitch: Int,
    bases: UnsafePointer<UInt32>, shares: UnsafePointer<Float>, count: Int, indices: UnsafeMutablePointer<UInt32>
) {
    if hasWideVectors {
        KernelsV3.applyGains(
            red, green, blue, brightness: brightness, length: length, tables: tables, pitch: pitch, bases: bases,
            shares: shares, count: count, indices: indices)
    } else {
        KernelsBaseline.applyGains(
            red, green, blue, brightness: brightness, length: length, tables: tables, pitch: pitch, bases: bases,
            shares: shares, count: count, indices: indices)
    }
}

/// Mixes two rows of tables.
package func mixTables(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, share: Float, count: Int,
    tables: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.mixTables(upper, lower, share: share, count: count, tables: tables)
    } else {
        KernelsBaseline.mixTables(upper, lower, share: share, count: count, tables: tables)
    }
}
