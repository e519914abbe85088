import BurstScenes
import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that the baseline and the wide-vector build of the super-resolution kernels return the same, correct numbers.
@Suite(.enabled(if: hasWideVectors)) struct SuperResolutionKernelTests {
    private func values(_ count: Int, _ seed: UInt64) -> [Float] {
        var random = Random(seed)
        return (0..<count).map { _ in Float(random.normal()) * 0.1 + 0.4 }
    }

    @Test func trustFollowsTheDifferenceFromTheReference() {
        let (samples, precision) = (values(480, 1), [Float](repeating: 100, count: 480))
        var far = [Float](repeating: 0, count: 3 * 256)
        for color in 0..<3 {
            for position in 0..<256 {
                // The values deviate by three standard deviations in the right half.
                far[256 * color + position] =
                    samples[24 * (position / 16) + position % 16] + (position % 16 < 8 ? 0 : 0.03)
            }
        }
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (deviations, trust) = ([Float](repeating: 0, count: 256), [Float](repeating: 0, count: 64))
            let contradict =
                unsafe isWide ? KernelsV3.superResolutionDeviation : KernelsBaseline.superResolutionDeviation
            unsafe far.withUnsafeBufferPointer { far in
                guard let red = far.baseAddress else { return }
                let result = unsafe ColorPlanes(red: red, green: red + 256, blue: red + 512, stride: 16)
                unsafe contradict(samples, result, precision, 1, 0, &deviations, 8, 64)
            }
            #expect(deviations[0] < 1e-6 && abs(deviations[7] - 36) < 0.01)
            #expect(zip([1, 2, 3], [-3, -6, -3]).allSatisfy { abs(deviations[64 * $0 + 7] - $1) < 0.01 })
            let believe = unsafe isWide ? KernelsV3.superResolutionTrust : KernelsBaseline.superResolutionTrust
            unsafe believe(&deviations, 8, 64, 8, 1, 1, &trust)
            #expect(trust[0] == 1 && trust[7] < 0.01)
            let takeBack = unsafe isWide ? KernelsV3.superResolutionBlend : KernelsBaseline.superResolutionBlend
            unsafe takeBack(Array(repeating: 0, count: 256), trust, 8, 8, &far, 16)
            #expect(far[0] == samples[0] && abs(far[15]) < 0.01)
            for position in 0..<256 { far[position] = far[256 + position] }
            results.append(trust + deviations)
        }
        #expect(results[0] == results[1])
    }

    /// The changes of cells of four pixels are interpolated, also in the last one, of which the row has three.
    @Test func changesReachTheLastPixel() {
        // Of each colour the changes of two cells, with one value before and two behind them.
        let changes: [Float] = [8, 8, 16, 16, 16, 0, 0, 0, 0, 0, -4, -4, -4, -4, -4]
        let red: [UInt16] = [1008, 1008, 1009, 1011, 1013, 1015, 1016, 1016, 1016, 1016, 1016]
        let expected: [UInt16] = red.flatMap { (red: UInt16) -> [UInt16] in [red, 1000, 996, 65_535] }
        for isWide in [false, true] {
            var pixels = [UInt16](repeating: 1000, count: 48)
            for alpha in stride(from: 3, to: 48, by: 4) { pixels[alpha] = 65_535 }
            let add = unsafe isWide ? KernelsV3.addChanges : KernelsBaseline.addChanges
            unsafe changes.withUnsafeBufferPointer { changes in
                guard let first = changes.baseAddress else { return }
                unsafe add(&pixels, 11, 4, first + 1, 5)
            }
            #expect(Array(pixels[..<44]) == expected && pixels[44...] == [1000, 1000, 1000, 65_535])
        }
    }

    @Test func aFaintShiftOfColorIsNotTrusted() {
        let (side, plane) = (40, 1600)
        /// Returns the mean trust in a result that differs from the reference by its noise, and from the middle on by
        /// `shift` standard deviations: in the half without and in that with the shift.
        func trust(_ shift: Float) -> (noise: Float, shifted: Float) {
            var random = Random(7)
            var deviations = [Float](repeating: 0, count: 4 * plane)
            for quad in 0..<plane {
                let samples = (0..<4).map { _ in
                    0.93 * Float(random.normal()) + (quad % side < side / 2 ? 0 : shift)
                }
                deviations[quad] = samples.reduce(0) { $0 + $1 * $1 }
                deviations[plane + quad] = samples[0]
                deviations[2 * plane + quad] = samples[1] + samples[2]
                deviations[3 * plane + quad] = samples[3]
            }
            var trust = [Float](repeating: 0, count: plane)
            unsafe KernelsBaseline.superResolutionTrust(
                &deviations, side, plane, side, 0.9, 1.2, &trust)
            func mean(_ columns: Range<Int>) -> Float {
                let values = trust.indices.filter { columns.contains($0 % side) }.map { trust[$0] }
                return values.reduce(0, +) / Float(values.count)
            }
            return (mean(0..<18), mean(22..<40))
        }
        // The squares alone leave 0.95 and 0.75 of the trust.
        #expect(trust(0.3).noise > 0.9 && trust(0.3).shifted < 0.85)
        #expect(trust(0.6).shifted < 0.35)
    }

    @Test func residualsAlike() {
        let (guide, across, down) = (values(4096, 1), values(4, 2), values(4, 3))
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (light, scratch) = (values(480, 4), [Float](repeating: 0, count: SuperResolutionTile.guideCount))
            let residual = unsafe isWide ? KernelsV3.superResolutionResidual : KernelsBaseline.superResolutionResidual
            unsafe guide.withUnsafeBufferPointer { guide in
                guard let red = guide.baseAddress else { return }
                let planes = unsafe ColorPlanes(red: red, green: red + 1000, blue: red + 2000, stride: 40)
                unsafe residual(&light, planes, across, down, 1, 0, &scratch)
            }
            results.append(light)
        }
        #expect(results[0] == results[1])
        // The checked sample is in row 1, whose red samples are in even columns.
        var interpolated: Float = 0
        for row in 0..<4 {
            for column in 0..<4 { interpolated += down[row] * across[column] * guide[(1 + row) * 40 + 6 + column] }
        }
        #expect(abs(results[0][24 + 6] - (values(480, 4)[24 + 6] - interpolated)) < 1e-5)
    }

    @Test func sumsAlike() {
        let (residual, weights, taps) = (values(480, 1), values(128, 2), values(5, 3))
        var results: [[Float]] = []
        for isWide in [false, true] {
            var sums = [Float](repeating: 0, count: 1536)
            let gather = unsafe isWide ? KernelsV3.superResolutionAccumulate : KernelsBaseline.superResolutionAccumulate
            unsafe gather(residual, weights, taps, taps, 0, 1, &sums)
            results.append(sums)
        }
        #expect(results[0] == results[1])
        // The red samples around a pixel: even rows and odd columns.
        let (row, column) = (3, 6)
        var (sum, total): (Float, Float) = (0, 0)
        for y in 0..<5 where (row + y) % 2 == 0 {
            for x in 0..<5 where (column + x) % 2 == 1 {
                sum += taps[y] * taps[x] * residual[(row + y) * 24 + column + x]
                total += taps[y] * taps[x]
            }
        }
        let weight = weights[row / 2 * 16 + column]
        #expect(abs(results[0][row * 16 + column] - sum * weight) < 1e-5)
        #expect(abs(results[0][768 + row * 16 + column] - total * weight) < 1e-5)
    }

    /// Denoising blocks with nearly no noise returns the input.
    @Test func blocksAlikeAndBack() {
        let (size, stride) = (64 * 64, 64)
        let picture = values(3 * size, 5)
        let ones = [Float](repeating: 1, count: 128)
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (sums, weights) = ([Float](repeating: 0, count: 3 * size), [Float](repeating: 0, count: size))
            var scratch = [SIMD8<Float>](repeating: .zero, count: DenoisingBlock.scratchRows)
            let shrink = unsafe isWide ? KernelsV3.denoiseBlocks : KernelsBaseline.denoiseBlocks
            unsafe picture.withUnsafeBufferPointer { picture in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    unsafe weights.withUnsafeMutableBufferPointer { weights in
                        guard let picture = picture.baseAddress, let sums = sums.baseAddress,
                            let weights = weights.baseAddress
                        else { return }
                        let planes = unsafe DenoisedPlanes(
                            picture: picture, pilot: nil, sums: sums, weights: weights, plane: size, stride: stride)
                        unsafe shrink(
                            planes, 15, ones, [0, 1e-12, 0, 1e-12, 0, 1e-12], ones, ones, &scratch)
                    }
                }
            }
            results.append(sums + weights)
        }
        #expect(results[0] == results[1])
        for index in [0, 70, 3 * 64 + 40, size + 5, 2 * size + 7 * 64 + 20] {
            #expect(abs(results[0][index] / results[0][3 * size + index % size] - picture[index]) < 1e-5)
        }
    }
}
