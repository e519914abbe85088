package import KernelTypes

// Kernels that give the live preview the look of a rendered photo. Rows have padding for whole vectors behind their
// end.

/// Computes linear red, green and blue from Bayer cells of four values each. A colour is its entry of `bases` plus the
/// four values times the colour's weights (`redWeights` and so on), at least 0.
package func mixCellLinear(
    _ cells: UnsafePointer<UInt32>, redWeights: SIMD4<Float>, greenWeights: SIMD4<Float>, blueWeights: SIMD4<Float>,
    bases: SIMD3<Float>, count: Int, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let (upper, lower) = (cells[2 &* i], cells[2 &* i &+ 1])
        let (first, second) = (
            Float(Int32(truncatingIfNeeded: upper & 0xFFFF)), Float(Int32(truncatingIfNeeded: upper &>> 16))
        )
        let (third, fourth) = (
            Float(Int32(truncatingIfNeeded: lower & 0xFFFF)), Float(Int32(truncatingIfNeeded: lower &>> 16))
        )
        let inRed = bases[0] + first * redWeights[0] + second * redWeights[1]
        red[i] = max(0, inRed + third * redWeights[2] + fourth * redWeights[3])
        let inGreen = bases[1] + first * greenWeights[0] + second * greenWeights[1]
        green[i] = max(0, inGreen + third * greenWeights[2] + fourth * greenWeights[3])
        let inBlue = bases[2] + first * blueWeights[0] + second * blueWeights[1]
        blue[i] = max(0, inBlue + third * blueWeights[2] + fourth * blueWeights[3])
    }
}

/// Looks up each pixel's gain in gain tables, by the pixel's brightness: a weighted sum of red, green, blue, their
/// minimum and their maximum.
///
/// A table has 513 gains for the brightness 0 to 1: 64 for each doubling of the number brightness + 1/256.
package func lookUpGains(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: GainWeights,
    tables: GainTables, count: Int, indices: UnsafeMutablePointer<UInt32>, gains: UnsafeMutablePointer<Float>
) {
    let (redWeight, greenWeight, blueWeight) = (
        SIMD8(repeating: weights.color[0]), SIMD8(repeating: weights.color[1]), SIMD8(repeating: weights.color[2])
    )
    let (least, most) = (SIMD8(repeating: weights.least), SIMD8(repeating: weights.most))
    let (entries, bases, pitch, shares) = (tables.gains, tables.bases, tables.pitch, tables.rightWeights)
    let (limit, start) = (SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: 0x1p-8))
    let (shift, first) = (SIMD8<UInt32>(repeating: 17), SIMD8<UInt32>(repeating: 0x3B80_0000 >> 17))
    var i = 0
    while i < count {
        let (r, g, b) = (load8(red + i), load8(green + i), load8(blue + i))
        let low = g.replacing(with: r, where: r .< g)
        let lowest = low.replacing(with: b, where: b .< low)
        let weighted: SIMD8<Float> = r * redWeight + g * greenWeight + b * blueWeight
        let sum: SIMD8<Float> = weighted + lowest * least + larger(r, larger(g, b)) * most
        let above = notNegative(sum)
        // NaN also gives an index within the table: brightness plus 1/256 runs from 1/256 to 1 + 1/256, which give the
        // first and the last of 513 entries. The bits of eight floats are eight words.
        let brightness = limit.replacing(with: above, where: above .< limit) + start
        let index = unsafeBitCast(brightness, to: SIMD8<UInt32>.self) &>> shift &- first
        let base = UnsafeRawPointer(bases + i).loadUnaligned(as: SIMD8<UInt32>.self)
        UnsafeMutableRawPointer(indices + i).storeBytes(of: index &+ base, as: SIMD8<UInt32>.self)
        i = i &+ 8
    }
    for i in 0..<count {
        let left = entries + Int(indices[i])
        gains[i] = left[0] + (left[pitch] - left[0]) * shares[i]
    }
}

/// Computes the display's red, green and blue, as indices into the tone curve, from linear values times their gain,
/// limited to 1, by a 3×3 matrix of rows `redWeights`, `greenWeights` and `blueWeights`.
package func mixGainedLinear(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>,
    gains: UnsafePointer<Float>, redWeights: SIMD3<Float>, greenWeights: SIMD3<Float>, blueWeights: SIMD3<Float>,
    count: Int, redIndices: UnsafeMutablePointer<UInt16>, greenIndices: UnsafeMutablePointer<UInt16>,
    blueIndices: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let gain = gains[i]
        let (r, g, b) = (min(1, red[i] * gain), min(1, green[i] * gain), min(1, blue[i] * gain))
        redIndices[i] = curveIndex(r * redWeights[0] + g * redWeights[1] + b * redWeights[2])
        greenIndices[i] = curveIndex(r * greenWeights[0] + g * greenWeights[1] + b * greenWeights[2])
        blueIndices[i] = curveIndex(r * blueWeights[0] + g * blueWeights[1] + b * blueWeights[2])
    }
}
