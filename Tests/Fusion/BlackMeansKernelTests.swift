import BurstScenes
import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that noise near black becomes 0 or more without a change of the means of blocks.
@Suite(.enabled(if: hasWideVectors)) struct BlackMeansKernelTests {
    /// Returns a row with padding of 99 for whole blocks.
    private func noise(_ width: Int, mean: Double, seed: UInt64) -> [Float] {
        var random = Random(seed)
        return (0..<(width + 31) / 16 * 16).map { $0 < width ? Float(mean + random.normal()) : 99 }
    }

    @Test(arguments: [1, 2, 7, 16, 17, 40, 61], [-0.5, 0.1, 0.6, 2])
    func blocksKeepTheirMeans(_ width: Int, _ mean: Double) {
        for seed in 0..<20 {
            let row = noise(width, mean: mean, seed: UInt64(seed))
            var (baseline, wide) = (row, row)
            unsafe KernelsBaseline.keepBlackMeans(&baseline, width: width)
            unsafe KernelsV3.keepBlackMeans(&wide, width: width)
            for result in [baseline, wide] { check(Array(result[..<width]), Array(row[..<width])) }
        }
    }

    /// The two halves of a row are the even and the odd columns, so that a block covers the same pixels.
    @Test(arguments: [1, 2, 7, 16, 17, 40, 61]) func halfRowsAreAsWholeOnes(_ width: Int) {
        let row = noise(width, mean: 0.3, seed: 9)
        var whole = row
        unsafe KernelsBaseline.keepBlackMeans(&whole, width: width)
        let halves = (0..<2).map { phase in stride(from: phase, to: row.count, by: 2).map { row[$0] } }
        var (even, odd) = (halves[0], halves[1])
        unsafe KernelsBaseline.keepBlackMeans(even: &even, odd: &odd, width: width)
        var (wideEven, wideOdd) = (halves[0], halves[1])
        unsafe KernelsV3.keepBlackMeans(even: &wideEven, odd: &wideOdd, width: width)
        for (even, odd) in [(even, odd), (wideEven, wideOdd)] {
            for column in 0..<width {
                let value = column % 2 == 0 ? even[column / 2] : odd[column / 2]
                #expect(abs(value - whole[column]) < 1e-3, "column \(column)")
            }
        }
    }

    private func check(_ result: [Float], _ row: [Float]) {
        #expect(result.allSatisfy { $0 >= 0 })
        for start in stride(from: 0, to: row.count, by: 16) {
            let (before, after) = (row[start..<min(start + 16, row.count)], result[start..<min(start + 16, row.count)])
            let (sum, kept) = (before.reduce(0, +), after.reduce(0, +))
            #expect(abs(kept - max(0, sum)) < 0.002 * max(sum, 1))
            if before.allSatisfy({ $0 >= 0 }) { #expect(Array(before) == Array(after)) }
            // All positive values lose the same.
            let losses = zip(before, after).filter { $1 > 0 }.map { $0 - $1 }
            if let most = losses.max(), let least = losses.min() { #expect(most - least < 1e-5) }
        }
    }
}
