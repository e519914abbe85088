package import KernelTypes

// Kernels that denoise a picture of three planes, red, green and blue, in the frequency domain: blocks of 8×8 that
// overlap by half are transformed by a discrete cosine transform (DCT). The planes' coefficients are divided into a
// common part, in the proportions of the block's mean colour, and the rest, colour; each is Wiener-filtered by itself.

/// Divides each value of a plane by its pixel's sum of block weights, in place.
package func divideByWeights(
    _ plane: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
) {
    for index in 0..<count { plane[index] /= weights[index] }
}

/// Denoises one row of 8×8 blocks, four pixels apart, and adds them under a window (overlap-add).
///
/// DCT coefficients other than the mean are Wiener-filtered by their own energy or, with a pilot, an estimate of the
/// clean picture, by the pilot's. `variances` has, for each block, the noise variance as a fraction of one frame's.
/// `noise` has shot and read terms of red, green and blue of one frame. `shapes` are two 8×8 tables of noise variance
/// by frequency, for the common part and for colour. `blocks` is scratch memory of `DenoisingBlock.scratchRows` rows.
package func denoiseBlocks(
    _ planes: DenoisedPlanes, _ count: Int, _ variances: UnsafePointer<Float>, _ noise: UnsafePointer<Float>,
    _ shapes: UnsafePointer<Float>, _ window: UnsafePointer<Float>, _ blocks: UnsafeMutablePointer<SIMD8<Float>>
) {
    let scratch = blocks + DenoisingBlock.transformRow
    let energies = blocks + DenoisingBlock.energyRow
    for block in 0..<count {
        transformPlanes(planes.picture + 4 &* block, planes, blocks, scratch)
        let color = BlockColor(blocks, noise, variances[block])
        if let pilot = planes.pilot {
            let pilotBlocks = blocks + DenoisingBlock.pilotRow
            transformPlanes(pilot + 4 &* block, planes, pilotBlocks, scratch)
            measureEnergies(pilotBlocks, color, energies)
            weighByPilot(energies, shapes)
        } else {
            measureEnergies(blocks, color, energies)
            weighByItself(energies, shapes)
        }
        let remaining = apply(energies, color, shapes, blocks)
        let weight = 1 / (remaining * color.variance + 1e-12)
        let to = 4 &* block
        for channel in 0..<3 {
            invertBlock(blocks + 8 &* channel, scratch)
            let target = planes.sums + (channel &* planes.plane &+ to)
            for row in 0..<8 {
                let lineWeight: Float = window[row] * weight
                let factor = load8(window) * lineWeight
                let line = target + row &* planes.stride
                store8(load8(line) + blocks[8 &* channel &+ row] * factor, line)
                if channel == 0 {
                    let sum = planes.weights + (to &+ row &* planes.stride)
                    store8(load8(sum) + factor, sum)
                }
            }
        }
    }
}

/// Computes the DCT coefficients of a block of the three planes.
@inline(__always)
private func transformPlanes(
    _ from: UnsafePointer<Float>, _ planes: DenoisedPlanes, _ blocks: UnsafeMutablePointer<SIMD8<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD8<Float>>
) {
    for channel in 0..<3 {
        transformBlock(from + channel &* planes.plane, planes.stride, blocks + 8 &* channel, scratch)
    }
}

/// The mean colour of a block and the noise of its planes.
private struct BlockColor {
    /// The mean colour in units of the noise, of length 1: the direction of the common part.
    let direction: SIMD4<Float>
    let deviations: SIMD4<Float>
    /// The mean noise variance of the planes.
    let variance: Float

    @inline(__always)
    init(_ blocks: UnsafePointer<SIMD8<Float>>, _ noise: UnsafePointer<Float>, _ ratio: Float) {
        // The first coefficient of a block's DCT (DC) is eight times the block's mean.
        let mean = atLeast(0, SIMD4(blocks[0][0], blocks[8][0], blocks[16][0], 0) * 0.125)
        let (shot, read) = (SIMD4(noise[0], noise[2], noise[4], 0), SIMD4(noise[1], noise[3], noise[5], 0))
        let variances = (shot * mean + read) * ratio + 1e-14
        deviations = variances.squareRoot()
        // A mean within its own error counts as that.
        var scaled = atLeast(0.125, mean / deviations)
        scaled[3] = 0
        let squared = scaled * scaled
        direction = scaled / (squared[0] + squared[1] + squared[2]).squareRoot()
        variance = (variances[0] + variances[1] + variances[2]) / 3
    }
}

@inline(__always)
private func atLeast(_ least: Float, _ v: SIMD4<Float>) -> SIMD4<Float> { v.replacing(with: least, where: v .< least) }

/// Computes for each coefficient but the mean (DC) the energy of the common part, in 8 rows, and that of the rest, in
/// units of the noise.
@inline(__always)
private func measureEnergies(
    _ blocks: UnsafePointer<SIMD8<Float>>, _ color: BlockColor, _ energies: UnsafeMutablePointer<SIMD8<Float>>
) {
    let scale = 1 / color.deviations
    for row in 0..<8 {
        let (r, g, b) = (blocks[row] * scale[0], blocks[row &+ 8] * scale[1], blocks[row &+ 16] * scale[2])
        let direction = color.direction
        var common: SIMD8<Float> = r * direction[0]
        common += g * direction[1]
        common += b * direction[2]
        energies[row] = common * common
        var rest: SIMD8<Float> = r * r + g * g
        rest += b * b
        rest -= common * common
        energies[row &+ 8] = rest.replacing(with: 0, where: rest .< 0)
    }
    (energies[0][0], energies[8][0]) = (0, 0)
}

/// Replaces energies by Wiener weights in two steps: first from the energy, averaged with that of the coefficients
/// around; then from what the first weight leaves. Noise of the common part counts less, so that faint structure
/// remains.
@inline(__always)
private func weighByItself(_ energies: UnsafeMutablePointer<SIMD8<Float>>, _ shapes: UnsafePointer<Float>) {
    for part in 0..<2 {
        let rows = energies + 8 &* part
        var (before, here) = (rows[0], rows[0])
        for row in 0..<8 {
            let after = rows[min(row &+ 1, 7)]
            let around: SIMD8<Float> = before + after + left(here) + right(here)
            let energy = here * 0.3 + around * 0.175
            let counted: Float = part == 0 ? 0.85 : 2
            let noise = load8(shapes + (64 &* part &+ 8 &* row)) * counted
            let first = energy / (energy + noise * 2 + 1e-20)
            let signal = energy * first * first
            rows[row] = signal / (signal + noise + 1e-20)
            (before, here) = (here, after)
        }
    }
}

/// Replaces the energies of the pilot by weights: Wiener weights for colour, whose noise counts more because the pilot
/// has some itself. For the common part they are those of squared energies, which decide more sharply: faint structure
/// keeps more of its contrast, at equal mean error.
@inline(__always)
private func weighByPilot(_ energies: UnsafeMutablePointer<SIMD8<Float>>, _ shapes: UnsafePointer<Float>) {
    for row in 0..<8 {
        let noise = load8(shapes + 8 &* row) * 0.95
        let (squared, squaredNoise) = (energies[row] * energies[row], noise * noise)
        energies[row] = squared / (squared + squaredNoise + 1e-20)
        let colorNoise = load8(shapes + (64 &+ 8 &* row)) * 3
        let energy = energies[row &+ 8]
        energies[row &+ 8] = energy / (energy + colorNoise + 1e-20)
    }
}

/// Weighs the coefficients of the three planes; the mean remains. Returns the fraction of the common part's noise
/// variance that remains.
@inline(__always)
private func apply(
    _ weights: UnsafeMutablePointer<SIMD8<Float>>, _ color: BlockColor, _ shapes: UnsafePointer<Float>,
    _ blocks: UnsafeMutablePointer<SIMD8<Float>>
) -> Float {
    (weights[0][0], weights[8][0]) = (1, 1)
    let (toCommon, fromCommon) = (color.direction / color.deviations, color.direction * color.deviations)
    var remaining = SIMD8<Float>(repeating: 0)
    for row in 0..<8 {
        let (forCommon, forRest) = (weights[row], weights[row &+ 8])
        let (r, g, b) = (blocks[row], blocks[row &+ 8], blocks[row &+ 16])
        let common = (r * toCommon[0] + g * toCommon[1] + b * toCommon[2]) * (forCommon - forRest)
        blocks[row] = r * forRest + common * fromCommon[0]
        blocks[row &+ 8] = g * forRest + common * fromCommon[1]
        blocks[row &+ 16] = b * forRest + common * fromCommon[2]
        remaining += forCommon * forCommon * load8(shapes + 8 &* row)
    }
    return remaining.sum()
}

/// Returns for each lane the value of the lane before it; the first lane's own.
@inline(__always)
private func left(_ v: SIMD8<Float>) -> SIMD8<Float> { SIMD8(v[0], v[0], v[1], v[2], v[3], v[4], v[5], v[6]) }

/// Returns for each lane the value of the lane behind it; the last lane's own.
@inline(__always)
private func right(_ v: SIMD8<Float>) -> SIMD8<Float> { SIMD8(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[7]) }

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
