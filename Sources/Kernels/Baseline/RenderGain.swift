package import KernelTypes

// Kernels that apply a DNG gain table map (ProfileGainTableMap): local gains that depend on brightness.

/// Computes each pixel's table input 0…1: `scale` times the weighted sum of red, green, blue, their minimum and their
/// maximum (MapInputWeights). Works on whole vectors of 8 values, into the rows' padding.
package func gainTableInputs(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: GainWeights,
    scale: Float, count: Int, brightness: UnsafeMutablePointer<Float>
) {
    let (redWeight, greenWeight, blueWeight) = (
        SIMD8(repeating: weights.color[0] * scale), SIMD8(repeating: weights.color[1] * scale),
        SIMD8(repeating: weights.color[2] * scale)
    )
    let (least, most) = (SIMD8(repeating: weights.least * scale), SIMD8(repeating: weights.most * scale))
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    var i = 0
    while i < count {
        let (r, g, b) = (load8(red + i), load8(green + i), load8(blue + i))
        let lowest = smaller(smaller(g, r), b)
        let weighted: SIMD8<Float> = r * redWeight + g * greenWeight + b * blueWeight
        let sum: SIMD8<Float> = weighted + lowest * least + larger(r, larger(g, b)) * most
        store8(bounded(sum, zero, one), brightness + i)
        i = i &+ 8
    }
}

/// Multiplies pixels by gains from a row of gain tables, interpolated between the entries of a table and between the
/// tables to the left and right of a pixel.
///
/// Each table has `length` gains and repeats its last gain twice. `brightness` is the table input 0…1,
/// `indices` is scratch memory. Works on whole vectors of 8 values, into the rows' padding.
package func applyGains(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    brightness: UnsafePointer<Float>, length: Int, tables: GainTables, count: Int,
    indices: UnsafeMutablePointer<UInt32>
) {
    let (entries, bases, pitch, shares) = (tables.gains, tables.bases, tables.pitch, tables.rightWeights)
    let lengths = SIMD8<Float>(repeating: Float(Int32(truncatingIfNeeded: length)))
    // Adding 1.5 · 2²³ rounds a number to a whole one, which the low bits of the sum hold.
    let rounding = SIMD8<Float>(repeating: 12_582_912)
    let (half, mask) = (SIMD8<Float>(repeating: 0.5), SIMD8<UInt32>(repeating: 0x3F_FFFF))
    var i = 0
    while i < count {
        let position = load8(brightness + i) * lengths
        let shifted = (position - half) + rounding
        // The low bits of the sum are the whole number: no mantissa bits are left for a fraction.
        let index = unsafeBitCast(shifted, to: SIMD8<UInt32>.self) & mask
        let base = UnsafeRawPointer(bases + i).loadUnaligned(as: SIMD8<UInt32>.self)
        UnsafeMutableRawPointer(indices + i).storeBytes(of: index &+ base, as: SIMD8<UInt32>.self)
        let fraction = position - (shifted - rounding)
        let (left, right) = (loadPairs(entries, indices + i), loadPairs(entries + pitch, indices + i))
        let first = left.first + (left.second - left.first) * fraction
        let second = right.first + (right.second - right.first) * fraction
        let gain = first + (second - first) * load8(shares + i)
        store8(load8(red + i) * gain, red + i)
        store8(load8(green + i) * gain, green + i)
        store8(load8(blue + i) * gain, blue + i)
        i = i &+ 8
    }
}

/// Interpolates linearly between two rows of gain tables; `share` is the weight 0…1 of the lower row, `count` the
/// number of gains.
package func mixTables(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, share: Float, count: Int,
    tables: UnsafeMutablePointer<Float>
) {
    for i in 0..<count { tables[i] = upper[i] + (lower[i] - upper[i]) * share }
}
