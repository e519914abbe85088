import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// The loops of alignment and merging give the same numbers whichever copy runs, and the right ones.
@Suite(.enabled(if: hasWideVectors)) struct BurstKernelTests {
    private let codes = (0..<4096).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }
    private var plane: [Int16] { codes.map { Int16($0 >> 4) - 512 } }

    private func tile(_ seed: UInt64) -> [SIMD16<Float>] {
        var random = Random(seed)
        return (0..<64).map { _ in SIMD16((0..<16).map { _ in Float(random.normal()) * 100 }) }
    }

    @Test func greysAlike() {
        var results: [[Int16]] = []
        for isWide in [false, true] {
            var (grey, quarter) = ([Int16](repeating: 0, count: 1000), [Int16](repeating: 0, count: 250))
            let greyRow = unsafe isWide ? KernelsV3.greyRow : KernelsBaseline.greyRow
            unsafe greyRow(codes, Array(codes[2000...]), &grey, 1000, 1000, 0.05)
            let quarterRow = unsafe isWide ? KernelsV3.quarterRow : KernelsBaseline.quarterRow
            unsafe quarterRow(plane, 1000, &quarter, 250)
            results.append(grey + quarter)
        }
        #expect(results[0] == results[1])
        let sum = [codes[6], codes[7], codes[2006], codes[2007]].reduce(0.0) { $0 + Double($1) }
        let value = ((sum / 4 - 1000) * 0.05).rounded()
        #expect(abs(Double(results[0][3]) - min(max(value, -512), 3583)) <= 1)
    }

    @Test func searchesAlike() {
        let other = plane.map { Int16(($0 &* 3) & 2047) }
        var results: [[Int]] = []
        for isWide in [false, true] {
            let search = unsafe isWide ? KernelsV3.searchTile : KernelsBaseline.searchTile
            let found = unsafe search(plane, 64, other, 64, 5, 6, 0, 20, 0, 18, 3)
            let difference = unsafe isWide ? KernelsV3.tileDifference : KernelsBaseline.tileDifference
            let contrast = unsafe isWide ? KernelsV3.tileContrast : KernelsBaseline.tileContrast
            let seen = unsafe contrast(plane, 64)
            var sums = [Int32](repeating: 0, count: 5)
            let gradients = unsafe isWide ? KernelsV3.gradientSums : KernelsBaseline.gradientSums
            // It looks at the values around the tile too.
            unsafe plane.withUnsafeBufferPointer { plane in
                guard let corner = plane.baseAddress else { return }
                unsafe gradients(corner + 65, 64, other, 64, 7, 21, &sums)
            }
            results.append(
                [
                    found.right, found.down, Int(found.cost), Int(unsafe difference(plane, 64, other, 64)),
                    Int(seen.mean), Int(seen.deviation),
                ] + sums.map(Int.init))
        }
        #expect(results[0] == results[1])
        let difference = (0..<256).reduce(0) { sum, place in
            let index = place / 16 * 64 + place % 16
            return sum + abs(Int(plane[index]) - Int(other[index]))
        }
        #expect(results[0][3] == difference)
    }

    /// The largest differences there can be fill sixteen bits, and no more.
    @Test func differencesDoNotOverflow() {
        let (low, high) = ([Int16](repeating: -512, count: 256), [Int16](repeating: 3583, count: 256))
        #expect(unsafe KernelsV3.tileDifference(low, 16, high, 16) == 256 * 4095)
        #expect(unsafe KernelsBaseline.tileDifference(high, 16, low, 16) == 256 * 4095)
    }

    @Test func theShiftOfATileIsFound() {
        // A tile cut out of the plane 9 to the right and 4 down.
        let cut = Array(plane[(4 * 64 + 9)...])
        let found = unsafe Kernels.searchTile(cut, 64, plane, 64, 6, 6, 0, 12, 0, 12, 10)
        #expect(found.right == 9 && found.down == 4)
    }

    @Test func transformsAlikeAndBack() {
        let original = tile(3)
        var results: [[SIMD16<Float>]] = []
        for isWide in [false, true] {
            var (planes, scratch) = (original, original)
            let transform = unsafe isWide ? KernelsV3.transformTile : KernelsBaseline.transformTile
            unsafe transform(&planes, &scratch)
            results.append(planes)
            let invert = unsafe isWide ? KernelsV3.invertTile : KernelsBaseline.invertTile
            unsafe invert(&planes, &scratch)
            results.append(planes)
        }
        #expect(results[0] == results[2] && results[1] == results[3])
        for row in 0..<64 {
            let error = results[1][row] / 256 - original[row]
            #expect(pointwiseMax(error, -error).max() < 1e-3)
        }
        // Frequency 0 is the sum of a plane.
        let sum = (0..<16).reduce(Float(0)) { $0 + original[$1].sum() }
        #expect(abs(results[0][0][0] - sum) < 0.05)
    }

    /// A wave that fits the tile, shifted by frequencies, is the wave at the other place.
    @Test func shiftsAreExactForWavesThatFit() {
        func wave(_ shift: Float) -> [SIMD16<Float>] {
            (0..<64).map { row in
                SIMD16((0..<16).map { column in row < 16 ? cosine(Float(column) + shift) : 0 })
            }
        }
        var (moved, scratch) = (wave(0), wave(0))
        let expected = wave(0.3)
        unsafe Kernels.transformTile(&moved, &scratch)
        var ramps = [SIMD16<Float>](repeating: .zero, count: 4)
        for lane in 0..<16 {
            let frequency = Float(lane < 8 ? lane : lane - 16)
            ramps[0][lane] = lane == 8 ? 0 : cosine(frequency * 0.3 / 3)
            ramps[1][lane] = lane == 8 ? 0 : cosine(frequency * 0.3 / 3 - 4.0 / 3)
            ramps[2][lane] = 1
        }
        unsafe Kernels.shiftTile(&moved, ramps)
        unsafe Kernels.invertTile(&moved, &scratch)
        for row in 0..<16 {
            let error = moved[row] / 256 - expected[row]
            #expect(pointwiseMax(error, -error).max() < 1e-4)
        }
    }

    /// Three turns over sixteen places.
    private func cosine(_ place: Float) -> Float { Float.cosine(place * 3 * .pi / 8) }

    @Test func weighsAlike() {
        var results: [[SIMD16<Float>]] = []
        for isWide in [false, true] {
            var (weights, scratch) = (tile(0), tile(0))
            let weigh = unsafe isWide ? KernelsV3.weighTile : KernelsBaseline.weighTile
            let share = unsafe weigh(tile(1), tile(2), 60_000, 4, 0.8, &weights, &scratch)
            #expect(share > 0.5 && share <= 1)
            results.append(Array(weights[..<16]))
            let same = unsafe weigh(tile(1), tile(1), 60_000, 4, 0.8, &weights, &scratch)
            #expect(abs(same - 1) < 1e-6 && abs(weights[7][3] - 0.8) < 1e-6)
        }
        #expect(results[0] == results[1])
        // A frequency and its mirror carry the same waves.
        #expect(results[0][3][5] == results[0][13][11] && results[0][0][1] == results[0][0][15])
    }

    @Test func sumsAndRoundsAlike() {
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (sums, mean) = (tile(9) + tile(9), tile(9))
            let add = unsafe isWide ? KernelsV3.addTile : KernelsBaseline.addTile
            let weights = [SIMD16<Float>](repeating: SIMD16(repeating: 1), count: 16)
            unsafe add(tile(5), weights, tile(4), true, &sums)
            unsafe add(tile(6), weights, tile(4), false, &sums)
            let average = unsafe isWide ? KernelsV3.averageTile : KernelsBaseline.averageTile
            let rest = unsafe average(sums, &mean)
            #expect(abs(rest - 256 / 3) < 0.01)
            let sum = tile(4)[17][3] + tile(5)[17][3] + tile(6)[17][3]
            #expect(abs(mean[17][3] - sum / 3) < 1e-3)
            var signals = [Float](repeating: 0, count: 48 * 32)
            let window = (0..<16).map { Float($0) / 16 }
            let overlay = unsafe isWide ? KernelsV3.overlayTile : KernelsBaseline.overlayTile
            unsafe overlay(mean, 4, 8, window, &signals, 48)
            var rounded = [UInt16](repeating: 0, count: 47)
            let round = unsafe isWide ? KernelsV3.roundRow : KernelsBaseline.roundRow
            unsafe round(signals, 1000, 30_000, 31_000, &rounded, 47)
            results.append(signals + rounded.map(Float.init))
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains { $0 > 1000 })
    }

    @Test func codesAreRoundedAndKeptInRange() {
        var rounded = [UInt16](repeating: 7, count: 6)
        unsafe Kernels.roundRow([-5, 0.4, 0.6, 65_534.7, 70_000, 12], 1, 0, 0, &rounded, 5)
        #expect(rounded == [0, 0, 1, 65535, 65535, 7])
    }
}

extension Float {
    /// The cosine, by its series.
    fileprivate static func cosine(_ angle: Float) -> Float {
        let turn = Double(angle).remainder(dividingBy: 2 * .pi)
        var (sum, term) = (1.0, 1.0)
        for n in stride(from: 2.0, through: 24, by: 2) {
            term *= -turn * turn / (n * (n - 1))
            sum += term
        }
        return Float(sum)
    }
}
