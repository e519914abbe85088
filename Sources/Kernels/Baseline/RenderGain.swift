// Kernels of local gains.

/// Where each pixel's brightness stands in a gain table of `length` gains: the number of the gain below, and the way to the
/// next. `scale` takes brightness to the table's light. Works on whole vectors.
package func gainPlaces(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: SIMD3<Float>,
    leastWeight: Float, mostWeight: Float, scale: Float, count: Int, brightness: UnsafeMutablePointer<Float>
) {
    let (redWeight, greenWeight, blueWeight) = (
        SIMD8(repeating: weights[0] * scale), SIMD8(repeating: weights[1] * scale), SIMD8(repeating: weights[2] * scale)
    )
    let (least, most) = (SIMD8(repeating: leastWeight * scale), SIMD8(repeating: mostWeight * scale))
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    var i = 0
    while i < count {
        let (r, g, b) = (load8(red + i), load8(green + i), load8(blue + i))
        let low = g.replacing(with: r, where: r .< g)
        let lowest = low.replacing(with: b, where: b .< low)
        let sum =
            r * redWeight + g * greenWeight + b * blueWeight + lowest * least
            + larger(r, larger(g, b)) * most
        let above = zero.replacing(with: sum, where: sum .> zero)
        store8(one.replacing(with: above, where: above .< one), brightness + i)
        i = i &+ 8
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
    let lengths = SIMD8<Float>(repeating: Float(Int32(truncatingIfNeeded: length)))
    // Added to a number, this leaves the nearest whole one in the low bits.
    let magic = SIMD8<Float>(repeating: 12_582_912)
    let (half, mask) = (SIMD8<Float>(repeating: 0.5), SIMD8<UInt32>(repeating: 0x3F_FFFF))
    var i = 0
    while i < count {
        let place = load8(brightness + i) * lengths
        let shifted = (place - half) + magic
        // Beside so large a number no fraction fits: the low bits of the float are the whole number.
        let index = unsafeBitCast(shifted, to: SIMD8<UInt32>.self) & mask
        let base = UnsafeRawPointer(bases + i).loadUnaligned(as: SIMD8<UInt32>.self)
        UnsafeMutableRawPointer(indices + i).storeBytes(of: index &+ base, as: SIMD8<UInt32>.self)
        store8(place - (shifted - magic), brightness + i)
        i = i &+ 8
    }
    for i in 0..<count {
        let left = tables + Int(indices[i])
        let right = left + pitch
        let share = brightness[i]
        let (first, second) = (left[0] + (left[1] - left[0]) * share, right[0] + (right[1] - right[0]) * share)
        brightness[i] = first + (second - first) * shares[i]
    }
    i = 0
    while i < count {
        let gain = load8(brightness + i)
        store8(load8(red + i) * gain, red + i)
        store8(load8(green + i) * gain, green + i)
        store8(load8(blue + i) * gain, blue + i)
        i = i &+ 8
    }
}

/// Mixes two rows of tables.
package func mixTables(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, share: Float, count: Int,
    tables: UnsafeMutablePointer<Float>
) {
    for i in 0..<count { tables[i] = upper[i] + (lower[i] - upper[i]) * share }
}
