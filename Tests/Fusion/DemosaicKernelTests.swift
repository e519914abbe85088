import Kernels
import KernelsBaseline
import KernelsV3
import RawImage
import Testing

/// The demosaic's kernels give the same numbers whichever copy runs.
@Suite(.enabled(if: hasWideVectors)) struct DemosaicKernelTests {
    private let codes = (0..<2048).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }

    private func light(_ seed: Int) -> [Float] {
        (0..<1024).map { Float(codes[($0 * 3 + seed * 977) % 2048]) / 50_000 - 0.1 }
    }

    @Test func balancesAlike() {
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (even, odd) = ([Float](repeating: 0, count: 1024), [Float](repeating: 0, count: 1024))
            let balance = unsafe isWide ? KernelsV3.balanceRow : KernelsBaseline.balanceRow
            unsafe balance(codes, 1019, &even, &odd, 100, 101.5, 1.0 / 40_000, 1.9 / 40_000, 1.5)
            #expect(even.allSatisfy { $0 <= 1.5 } && odd.contains(1.5))
            results.append(even + odd)
        }
        #expect(results[0] == results[1])
        #expect(results[0][5] == (Float(codes[10]) - 100) * (1.0 / 40_000))
    }

    @Test func interpolatesAlike() {
        let lines = (0..<8).map(light)
        let blank = [Float](repeating: 0, count: 1024)
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (estimate, difference) = (blank, blank)
            unsafe lines[0].withUnsafeBufferPointer { own in
                guard let own = own.baseAddress else { return }
                let green = unsafe isWide ? KernelsV3.interpolateGreen : KernelsBaseline.interpolateGreen
                unsafe green(
                    own + 1, lines[1], lines[2], lines[3], lines[4], lines[5], &estimate, &difference, 1000, 1e-5)
            }
            var (ownAtGreen, otherAtGreen, otherAtOwn) = (blank, blank, blank)
            let chroma = unsafe isWide ? KernelsV3.interpolateChroma : KernelsBaseline.interpolateChroma
            unsafe chroma(
                estimate, lines[1], difference, lines[6], lines[7], lines[6], lines[7], &ownAtGreen, &otherAtGreen,
                &otherAtOwn, 1000)
            results.append(estimate + difference + ownAtGreen + otherAtGreen + otherAtOwn)
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains { $0 != 0 })
    }

    @Test func excessIsAddedAlike() {
        let neighbours = (1..<5).map(light)
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (cut, excess) = (light(0), [Float](repeating: 0, count: 1024))
            var sum = excess
            let split = unsafe isWide ? KernelsV3.splitExcess : KernelsBaseline.splitExcess
            unsafe split(&cut, 1021, &excess)
            let add = unsafe isWide ? KernelsV3.addLeastExcess : KernelsBaseline.addLeastExcess
            unsafe add(cut, neighbours[0], neighbours[1], neighbours[2], neighbours[3], 1021, &sum)
            results.append(cut + excess + sum)
            for i in 0..<1021 {
                #expect(cut[i] <= 1 && excess[i] >= 0 && (excess[i] == 0 || cut[i] == 1))
                #expect(sum[i] == cut[i] + (neighbours.map { $0[i] }.min() ?? 0))
            }
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains(1))
    }

    @Test func storesAlike() {
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var output = [UInt16](repeating: 0, count: 8 * 1000)
            let store = unsafe isWide ? KernelsV3.storeLinear : KernelsBaseline.storeLinear
            unsafe store(light(0), light(1), light(2), 1000, 30_000, 64_511, 41_000, 1024, &output)
            results.append(output)
        }
        #expect(results[0] == results[1])
        #expect(results[0][3] == 65_535 && results[0][4] == 0)
    }
}
