// Loops of burst alignment, on grey planes of half size: one value for each 2×2 quad of a mosaic.

/// The mean of each quad of two mosaic rows, less black, times a gain.
package func greyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Float>, _ count: Int,
    _ black: Float, _ gain: Float
) {
    for index in 0..<count {
        let sum =
            UInt32(upper[2 &* index]) &+ UInt32(upper[2 &* index &+ 1]) &+ UInt32(lower[2 &* index])
            &+ UInt32(lower[2 &* index &+ 1])
        grey[index] = (Float(Int32(truncatingIfNeeded: sum)) * 0.25 - black) * gain
    }
}

/// Every second value of a plane that was averaged 2×2.
package func halveRow(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ half: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        half[index] =
            (upper[2 &* index] + upper[2 &* index &+ 1] + lower[2 &* index] + lower[2 &* index &+ 1]) * 0.25
    }
}

/// A row of the 3×3 box mean; both ends repeat their neighbours.
package func boxRow(
    _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
    _ result: UnsafeMutablePointer<Float>, _ count: Int
) {
    guard count >= 3 else {
        for index in 0..<count { result[index] = here[index] }
        return
    }
    for index in 1..<count &- 1 {
        let left = above[index &- 1] + here[index &- 1] + below[index &- 1]
        let middle = above[index] + here[index] + below[index]
        let right = above[index &+ 1] + here[index &+ 1] + below[index &+ 1]
        result[index] = (left + middle + right) * (1 / 9)
    }
    result[0] = result[1]
    result[count &- 1] = result[count &- 2]
}

/// The sum of absolute differences of two blocks.
package func blockDifference(
    _ a: UnsafePointer<Float>, _ aStride: Int, _ b: UnsafePointer<Float>, _ bStride: Int, _ width: Int, _ height: Int
) -> Float {
    var sums = SIMD8<Float>(repeating: 0)
    var rest: Float = 0
    for row in 0..<height {
        let left = a + row &* aStride
        let right = b + row &* bStride
        var column = 0
        while column &+ 8 <= width {
            let one = UnsafeRawPointer(left + column).loadUnaligned(as: SIMD8<Float>.self)
            let two = UnsafeRawPointer(right + column).loadUnaligned(as: SIMD8<Float>.self)
            let difference = one - two
            sums += difference.replacing(with: -difference, where: difference .< 0)
            column &+= 8
        }
        while column < width {
            rest += abs(left[column] - right[column])
            column &+= 1
        }
    }
    return sums.sum() + rest
}

/// The sums of one Lucas–Kanade step: gxx, gxy, gyy, gx·d, gy·d, where d is `a` less `b` shifted by a fraction.
package func gradientSums(
    _ a: UnsafePointer<Float>, _ aStride: Int, _ b: UnsafePointer<Float>, _ bStride: Int, _ width: Int, _ height: Int,
    _ right: Float, _ down: Float, _ result: UnsafeMutablePointer<Float>
) {
    let (w00, w01) = ((1 - right) * (1 - down), right * (1 - down))
    let (w10, w11) = ((1 - right) * down, right * down)
    var (xx, xy, yy, xd, yd) = (Float(0), Float(0), Float(0), Float(0), Float(0))
    for row in 0..<height {
        let here = a + row &* aStride
        let upper = b + row &* bStride
        let lower = upper + bStride
        for column in 0..<width {
            let gx = (here[column &+ 1] - here[column &- 1]) * 0.5
            let gy = (here[column &+ aStride] - here[column &- aStride]) * 0.5
            let other =
                upper[column] * w00 + upper[column &+ 1] * w01 + lower[column] * w10 + lower[column &+ 1] * w11
            let d = here[column] - other
            xx += gx * gx
            xy += gx * gy
            yy += gy * gy
            xd += gx * d
            yd += gy * d
        }
    }
    result[0] = xx
    result[1] = xy
    result[2] = yy
    result[3] = xd
    result[4] = yd
}
