// Kernels that compute a gain map: the logarithm of the ratio of two renditions of a picture.

/// Averages each 2×2 block of two rows of interleaved RGB to one pixel; `count` is the number of resulting pixels.
package func averageBlocksRGB(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int, into sums: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        for plane in 0..<3 {
            let upper = first[i &* 6 &+ plane] + first[i &* 6 &+ 3 &+ plane]
            let lower = second[i &* 6 &+ plane] + second[i &* 6 &+ 3 &+ plane]
            sums[i &* 3 &+ plane] = (upper + lower) * 0.25
        }
    }
}

/// Converts linear RGB pixels to other primaries with a 3×3 matrix of rows `red`, `green` and `blue`, in place;
/// negative results become 0.
package func convertPrimaries(
    _ pixels: UnsafeMutablePointer<Float>, count: Int, red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>
) {
    for i in 0..<count {
        let (r, g, b) = (pixels[i &* 3], pixels[i &* 3 &+ 1], pixels[i &* 3 &+ 2])
        let newRed = r * red[0] + g * red[1] + b * red[2]
        let newGreen = r * green[0] + g * green[1] + b * green[2]
        let newBlue = r * blue[0] + g * blue[1] + b * blue[2]
        pixels[i &* 3] = newRed > 0 ? newRed : 0
        pixels[i &* 3 &+ 1] = newGreen > 0 ? newGreen : 0
        pixels[i &* 3 &+ 2] = newBlue > 0 ? newBlue : 0
    }
}

/// Computes gains in EV, log2((other + offset) / (base + offset)), in place of the linear values of `other`.
package func doublings(
    from base: UnsafePointer<Float>, to other: UnsafeMutablePointer<Float>, offset: Float, count: Int
) {
    for i in 0..<count {
        let above = other[i] > 0 ? other[i] : 0
        other[i] = binaryLogarithm((above + offset) / (base[i] + offset))
    }
}

/// Stores gains of three planes as bytes: 0 for a plane's smallest gain, 255 for its largest.
package func storeGains(
    _ gains: UnsafePointer<Float>, count: Int, least: SIMD3<Float>, scale: SIMD3<Float>,
    into bytes: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        for plane in 0..<3 {
            let value = (gains[i &* 3 &+ plane] - least[plane]) * scale[plane] + 0.5
            let clamped = value > 0 ? (value < 255 ? value : 255) : 0
            bytes[i &* 3 &+ plane] = UInt8(truncatingIfNeeded: Int32(clamped))
        }
    }
}

/// Returns log2 of a positive number: its exponent plus the log2 of the remaining factor √½…√2, by a series with an
/// error below 1e-6.
@inline(__always)
private func binaryLogarithm(_ value: Float) -> Float {
    let shifted = Int32(bitPattern: value.bitPattern) &- 0x3F35_04F3
    let exponent = shifted &>> 23
    let rest = Float(bitPattern: UInt32(bitPattern: Int32(bitPattern: value.bitPattern) &- exponent &<< 23))
    let t = (rest - 1) / (rest + 1)
    let square = t * t
    let series = 2.885_39 + square * (0.961_797 + square * (0.577_078 + square * 0.412_199))
    return Float(exponent) + t * series
}
