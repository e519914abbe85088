package import KernelTypes

// Kernels that denoise a picture in the frequency domain: blocks of 8×8 that overlap by half are transformed by a
// discrete cosine transform (DCT), whose coefficients are thresholded or Wiener-filtered. Pictures are three planes:
// luma (R + 2G + B) / 4 and the colour differences (2G − R − B) / 4 and (R − B) / 2.

/// Converts linear red, green and blue to luma and two colour differences, in place.
package func convertToLuma(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    for index in 0..<count {
        let (r, g, b) = (red[index], green[index], blue[index])
        red[index] = (r + 2 * g + b) * 0.25
        green[index] = (2 * g - r - b) * 0.25
        blue[index] = (r - b) * 0.5
    }
}

/// Divides luma and two colour differences by their pixel's sum of block weights and converts them to linear red, green
/// and blue, in place.
package func convertFromLuma(
    _ luma: UnsafeMutablePointer<Float>, _ greenness: UnsafeMutablePointer<Float>,
    _ cr: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        let scale = 1 / weights[index]
        let (y, g, r) = (luma[index] * scale, greenness[index] * scale, cr[index] * scale)
        luma[index] = y - g + r
        greenness[index] = y + g
        cr[index] = y - g - r
    }
}

/// Divides each value of a plane by its pixel's sum of block weights, in place.
package func divideByWeights(
    _ plane: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
) {
    for index in 0..<count { plane[index] /= weights[index] }
}

/// Denoises one row of 8×8 blocks, four pixels apart, and adds them under a window (overlap-add).
///
/// Without a pilot, DCT coefficients other than the mean become 0 if they are smaller than `threshold` standard
/// deviations of noise; with a pilot, an estimate of the clean picture, they are Wiener-filtered by the pilot's energy.
/// `variances` has, for each block, the noise variance as a fraction of one frame's. `noise` has shot and read terms of
/// red, green and blue of one frame. `shapes` are two 8×8 tables of noise variance by frequency, for luma and for the
/// colour differences. `blocks` is scratch memory of `DenoisingBlock.scratchRows` rows: three blocks of the picture,
/// three of the pilot and one for the transforms.
package func denoiseBlocks(
    _ planes: DenoisedPlanes, _ count: Int, _ variances: UnsafePointer<Float>, _ noise: UnsafePointer<Float>,
    _ shapes: UnsafePointer<Float>, _ threshold: Float, _ window: UnsafePointer<Float>,
    _ blocks: UnsafeMutablePointer<SIMD8<Float>>
) {
    let (picture, pilot, plane, stride) = (planes.picture, planes.pilot, planes.plane, planes.stride)
    let (sums, weights) = (planes.sums, planes.weights)
    let pilotBlocks = blocks + DenoisingBlock.pilotRow
    let scratch = blocks + DenoisingBlock.transformRow
    for block in 0..<count {
        let from = picture + 4 &* block
        for channel in 0..<3 { transformBlock(from + channel &* plane, stride, blocks + 8 &* channel, scratch) }
        if let pilot {
            let from = pilot + 4 &* block
            for channel in 0..<3 {
                transformBlock(from + channel &* plane, stride, pilotBlocks + 8 &* channel, scratch)
            }
        }
        // The first coefficient of a block's DCT (DC) is eight times the block's mean.
        let (y, g, r) = (blocks[0][0] * 0.125, blocks[8][0] * 0.125, blocks[16][0] * 0.125)
        let red = noise[0] * max(y - g + r, 0) + noise[1]
        let green = noise[2] * max(y + g, 0) + noise[3]
        let blue = noise[4] * max(y - g - r, 0) + noise[5]
        let ratio = variances[block]
        let lumaScaled = (red + 4 * green + blue) * ratio / 16
        var lumaVariance: Float = 0
        for channel in 0..<3 {
            let variance = channel == 2 ? (red + blue) * ratio / 4 : lumaScaled
            let shape = shapes + (channel == 0 ? 0 : DenoisingBlock.chromaShape)
            let rest: Float
            if pilot == nil {
                rest = cutBlock(blocks + 8 &* channel, shape, variance, threshold)
            } else {
                rest = weighBlock(blocks + 8 &* channel, pilotBlocks + 8 &* channel, shape, variance)
            }
            if channel == 0 { lumaVariance = rest * variance }
        }
        let weight = 1 / (lumaVariance + 1e-12)
        let to = 4 &* block
        for channel in 0..<3 {
            invertBlock(blocks + 8 &* channel, scratch)
            let target = sums + (channel &* plane &+ to)
            for row in 0..<8 {
                let factor = load8(window) * (window[row] * weight)
                store8(load8(target + row &* stride) + blocks[8 &* channel &+ row] * factor, target + row &* stride)
                if channel == 0 {
                    let sum = weights + (to &+ row &* stride)
                    store8(load8(sum) + factor, sum)
                }
            }
        }
    }
}

/// Sets the DCT coefficients of a block that are smaller than `threshold` standard deviations of noise to 0, but never
/// the mean (DC); returns the fraction of the noise variance that remains.
@inline(__always)
private func cutBlock(
    _ block: UnsafeMutablePointer<SIMD8<Float>>, _ shape: UnsafePointer<Float>, _ variance: Float, _ threshold: Float
) -> Float {
    let limit = variance * threshold * threshold
    let mean = block[0][0]
    var rest = SIMD8<Float>(repeating: 0)
    for row in 0..<8 {
        let value = block[row]
        let shape = load8(shape + 8 &* row)
        let isSignal = value * value .> shape * limit
        block[row] = SIMD8(repeating: 0).replacing(with: value, where: isSignal)
        rest += SIMD8(repeating: 0).replacing(with: shape, where: isSignal)
    }
    if block[0][0] != mean { rest[0] += shape[0] }
    block[0][0] = mean
    return rest.sum()
}

/// Wiener-filters the DCT coefficients of a block, except the mean (DC), by the energy of the pilot's coefficients;
/// returns the fraction of the noise variance that remains.
@inline(__always)
private func weighBlock(
    _ block: UnsafeMutablePointer<SIMD8<Float>>, _ pilot: UnsafePointer<SIMD8<Float>>, _ shape: UnsafePointer<Float>,
    _ variance: Float
) -> Float {
    let mean = block[0][0]
    var rest = SIMD8<Float>(repeating: 0)
    for row in 0..<8 {
        let power = pilot[row] * pilot[row]
        let shape = load8(shape + 8 &* row)
        let weight = power / (power + shape * variance + 1e-20)
        block[row] = block[row] * weight
        rest += weight * weight * shape
    }
    block[0][0] = mean
    return rest.sum()
}

/// Computes the DCT coefficients of 8×8 values, with rows and columns of the coefficients exchanged.
@inline(__always)
private func transformBlock(
    _ from: UnsafePointer<Float>, _ stride: Int, _ block: UnsafeMutablePointer<SIMD8<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD8<Float>>
) {
    for row in 0..<8 { scratch[row] = load8(from + row &* stride) }
    cosines(scratch)
    transpose(scratch, block)
    cosines(block)
}

/// Computes 8×8 values from their DCT coefficients, which have rows and columns exchanged, in place.
@inline(__always)
private func invertBlock(_ block: UnsafeMutablePointer<SIMD8<Float>>, _ scratch: UnsafeMutablePointer<SIMD8<Float>>) {
    invertCosines(block)
    transpose(block, scratch)
    invertCosines(scratch)
    for row in 0..<8 { block[row] = scratch[row] }
}

// DCT factors: cos(kπ/16) / 2 for k = 1 to 7.
private let c1: Float = 0.490_392_64
private let c2: Float = 0.461_939_77
private let c3: Float = 0.415_734_8
private let c4: Float = 0.353_553_39
private let c5: Float = 0.277_785_12
private let c6: Float = 0.191_341_72
private let c7: Float = 0.097_545_16

/// Computes the 8-point DCTs of eight columns, in place.
@inline(__always)
private func cosines(_ x: UnsafeMutablePointer<SIMD8<Float>>) {
    let (s0, s1, s2, s3) = (x[0] + x[7], x[1] + x[6], x[2] + x[5], x[3] + x[4])
    let (d0, d1, d2, d3) = (x[0] - x[7], x[1] - x[6], x[2] - x[5], x[3] - x[4])
    let (a, b, c, d) = (s0 + s3, s1 + s2, s0 - s3, s1 - s2)
    x[0] = (a + b) * c4
    x[4] = (a - b) * c4
    x[2] = c * c2 + d * c6
    x[6] = c * c6 - d * c2
    x[1] = d0 * c1 + d1 * c3 + d2 * c5 + d3 * c7
    x[3] = d0 * c3 - d1 * c7 - d2 * c1 - d3 * c5
    x[5] = d0 * c5 - d1 * c1 + d2 * c7 + d3 * c3
    x[7] = d0 * c7 - d1 * c5 + d2 * c3 - d3 * c1
}

/// Computes the inverse 8-point DCTs of eight columns, in place.
@inline(__always)
private func invertCosines(_ x: UnsafeMutablePointer<SIMD8<Float>>) {
    let (a, b) = ((x[0] + x[4]) * c4, (x[0] - x[4]) * c4)
    let (c, d) = (x[2] * c2 + x[6] * c6, x[2] * c6 - x[6] * c2)
    let (s0, s1, s2, s3) = (a + c, b + d, b - d, a - c)
    let d0 = x[1] * c1 + x[3] * c3 + x[5] * c5 + x[7] * c7
    let d1 = x[1] * c3 - x[3] * c7 - x[5] * c1 - x[7] * c5
    let d2 = x[1] * c5 - x[3] * c1 + x[5] * c7 + x[7] * c3
    let d3 = x[1] * c7 - x[3] * c5 + x[5] * c3 - x[7] * c1
    (x[0], x[7]) = (s0 + d0, s0 - d0)
    (x[1], x[6]) = (s1 + d1, s1 - d1)
    (x[2], x[5]) = (s2 + d2, s2 - d2)
    (x[3], x[4]) = (s3 + d3, s3 - d3)
}

/// Transposes 8×8 values, in blocks of 4×4 that fit registers.
@inline(__always)
private func transpose(_ from: UnsafeMutablePointer<SIMD8<Float>>, _ to: UnsafeMutablePointer<SIMD8<Float>>) {
    let source = UnsafeRawPointer(from)
    let target = UnsafeMutableRawPointer(to)
    for row in 0..<2 {
        for column in 0..<2 {
            let block = source + (128 &* row &+ 16 &* column)
            let a = block.loadUnaligned(as: SIMD4<Float>.self)
            let b = block.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self)
            let c = block.loadUnaligned(fromByteOffset: 64, as: SIMD4<Float>.self)
            let d = block.loadUnaligned(fromByteOffset: 96, as: SIMD4<Float>.self)
            let turned = target + (128 &* column &+ 16 &* row)
            turned.storeBytes(of: SIMD4(a[0], b[0], c[0], d[0]), as: SIMD4<Float>.self)
            turned.storeBytes(of: SIMD4(a[1], b[1], c[1], d[1]), toByteOffset: 32, as: SIMD4<Float>.self)
            turned.storeBytes(of: SIMD4(a[2], b[2], c[2], d[2]), toByteOffset: 64, as: SIMD4<Float>.self)
            turned.storeBytes(of: SIMD4(a[3], b[3], c[3], d[3]), toByteOffset: 96, as: SIMD4<Float>.self)
        }
    }
}
