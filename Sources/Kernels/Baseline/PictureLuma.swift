// Kernels that convert RGB codes to Y'CbCr for video codecs.

/// Converts a row of RGB codes to luma and to colour differences Cb (`cb`) and Cr (`cr`) of ±half the code
/// range; `red` and `blue` are the luma coefficients Kr and Kb.
package func splitLumaChroma(
    _ pixels: UnsafePointer<UInt16>, count: Int, red: Float, blue: Float, luma: UnsafeMutablePointer<UInt16>,
    cb: UnsafeMutablePointer<Float>, cr: UnsafeMutablePointer<Float>
) {
    let green = 1 - red - blue
    let (blueScale, redScale) = (0.5 / (1 - blue), 0.5 / (1 - red))
    for i in 0..<count {
        let (r, g, b) = (Float(pixels[i &* 3]), Float(pixels[i &* 3 &+ 1]), Float(pixels[i &* 3 &+ 2]))
        let y = r * red + g * green + b * blue
        luma[i] = UInt16(truncatingIfNeeded: Int32(y + 0.5))
        cb[i] = (b - y) * blueScale
        cr[i] = (r - y) * redScale
    }
}

/// Stores colour differences (Cb or Cr) plus `middle` as rounded codes 0…`maximum`, at full resolution (4:4:4).
package func storeChroma(
    _ color: UnsafePointer<Float>, count: Int, middle: Float, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let value = color[i] + middle + 0.5
        let clamped = value > 0 ? (value < maximum ? value : maximum) : 0
        codes[i] = UInt16(truncatingIfNeeded: Int32(clamped))
    }
}

/// Stores colour differences (Cb or Cr), averaged over the 2×2 pixels of two rows (4:2:0), plus `middle`, as rounded
/// codes 0…`maximum`.
package func storeSubsampledChroma(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int, middle: Float, maximum: Float,
    into codes: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let sum = first[i &* 2] + first[i &* 2 &+ 1] + second[i &* 2] + second[i &* 2 &+ 1]
        let value = sum * 0.25 + middle + 0.5
        let clamped = value > 0 ? (value < maximum ? value : maximum) : 0
        codes[i] = UInt16(truncatingIfNeeded: Int32(clamped))
    }
}

/// Stores the low byte of each code.
package func lowBytes(_ codes: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    for i in 0..<count { bytes[i] = UInt8(truncatingIfNeeded: codes[i]) }
}
