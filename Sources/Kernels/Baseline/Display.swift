// Kernels that end in the bytes of a display picture. The tone curve is a table of 16,384 bytes over linear light.

/// One colour of the display's linear light, as indices into the curve, from the camera's three colours.
package func mixColors(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, redShare: Float,
    greenShare: Float, blueShare: Float, count: Int, into indices: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let light = red[i] * redShare + green[i] * greenShare + blue[i] * blueShare
        indices[i] = curveIndex(light)
    }
}

/// The display's three colours, as indices into the curve, of pixels of four values each; `shares` are those of the
/// four values in a colour.
package func mixCells(
    _ light: UnsafePointer<Float>, redShares: SIMD4<Float>, greenShares: SIMD4<Float>, blueShares: SIMD4<Float>,
    count: Int, red: UnsafeMutablePointer<UInt16>, green: UnsafeMutablePointer<UInt16>,
    blue: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let (first, second) = (light[4 &* i], light[4 &* i &+ 1])
        let (third, fourth) = (light[4 &* i &+ 2], light[4 &* i &+ 3])
        let upper = first * redShares[0] + second * redShares[1]
        red[i] = curveIndex(upper + (third * redShares[2] + fourth * redShares[3]))
        let middle = first * greenShares[0] + second * greenShares[1]
        green[i] = curveIndex(middle + (third * greenShares[2] + fourth * greenShares[3]))
        let lower = first * blueShares[0] + second * blueShares[1]
        blue[i] = curveIndex(lower + (third * blueShares[2] + fourth * blueShares[3]))
    }
}

/// Looks three colours up in the curve and writes pixels of four bytes with an opaque alpha, `step` pixels apart. A
/// shift says where the colour's byte sits in the pixel's word.
package func storeWidePixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>, count: Int,
    curve: UnsafePointer<UInt8>, redShift: UInt32, greenShift: UInt32, blueShift: UInt32, step: Int,
    to output: UnsafeMutableRawPointer
) {
    for i in 0..<count {
        let r = UInt32(curve[Int(red[i])]) &<< redShift
        let g = UInt32(curve[Int(green[i])]) &<< greenShift
        let b = UInt32(curve[Int(blue[i])]) &<< blueShift
        output.storeBytes(of: r | g | b | 0xFF00_0000, toByteOffset: i &* step &* 4, as: UInt32.self)
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
        pixel[redOffset] = curve[Int(red[i])]
        pixel[greenOffset] = curve[Int(green[i])]
        pixel[blueOffset] = curve[Int(blue[i])]
    }
}

/// The nearest index into the curve.
@inline(__always)
private func curveIndex(_ light: Float) -> UInt16 {
    // 2²³ moves the fraction out of the mantissa, which rounds. What is no number ends in range as well.
    UInt16(truncatingIfNeeded: (max(0, min(16_383, light)) + 8_388_608).bitPattern)
}
