import BurstScenes
import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests of the kernels that enlarge the photo of a wide lens, in the baseline and the wide-vector build.
@Suite(.enabled(if: hasWideVectors)) struct TeleResamplingKernelTests {
    private let balance = SIMD4<Float>(2, 1, 1.5, 1)
    private let offset = SIMD4<Float>(0.004, 0.002, 0.003, 0)

    /// The weights of Catmull-Rom interpolation at a fraction of the way from the second value to the third.
    private func weights(_ part: Float) -> SIMD4<Float> {
        let (square, cube) = (part * part, part * part * part)
        return SIMD4(
            (-part + 2 * square - cube) / 2, (2 - 5 * square + 3 * cube) / 2, (part + 4 * square - 3 * cube) / 2,
            (-square + cube) / 2)
    }

    private func pixels(_ count: Int, _ seed: UInt64) -> [SIMD4<Float>] {
        var random = Random(seed)
        return (0..<count).map { _ in
            SIMD4(Float(random.normal()), Float(random.normal()), Float(random.normal()), 1) * 0.2 + 0.3
        }
    }

    /// Returns a row on the compressed scale, by both builds.
    private func compressed(_ row: [SIMD4<Float>]) -> [SIMD4<Float>] {
        let results = [false, true].map { isWide in
            var result = Array(repeating: SIMD4<Float>(repeating: -9), count: row.count + 1)
            let compress = unsafe isWide ? KernelsV3.compressTeleRow : KernelsBaseline.compressTeleRow
            unsafe compress(&result, row, row.count, balance, offset)
            #expect(result.last == SIMD4(repeating: -9))
            return Array(result.dropLast())
        }
        #expect(results[0] == results[1])
        return results[0]
    }

    /// Returns pixels interpolated between those of a compressed row, by both builds.
    private func resampled(
        _ row: [SIMD4<Float>], _ places: [Int32], _ weights: [SIMD4<Float>]
    ) -> [SIMD4<Float>] {
        let results = [false, true].map { isWide in
            var result = Array(repeating: SIMD4<Float>(repeating: -9), count: places.count + 1)
            let resample = unsafe isWide ? KernelsV3.resampleTeleRow : KernelsBaseline.resampleTeleRow
            unsafe resample(&result, row, places.count, places, weights, balance, offset)
            #expect(result.last == SIMD4(repeating: -9))
            return Array(result.dropLast())
        }
        #expect(results[0] == results[1])
        return results[0]
    }

    /// Returns the row interpolated between four rows, by both builds.
    private func resampled(_ rows: [[SIMD4<Float>]], _ weights: SIMD4<Float>) -> [SIMD4<Float>] {
        let results = [false, true].map { isWide in
            var result = Array(repeating: SIMD4<Float>(repeating: -9), count: rows[0].count + 1)
            let resample = unsafe isWide ? KernelsV3.resampleTeleColumns : KernelsBaseline.resampleTeleColumns
            unsafe resample(&result, rows[0], rows[1], rows[2], rows[3], rows[0].count, weights)
            #expect(result.last == SIMD4(repeating: -9))
            return Array(result.dropLast())
        }
        #expect(results[0] == results[1])
        return results[0]
    }

    private func isClose(_ left: SIMD4<Float>, _ right: SIMD4<Float>, _ limit: Float = 1e-5) -> Bool {
        let difference = left - right
        return max(difference.max(), -difference.min()) < limit
    }

    @Test func theScaleIsThatOfBalancedLight() {
        let row = pixels(37, 1)
        for (value, pixel) in zip(compressed(row), row) {
            for color in 0..<4 {
                let light = max(pixel[color] * balance[color] + offset[color], 0)
                #expect(abs(value[color] - (light / (light + 1)).squareRoot()) < 1e-6)
            }
        }
        // Noise below the offset is black, and not a root of a negative number.
        #expect(compressed([SIMD4(repeating: -1)]) == [SIMD4(repeating: 0)])
    }

    /// A pixel at the position of another has its value.
    @Test func theScaleIsReversed() {
        let row = pixels(40, 2).map { pointwiseMax($0, SIMD4(repeating: 0)) }
        let places = (0..<36).map { Int32($0) }
        let result = resampled(compressed(row), places, Array(repeating: weights(0), count: places.count))
        #expect(zip(result, row.dropFirst()).allSatisfy { isClose($0, $1) })
    }

    /// Each pixel has its own neighbours and weights; a ramp on the compressed scale is interpolated exactly.
    @Test func pixelsLieBetweenTheirNeighbours() {
        let row = (0..<16).map { SIMD4<Float>(repeating: 0.05 * Float($0)) }
        let places: [Int32] = [11, 0, 5, 5, 12, 3, 7]
        let parts: [Float] = [0.25, 0, 0.75, 0.5, 1, 0.1, 0.9]
        let result = resampled(row, places, parts.map(weights))
        for index in places.indices {
            let value = 0.05 * (Float(places[index]) + 1 + parts[index])
            let expected = (SIMD4(repeating: value * value / (1 - value * value)) - offset) / balance
            #expect(isClose(result[index], expected, 1e-4), "\(result[index]), \(expected)")
        }
        let rows = (0..<4).map { line in row.map { $0 + 0.1 * Float(line) } }
        let between = resampled(rows, weights(0.3))
        #expect(zip(between, row).allSatisfy { isClose($0, $1 + 0.13) })
    }

    /// Beside an edge the cubic overshoots; the result stays between the two nearest values.
    @Test func edgesDoNotOvershoot() {
        let (dark, bright) = (SIMD4<Float>(repeating: 0.1), SIMD4<Float>(repeating: 0.9))
        for part in [Float(0.1), 0.25, 0.5, 0.75, 0.9] {
            let flat = resampled([[bright], [dark], [dark], [bright]], weights(part))
            #expect(isClose(flat[0], dark))
            let top = resampled([[dark], [bright], [bright], [dark]], weights(part))
            #expect(isClose(top[0], bright))
            // Colours may have edges in opposite directions.
            let (first, last) = (SIMD4<Float>(0.1, 0.9, 0.1, 0.9), SIMD4<Float>(0.9, 0.1, 0.9, 0.1))
            let edge = resampled([[first], [first], [last], [last]], weights(part))[0]
            #expect(edge.min() >= 0.1 && edge.max() <= 0.9)
            let row = [first, first, last, last]
            let across = resampled(row, [0, 0, 0], [weights(0), weights(part), weights(1)])
            for color in 0..<4 {
                let ends = [across[0][color], across[2][color]].sorted()
                #expect(across[1][color] >= ends[0] && across[1][color] <= ends[1])
            }
        }
    }
}
