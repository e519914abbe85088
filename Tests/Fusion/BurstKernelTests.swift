import BurstScenes
import Glibc
import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import KernelsV4
import Testing

/// Tests that the builds of the alignment and merge kernels for several processors return the same, correct numbers.
@Suite(.enabled(if: hasWideVectors)) struct BurstKernelTests {
    private let codes = (0..<4096).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }
    private var plane: [Int16] { codes.map { Int16($0 >> 4) - 512 } }

    /// The builds of the merge kernels that this processor can run.
    private enum Build {
        case baseline, v3, v4

        static var all: [Build] { hasWidestVectors ? [.baseline, .v3, .v4] : [.baseline, .v3] }

        /// Returns this build's kernel.
        func kernel<Kernel>(_ baseline: Kernel, _ v3: Kernel, _ v4: Kernel) -> Kernel {
            switch self {
            case .baseline: baseline
            case .v3: v3
            case .v4: v4
            }
        }
    }

    /// Whether all builds returned the same.
    private func areAlike<Result: Equatable>(_ results: [Result]) -> Bool { results.allSatisfy { $0 == results[0] } }

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
            let measured = unsafe contrast(plane, 64)
            results.append(
                [
                    found.right, found.down, Int(found.cost), Int(unsafe difference(plane, 64, other, 64)),
                    Int(measured.mean), Int(measured.deviation),
                ])
        }
        #expect(results[0] == results[1])
        let difference = (0..<256).reduce(0) { sum, position in
            let index = position / 16 * 64 + position % 16
            return sum + abs(Int(plane[index]) - Int(other[index]))
        }
        #expect(results[0][3] == difference)
    }

    /// The sums of `gradientSquares` and `correlateGradients` are products of a tile's gradients with one another and
    /// with the values of another tile.
    @Test func correlatesAlike() {
        let (own, other) = (plane, plane.map { Int16(($0 &* 3) & 2047) })
        // The offsets of both tiles in planes of 64 columns; one pixel around the first is read too.
        let (corner, otherCorner) = (65, 64 * 3 + 9)
        var results: [[Int32]] = []
        for build in Build.all {
            let tileGradients = unsafe build.kernel(
                KernelsBaseline.tileGradients, KernelsV3.tileGradients, KernelsV4.tileGradients)
            let squares = unsafe build.kernel(
                KernelsBaseline.gradientSquares, KernelsV3.gradientSquares, KernelsV4.gradientSquares)
            let correlate = unsafe build.kernel(
                KernelsBaseline.correlateGradients, KernelsV3.correlateGradients, KernelsV4.correlateGradients)
            var gradients = [Int16](repeating: 0, count: AlignmentTile.gradientCount)
            unsafe own.withUnsafeBufferPointer { own in
                guard let a = own.baseAddress else { return }
                unsafe tileGradients(a + corner, 64, &gradients)
            }
            let sums = unsafe squares(gradients)
            let products = unsafe correlate(Array(other[otherCorner...]), 64, gradients)
            results.append([sums.xx, sums.xy, sums.yy, products.across, products.down])
        }
        func sum(_ value: (_ pixel: Int) -> Int) -> Int32 {
            let pixels: [Int] = (0..<256).map { corner + $0 / 16 * 64 + $0 % 16 }
            return Int32(pixels.map(value).reduce(0, +))
        }
        func across(_ pixel: Int) -> Int { (Int(own[pixel + 1]) - Int(own[pixel - 1])) >> 1 }
        func down(_ pixel: Int) -> Int { (Int(own[pixel + 64]) - Int(own[pixel - 64])) >> 1 }
        func there(_ pixel: Int) -> Int { Int(other[pixel - corner + otherCorner]) }
        let expected = [
            sum { across($0) * across($0) }, sum { across($0) * down($0) }, sum { down($0) * down($0) },
            sum { across($0) * there($0) }, sum { down($0) * there($0) },
        ]
        for result in results { #expect(result == expected) }
    }

    /// The sum of the largest possible differences does not overflow the 16-bit vector lanes.
    @Test func differencesDoNotOverflow() {
        let (low, high) = ([Int16](repeating: -512, count: 256), [Int16](repeating: 3583, count: 256))
        #expect(unsafe KernelsV3.tileDifference(low, 16, high, 16) == 256 * 4095)
        #expect(unsafe KernelsBaseline.tileDifference(high, 16, low, 16) == 256 * 4095)
    }

    @Test func theShiftOfATileIsFound() {
        // A tile copied from the plane at 9 pixels to the right and 4 down.
        let cut = Array(plane[(4 * 64 + 9)...])
        let found = unsafe Kernels.searchTile(cut, 64, plane, 64, 6, 6, 0, 12, 0, 12, 10)
        #expect(found.right == 9 && found.down == 4)
    }

    @Test func transformsAlikeAndBack() {
        let original = tile(3)
        var results: [[SIMD16<Float>]] = []
        for build in Build.all {
            var (planes, scratch) = (original, original)
            let transform = unsafe build.kernel(
                KernelsBaseline.transformTile, KernelsV3.transformTile, KernelsV4.transformTile)
            unsafe transform(&planes, &scratch)
            results.append(planes)
            let invert = unsafe build.kernel(
                KernelsBaseline.invertTile, KernelsV3.invertTile, KernelsV4.invertTile)
            unsafe invert(&planes, &scratch)
            results.append(planes)
        }
        #expect(areAlike(results.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)))
        #expect(areAlike(results.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)))
        for row in 0..<64 {
            let error = results[1][row] / 256 - original[row]
            #expect(pointwiseMax(error, -error).max() < 1e-3)
        }
        // The value at frequency 0 is the sum of a plane.
        let sum = (0..<16).reduce(Float(0)) { $0 + original[$1].sum() }
        #expect(abs(results[0][0][0] - sum) < 0.05)
    }

    /// Both difference kernels return the difference of the codes themselves for a tile shifted by whole quads.
    @Test func differencesAlike() {
        let (none, black) = (SIMD4<Float>(0, 1, 0, 0), SIMD4<Float>(repeating: 0))
        let one = SIMD4<Float>(repeating: 1)
        var results: [[SIMD16<Float>]] = []
        for build in Build.all {
            var (own, grey) = (tile(1), tile(2))
            var scratch = [SIMD16<Float>](repeating: .zero, count: BurstTile.subtractRows)
            let differ = unsafe build.kernel(
                KernelsBaseline.subtractReferenceTile, KernelsV3.subtractReferenceTile, KernelsV4.subtractReferenceTile)
            let sumsOfTile = unsafe build.kernel(
                KernelsBaseline.sumsOfTile, KernelsV3.sumsOfTile, KernelsV4.sumsOfTile)
            let sums = unsafe codes.withUnsafeBufferPointer { codes -> SIMD4<Float> in
                guard let start = codes.baseAddress else { return .zero }
                unsafe differ(start, 64, none, none, black, start + 5, 64, &own, &scratch)
                return unsafe sumsOfTile(start + 5, 64)
            }
            let differGrey =
                unsafe build.kernel(
                    KernelsBaseline.subtractReferenceGreyTile, KernelsV3.subtractReferenceGreyTile,
                    KernelsV4.subtractReferenceGreyTile)
            unsafe differGrey(codes, 64, none, none, one, black, codes, 64, one, black, &grey, &scratch)
            results.append(own + grey)
            #expect(own[17][2] == Float(codes[4 * 64 + 2 + 5]) - Float(codes[2 * 64 + 5 + 5]))
            #expect(grey[33][2] == Float(codes[4 * 64 + 5]) - Float(codes[3 * 64 + 4]))
            let mean = (0..<256).reduce(0) { $0 + Double(codes[$1 / 16 * 128 + $1 % 16 * 2 + 5]) }
            #expect(abs(Double(sums[0]) / mean - 1) < 1e-5)
        }
        let isSame = areAlike(results)
        #expect(isSame)
    }

    /// Cubic interpolation halfway between samples reproduces a parabola exactly.
    @Test func interpolationFollowsACurve() {
        let shift = SIMD4<Float>(-0.0625, 0.5625, 0.5625, -0.0625)
        let none = SIMD4<Float>(0, 1, 0, 0)
        // The codes are a parabola along the rows of each colour.
        let curve = (0..<4096).map { position -> UInt16 in
            let x = position % 64 / 2
            return UInt16(9 * x * x + 300)
        }
        var (own, scratch) = (tile(1), [SIMD16<Float>](repeating: .zero, count: BurstTile.subtractRows))
        let flat = [UInt16](repeating: 0, count: 4096)
        unsafe Kernels.subtractReferenceTile(curve, 64, shift, none, .zero, flat, 64, &own, &scratch)
        let expected: Float = 5.5 * 5.5 * 9 + 300
        let error = abs(own[3][4] - expected)
        #expect(error < 0.01)
    }

    /// All builds interpolate between samples alike; the one for AVX-512 rounds less.
    @Test func interpolatesAlike() {
        let (across, down) = (SIMD4<Float>(-0.07, 0.62, 0.52, -0.07), SIMD4<Float>(-0.03, 0.28, 0.82, -0.07))
        let (gains, offsets) = (SIMD4<Float>(2, 1, 1, 1.6), SIMD4<Float>(-1056, -528, -528, -845))
        let black = SIMD4<Float>(repeating: 528)
        var results: [[SIMD16<Float>]] = []
        for build in Build.all {
            var (own, grey) = (tile(1), tile(2))
            var scratch = [SIMD16<Float>](repeating: .zero, count: BurstTile.subtractRows)
            let differ = unsafe build.kernel(
                KernelsBaseline.subtractReferenceTile, KernelsV3.subtractReferenceTile,
                KernelsV4.subtractReferenceTile)
            unsafe differ(codes, 64, across, down, offsets, codes, 64, &own, &scratch)
            let differGrey = unsafe build.kernel(
                KernelsBaseline.subtractReferenceGreyTile, KernelsV3.subtractReferenceGreyTile,
                KernelsV4.subtractReferenceGreyTile)
            unsafe differGrey(codes, 64, across, down, gains, offsets, codes, 64, 1 / gains, black, &grey, &scratch)
            results.append(own + grey)
        }
        for (row, baseline) in results[0].enumerated() {
            for result in results.dropFirst() {
                let error = result[row] - baseline
                #expect(pointwiseMax(error, -error).max() < 0.05)
            }
        }
    }

    @Test func weighsAlike() {
        var results: [[SIMD16<Float>]] = []
        for build in Build.all {
            var (excess, scratch) = (tile(0), tile(0))
            let weigh = unsafe build.kernel(
                KernelsBaseline.noiseExcess, KernelsV3.noiseExcess, KernelsV4.noiseExcess)
            let powers = (0..<16).map { 1 - Float($0 % 8) / 16 }
            let sums = unsafe weigh(tile(1), 30_000, 10_000, powers, SIMD16(repeating: 1), &excess, &scratch)
            let all = excess[..<16].reduce(Float(0)) { $0 + $1.sum() }
            #expect(abs(sums.all / all - 1) < 1e-5 && sums.low < sums.all)
            let weights = unsafe build.kernel(
                KernelsBaseline.weightsOfExcess, KernelsV3.weightsOfExcess, KernelsV4.weightsOfExcess)
            var nothing = [SIMD16<Float>](repeating: .zero, count: 16)
            #expect(abs(unsafe weights(&nothing, 4, 0.8) - 1) < 1e-6)
            #expect(nothing[7][3] == 0.8)
            let share = unsafe weights(&excess, 2, 0.8)
            #expect(share > 0.3 && share < 1)
            results.append(Array(excess[..<16]))
        }
        // V4 divides to about 23 bits.
        for (row, baseline) in results[0].enumerated() {
            for result in results.dropFirst() {
                let error = (result[row] - baseline) / baseline
                #expect(pointwiseMax(error, -error).max() < 1e-6)
            }
        }
        // A frequency and that of opposite sign have the same energy, and so the same weight.
        #expect(results[0][0][1] == results[0][0][15])
    }

    @Test func sumsAlike() {
        let weights = [Float](repeating: 0.5, count: 256)
        let numbers = { (seed: UInt64) in tile(seed).flatMap { row in (0..<16).map { row[$0] } } }
        var results: [[Float]] = []
        for build in Build.all {
            // The first frame replaces what the memory held before.
            var sums = [Int16](repeating: 77, count: BurstTile.sumCount)
            let store = unsafe build.kernel(
                KernelsBaseline.storeDifference, KernelsV3.storeDifference, KernelsV4.storeDifference)
            let add = unsafe build.kernel(
                KernelsBaseline.addDifference, KernelsV3.addDifference, KernelsV4.addDifference)
            unsafe store(numbers(5), weights, 0.5, &sums)
            unsafe add(numbers(6), weights, 0.5, &sums)
            #expect(sums[BurstTile.weightSums] == 256)
            var (mean, shares) = ([Float](repeating: 0, count: 1024), weights)
            let average = unsafe build.kernel(
                KernelsBaseline.averageDifference, KernelsV3.averageDifference, KernelsV4.averageDifference)
            let rest = unsafe average(sums, 2, &mean, &shares)
            #expect(abs(rest - 128) < 0.01 && shares[9] == 0.5)
            let sum = numbers(5)[300] + numbers(6)[300]
            // Each of the two summed differences was rounded to the unit 2, with an error of up to 1.
            #expect(abs(mean[300] - sum / 4) <= 2)
            var signals = [Float](repeating: 0, count: 48 * 32)
            let window = (0..<16).map { Float($0) / 16 }
            let overlay = unsafe build.kernel(
                KernelsBaseline.overlayTile, KernelsV3.overlayTile, KernelsV4.overlayTile)
            unsafe overlay(tile(5), 4, 8, window, &signals, 48)
            results.append(signals + mean)
        }
        let isSame = areAlike(results)
        #expect(isSame)
    }

    /// The 16-bit sums of 64 frames do not overflow, however large the differences.
    @Test func sumsDoNotOverflow() {
        let (large, weights) = ([Float](repeating: 1e9, count: 1024), [Float](repeating: 1.99, count: 256))
        var sums = [Int16](repeating: 0, count: BurstTile.sumCount)
        for _ in 0..<64 { unsafe Kernels.addDifference(large, weights, 1, &sums) }
        #expect(sums.allSatisfy { $0 > 32_000 })
    }

    /// Denoising changes nothing for a strength of 0 and removes nearly everything for a very large one.
    @Test func denoisingRemovesOnlyNoise() {
        let fractions = [SIMD16<Float>](repeating: SIMD16(repeating: 1), count: 16)
        let (deviations, color) = (SIMD4<Float>(1400, 1500, 1600, 1700), SIMD4<Float>(repeating: 0.5))
        var original = tile(1)
        var results: [[SIMD16<Float>]] = []
        for build in Build.all {
            var scratch = [SIMD16<Float>](repeating: .zero, count: BurstTile.denoisingRows)
            var frequencies = tile(1)
            unsafe build.kernel(KernelsBaseline.transformTile, KernelsV3.transformTile, KernelsV4.transformTile)(
                &frequencies, &scratch)
            original = frequencies
            let denoise = unsafe build.kernel(
                KernelsBaseline.denoiseWindowedTile, KernelsV3.denoiseWindowedTile, KernelsV4.denoiseWindowedTile)
            for strength in [Float(0), 1, 1e9] {
                var tile = original
                unsafe denoise(&tile, fractions, deviations, color, strength, halfCellShifts, &scratch)
                results.append(tile)
            }
        }
        for index in 0..<64 {
            let change = results[0][index] - original[index]
            #expect(pointwiseMax(change, -change).max() < 0.01)
            #expect(pointwiseMax(results[2][index], -results[2][index]).max() < 0.1)
        }
        #expect(energy(results[1]) < 0.4 * energy(original))
        for build in Build.all.indices { #expect(results[3 * build..<3 * build + 3] == results[..<3]) }
    }

    /// Fine texture of all colours, four times as strong as the noise, is not taken for noise: denoising leaves a
    /// smaller error than it found.
    @Test func denoisingLeavesTexture() {
        let fraction: Float = 0.3
        let noise = tile(7).map { $0 * fraction.squareRoot() }
        let texture = tile(8).map { $0 * (4 * fraction).squareRoot() }
        for build in Build.all {
            let denoised = denoise(zip(texture, noise).map { $0 + $1 }, fraction, build)
            let error = energy(zip(denoised, texture).map { $0 - $1 })
            #expect(error < 0.95 * energy(noise))
        }
    }

    /// Returns a tile of values after denoising. Values of noise have a standard deviation of 100 where all of it
    /// remains.
    private func denoise(_ values: [SIMD16<Float>], _ fraction: Float, _ build: Build) -> [SIMD16<Float>] {
        let fractions = [SIMD16<Float>](repeating: SIMD16(repeating: fraction), count: 16)
        var scratch = [SIMD16<Float>](repeating: .zero, count: BurstTile.denoisingRows)
        var tile = values
        unsafe build.kernel(KernelsBaseline.transformTile, KernelsV3.transformTile, KernelsV4.transformTile)(
            &tile, &scratch)
        unsafe build.kernel(
            KernelsBaseline.denoiseWindowedTile, KernelsV3.denoiseWindowedTile, KernelsV4.denoiseWindowedTile)(
                &tile, fractions, SIMD4(repeating: 1600), SIMD4(repeating: 0.5), 1, halfCellShifts, &scratch)
        unsafe build.kernel(KernelsBaseline.invertTile, KernelsV3.invertTile, KernelsV4.invertTile)(&tile, &scratch)
        return tile.map { $0 / 256 }
    }

    /// The cosines and sines of the phases by which half a Bayer cell turns the frequencies.
    private var halfCellShifts: [Float] {
        let turns: [Float] = [0, 1, 2, 3, 4, 5, 6, 7, 0, -7, -6, -5, -4, -3, -2, -1]
        let phases: [Float] = turns.map { $0 * Float.pi / 16 }
        return phases.map { cosf($0) } + phases.map { sinf($0) }
    }

    private func energy(_ tile: [SIMD16<Float>]) -> Float { tile.reduce(0) { $0 + ($1 * $1).sum() } }

    /// A windowed tile without denoising is restored to its codes times the window.
    @Test func windowedTilesAreRestored() {
        let window: [Float] = (0..<16).map { sinf((Float($0) + 0.5) * Float.pi / 16) }
        var codes = [UInt16](repeating: 0, count: 32 * 32)
        for index in codes.indices {
            let phase = Float(index % 32 + index / 32) * Float.pi / 8
            codes[index] = UInt16(1000 + 100 * cosf(phase))
        }
        for build in Build.all {
            var tile = [SIMD16<Float>](repeating: .zero, count: BurstTile.rows)
            let means = unsafe build.kernel(
                KernelsBaseline.loadWindowedTile, KernelsV3.loadWindowedTile, KernelsV4.loadWindowedTile)(
                    codes, 32, window, &tile)
            #expect(abs(means.sum() / 4 - 1000) < 1)
            var planes = tile
            for row in planes.indices { planes[row] *= 256 }
            unsafe build.kernel(
                KernelsBaseline.restoreWindowedTile, KernelsV3.restoreWindowedTile, KernelsV4.restoreWindowedTile)(
                    &planes, means, window)
            // The first plane's value at its fourth cell across and down, under the window.
            let value = (planes[3][3] / (window[3] * window[3]) - Float(codes[6 * 32 + 6]))
            #expect(abs(value) < 0.01)
        }
    }

    /// Clipped codes remain.
    @Test func denoisedCodesAreRounded() {
        var rounded = [UInt16](repeating: 7, count: 5)
        unsafe Kernels.storeDenoisedRow([10, 20, 30, 40, 50], [9.6, -5, 29.4, 12, 3], 40, &rounded, 4)
        #expect(rounded == [10, 0, 29, 40, 7])
    }

    @Test func correctionsAreRoundedAndClamped() {
        var rounded = [UInt16](repeating: 7, count: 6)
        unsafe Kernels.correctRow([0, 0, 1, 4095, 4000, 3], [-5, 0.02, -0.4, 0.3, 900, 0], 4095, 16, &rounded, 5)
        #expect(rounded == [0, 0, 10, 65520, 65535, 7])
    }

    @Test func outliersAlike() {
        var row = [UInt16](repeating: 500, count: 64)
        let flat = row
        (row[20], row[31], row[40]) = (700, 300, 510)
        #expect(outliers([flat, row, flat], black: 100, shot: 1, read: 100) == [20, 31])
    }

    @Test(
        arguments: [
            (0, 1, 0), (100, 0.5, 3), (1000, 40, 2500), (0, 0, 1), (500, 70_000, 100),
        ] as [(Float, Float, Float)])
    func outliersOfNoiseAreThoseBeyondTheBound(black: Float, shot: Float, read: Float) {
        var random = Random(7)
        for spread in [600.0, 5000, 65_535] {
            let rows: [[UInt16]] = (0..<3).map { _ in
                (0..<517).map { _ in UInt16(abs(random.normal()) * spread / 8) }
            }
            let expected = (2..<515).filter { (column: Int) -> Bool in
                let places: [(row: Int, step: Int)] = (0..<9).filter { $0 != 4 }.map { ($0 / 3, 2 * ($0 % 3) - 2) }
                let around: [UInt16] = places.map { rows[$0.row][column + $0.step] }
                let (highest, lowest) = (Float(around.max() ?? 0), Float(around.min() ?? 0))
                let code = Float(rows[1][column])
                let (over, under): (Float, Float) = (max(code - highest, 0), max(lowest - code, 0))
                let mostOver: Float = max(highest - black, 0) * shot + read
                let mostUnder: Float = max(lowest - black, 0) * shot + read
                return over * over > mostOver || under * under > mostUnder
            }
            #expect(outliers(rows, black: black, shot: shot, read: read) == expected)
        }
    }

    /// Returns the columns of the defects that `findIsolatedDefects` finds in the middle one of three rows, and expects
    /// the baseline and the wide-vector build to agree.
    private func outliers(_ rows: [[UInt16]], black: Float, shot: Float, read: Float) -> [Int] {
        let count = rows[1].count
        let found = [false, true].map { isWide in
            var columns = [Int32](repeating: 0, count: count)
            let find = unsafe isWide ? KernelsV3.findIsolatedDefects : KernelsBaseline.findIsolatedDefects
            let found = unsafe find(rows[0], rows[1], rows[2], count, black, shot, read, &columns)
            return columns[..<found].map { Int($0) }
        }
        #expect(found[0] == found[1])
        return found[0]
    }
}
