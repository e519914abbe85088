// How much brighter one picture is than another.

/// Adds two by two pixels up, each plane: `count` sums of every second pixel, of a row of light and the one below it.
package func addSquares(
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

/// Light of one set of primaries in another, in place; what those cannot show is held at 0.
package func mixLight(
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

/// How often light must be doubled to become other light, where both are raised by an offset: into `gains`, over the light.
package func doublings(
    from base: UnsafePointer<Float>, to other: UnsafeMutablePointer<Float>, offset: Float, count: Int
) {
    for i in 0..<count {
        let above = other[i] > 0 ? other[i] : 0
        other[i] = binaryLogarithm((above + offset) / (base[i] + offset))
    }
}

/// Bytes of gains: 0 for the least of a plane and 255 for the most.
package func storeGains(
    _ gains: UnsafePointer<Float>, count: Int, least: SIMD3<Float>, scale: SIMD3<Float>,
    into bytes: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        for plane in 0..<3 {
            let value = (gains[i &* 3 &+ plane] - least[plane]) * scale[plane] + 0.5
            let held = value > 0 ? (value < 255 ? value : 255) : 0
            bytes[i &* 3 &+ plane] = UInt8(truncatingIfNeeded: Int32(held))
        }
    }
}

/// Of a positive number: its exponent, and for the rest, which lies within √½…√2, a series whose error is below 1e-6.
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
