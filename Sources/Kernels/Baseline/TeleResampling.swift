// Kernels that enlarge a photo whose pixels are linear values.
//
// Interpolating linear values draws dark, coloured lines beside edges of clipped white: the overshoot, a few percent of
// white, exceeds a dark pixel's value. Pixels are therefore interpolated on a scale that is close to that of developed
// pictures, √(x/(x + 1)) of a white-balanced x, and never leave the range of the two nearest neighbours. An offset of
// twice the noise near black is added first: the steep start of the root would darken noisy shadows.

/// Converts linear pixels to the scale on which they are interpolated. `balance` holds the factors of the white
/// balance.
package func compressTeleRow(
    _ target: UnsafeMutablePointer<SIMD4<Float>>, _ row: UnsafePointer<SIMD4<Float>>, count: Int,
    balance: SIMD4<Float>, offset: SIMD4<Float>
) {
    let zero = SIMD4<Float>(repeating: 0)
    var index = 0
    while index < count {
        let balanced: SIMD4<Float> = row[index] * balance + offset
        let light = balanced.replacing(with: zero, where: balanced .< zero)
        target[index] = (light / (light + 1)).squareRoot()
        index &+= 1
    }
}

/// Returns the weighted mean of four neighbours within the range of the two in the middle.
@inline(__always)
private func interpolate(
    _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>,
    _ weights: SIMD4<Float>
) -> SIMD4<Float> {
    let outer: SIMD4<Float> = first * weights.x + fourth * weights.w
    let inner: SIMD4<Float> = second * weights.y + third * weights.z
    let isRising = second .< third
    let (least, most) = (third.replacing(with: second, where: isRising), second.replacing(with: third, where: isRising))
    let mean = outer + inner
    let bounded = mean.replacing(with: least, where: mean .< least)
    return bounded.replacing(with: most, where: bounded .> most)
}

/// Interpolates a row from four rows; all are on the compressed scale.
package func resampleTeleColumns(
    _ target: UnsafeMutablePointer<SIMD4<Float>>, _ first: UnsafePointer<SIMD4<Float>>,
    _ second: UnsafePointer<SIMD4<Float>>, _ third: UnsafePointer<SIMD4<Float>>, _ fourth: UnsafePointer<SIMD4<Float>>,
    count: Int, weights: SIMD4<Float>
) {
    var index = 0
    while index < count {
        target[index] = interpolate(first[index], second[index], third[index], fourth[index], weights)
        index &+= 1
    }
}

/// Interpolates the pixels of a row, each from four neighbours on the compressed scale, the first of them at
/// `places[i]`, and converts them to linear values. `balance` and `offset` are those of the compression.
package func resampleTeleRow(
    _ target: UnsafeMutablePointer<SIMD4<Float>>, _ row: UnsafePointer<SIMD4<Float>>, count: Int,
    places: UnsafePointer<Int32>, weights: UnsafePointer<SIMD4<Float>>, balance: SIMD4<Float>, offset: SIMD4<Float>
) {
    var index = 0
    while index < count {
        let source = row + Int(places[index])
        let value = interpolate(source[0], source[1], source[2], source[3], weights[index])
        let square: SIMD4<Float> = value * value
        target[index] = (square / (1 - square) - offset) / balance
        index &+= 1
    }
}
