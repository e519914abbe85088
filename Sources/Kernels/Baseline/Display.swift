// Kernels that produce the 8-bit pixels of a display picture. The tone curve is a table over linear values whose steps
// grow with the value, as those of a floating-point number do: a few thousand entries then determine every 8-bit level
// exactly enough.

/// Computes the display's red, green and blue, as indices into the tone curve, from Bayer cells of four values each. A
/// colour is its entry of `bases` plus the four values times its weights (`redWeights` and so on).
package func mixCells(
    _ cells: UnsafePointer<UInt32>, redWeights: SIMD4<Float>, greenWeights: SIMD4<Float>, blueWeights: SIMD4<Float>,
    bases: SIMD3<Float>, count: Int, red: UnsafeMutablePointer<UInt16>, green: UnsafeMutablePointer<UInt16>,
    blue: UnsafeMutablePointer<UInt16>
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
        red[i] = curveIndex(inRed + third * redWeights[2] + fourth * redWeights[3])
        let inGreen = bases[1] + first * greenWeights[0] + second * greenWeights[1]
        green[i] = curveIndex(inGreen + third * greenWeights[2] + fourth * greenWeights[3])
        let inBlue = bases[2] + first * blueWeights[0] + second * blueWeights[1]
        blue[i] = curveIndex(inBlue + third * blueWeights[2] + fourth * blueWeights[3])
    }
}

/// Looks up each pixel's three curve indices in tables of 32-bit words, one table per colour with the colour's bits in
/// their final position, and stores the combined words as pixels of four bytes, `step` pixels apart.
package func storeWidePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, count: Int,
    redWords: UnsafePointer<UInt32>, greenWords: UnsafePointer<UInt32>, blueWords: UnsafePointer<UInt32>, step: Int,
    to output: UnsafeMutableRawPointer
) {
    for i in 0..<count {
        let word =
            redWords[Int(red[i]) &- firstCurveIndex] | greenWords[Int(green[i]) &- firstCurveIndex]
            | blueWords[Int(blue[i]) &- firstCurveIndex]
        output.storeBytes(of: word, toByteOffset: i &* step &* 4, as: UInt32.self)
    }
}

/// Looks up each pixel's three curve indices in the tone curve and stores pixels of three bytes, `step` pixels apart.
package func storePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, count: Int,
    curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, step: Int,
    to output: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        let pixel = output + i &* step &* 3
        pixel[redOffset] = curve[Int(red[i]) &- firstCurveIndex]
        pixel[greenOffset] = curve[Int(green[i]) &- firstCurveIndex]
        pixel[blueOffset] = curve[Int(blue[i]) &- firstCurveIndex]
    }
}

/// Returns the index of a linear value 0…1 in the tone curve: exponent and first 8 mantissa bits of the value plus
/// 1/256.
@inline(__always)
func curveIndex(_ linear: Float) -> UInt16 {
    // NaN also gives an index within the table.
    UInt16(truncatingIfNeeded: (max(0, min(1, linear)) + 0x1p-8).bitPattern &>> 15)
}

/// The bits of the float 1/256 that `curveIndex` returns for the linear value 0: the first index of the tone curve.
private let firstCurveIndex = 0x3B80_0000 >> 15
