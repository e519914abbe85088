// Kernels that end in the bytes of a display picture. The tone curve is a table over linear light in steps that grow with
// the light, as those of a floating-point number do: a few thousand then place every level of 8 bits exactly enough.

/// The display's three colours, as indices into the curve, of cells of four values each; `shares` are those of the
/// four values in a colour, and `bases` what is added.
package func mixCells(
    _ cells: UnsafePointer<UInt32>, redShares: SIMD4<Float>, greenShares: SIMD4<Float>, blueShares: SIMD4<Float>,
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
        let inRed = bases[0] + first * redShares[0] + second * redShares[1]
        red[i] = curveIndex(inRed + third * redShares[2] + fourth * redShares[3])
        let inGreen = bases[1] + first * greenShares[0] + second * greenShares[1]
        green[i] = curveIndex(inGreen + third * greenShares[2] + fourth * greenShares[3])
        let inBlue = bases[2] + first * blueShares[0] + second * blueShares[1]
        blue[i] = curveIndex(inBlue + third * blueShares[2] + fourth * blueShares[3])
    }
}

/// Looks three colours up in their tables of a pixel's word and writes pixels of four bytes, `step` pixels apart.
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

/// Looks three colours up in the curve and writes pixels of three bytes, `step` pixels apart.
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

/// The place on the curve of linear light: the exponent and the first 8 bits of the mantissa of the light and 1/256.
@inline(__always)
func curveIndex(_ light: Float) -> UInt16 {
    // What is no number ends in range as well.
    UInt16(truncatingIfNeeded: (max(0, min(1, light)) + 0x1p-8).bitPattern &>> 15)
}

/// The place of no light.
private let firstCurveIndex = 0x3B80_0000 >> 15
