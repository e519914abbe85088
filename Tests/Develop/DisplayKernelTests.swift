import Kernels
import KernelsBaseline
import KernelsV3
import RawImage
import Testing

/// The display kernels give the same numbers whichever copy runs.
@Suite(.enabled(if: hasWideVectors)) struct DisplayKernelTests {
    private let codes = (0..<4096).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }
    private let curve = (0..<16_384).map { UInt8($0 >> 6) }

    private func light(_ seed: Int) -> [Float] {
        (0..<1024).map { Float(codes[($0 * 3 + seed * 977) % 4096]) / 50_000 - 0.1 }
    }

    @Test func mixesAlike() {
        let blank = [UInt16](repeating: 0, count: 1024)
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var mixed = blank
            let mix = unsafe isWide ? KernelsV3.mixColors : KernelsBaseline.mixColors
            unsafe mix(light(0), light(1), light(2), 21_000, -3000, -1500, 1021, &mixed)
            var (red, green, blue) = (blank, blank, blank)
            let mixCells = unsafe isWide ? KernelsV3.mixCells : KernelsBaseline.mixCells
            let shares = SIMD4<Float>(20_000, 3000, -2000, 1000)
            unsafe mixCells(light(3), shares, -shares, SIMD4(0, 0, 0, 16_383), 253, &red, &green, &blue)
            results.append(mixed + red + green + blue)
            #expect((0..<253).allSatisfy { red[$0] == 0 || green[$0] == 0 })
            #expect(abs(Float(blue[9]) - max(0, min(1, light(3)[39])) * 16_383) <= 0.5)
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains(0) && results[0].contains(16_383) && results[0].allSatisfy { $0 <= 16_383 })
    }

    @Test func storesAlike() {
        let indices = codes.map { $0 >> 2 }
        var results: [[UInt8]] = []
        for isWide in [false, true] {
            var (wide, narrow) = ([UInt8](repeating: 0, count: 4096), [UInt8](repeating: 0, count: 4096))
            let storeWide = unsafe isWide ? KernelsV3.storeWidePixels : KernelsBaseline.storeWidePixels
            unsafe storeWide(indices, indices.reversed(), indices, 1000, curve, 16, 8, 0, 1, &wide)
            let store = unsafe isWide ? KernelsV3.storePixels : KernelsBaseline.storePixels
            unsafe store(indices, indices.reversed(), indices, 600, curve, 0, 1, 2, 2, &narrow)
            results.append(wide + narrow)
        }
        #expect(results[0] == results[1])
        #expect(results[0][2] == curve[Int(indices[0])] && results[0][3] == 255)
    }

    @Test func averagesAlike() {
        let limits = [UInt16](repeating: 50_000, count: 1024)
        let offsets = light(5)
        let scales = light(6).map { $0 / 1e9 }
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (light, other) = ([Float](repeating: 0, count: 1024), [Float](repeating: 0, count: 1024))
            var sums = [Int32](repeating: 0, count: 1024)
            let mix = unsafe isWide ? KernelsV3.mixRows : KernelsBaseline.mixRows
            let add = unsafe isWide ? KernelsV3.addRow : KernelsBaseline.addRow
            let balance = unsafe isWide ? KernelsV3.balanceSums : KernelsBaseline.balanceSums
            unsafe codes.withUnsafeBufferPointer { codes in
                guard let row = codes.baseAddress else { return }
                unsafe mix(
                    row, row + 1024, row + 2048, 10_000, 20_000, 2768, limits, offsets, scales, 1019, &light)
                unsafe add(row, limits, 10_000, 1019, &sums)
                unsafe add(row + 1024, limits, 20_000, 1019, &sums)
                unsafe add(row + 2048, limits, 2768, 1019, &sums)
            }
            unsafe balance(sums, offsets, scales, 1019, &other)
            #expect(light == other)
            results.append(light)
        }
        #expect(results[0] == results[1])
    }

    @Test(arguments: 1...6) func sumsColumnsAlike(_ taps: Int) {
        let starts = (0..<200).map { Int32($0) }
        let weights = (0..<200 * taps).map { SIMD2(Float($0 % 7) / 20, Float($0 % 5) / 20) }
        var results: [[SIMD4<Float>]] = []
        for isWide in [false, true] {
            var sums = [SIMD4<Float>](repeating: SIMD4(), count: 200)
            let sum = unsafe isWide ? KernelsV3.sumColumns : KernelsBaseline.sumColumns
            unsafe sum(light(0), light(1), 2, starts, weights, taps, 200, &sums)
            results.append(sums)
        }
        #expect(results[0] == results[1])
        for place in 0..<4 {
            let line = light(place / 2)
            let expected = (0..<taps).map { line[2 * (7 + $0) + place % 2] * weights[7 * taps + $0][place % 2] }
            #expect(abs(results[0][7][place] - expected.reduce(0, +)) < 1e-5)
        }
    }
}
