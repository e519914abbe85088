import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import RawImage
import Testing

/// Tests that the baseline and the wide-vector build of the demosaic kernels return the same numbers.
@Suite(.enabled(if: hasWideVectors)) struct DemosaicKernelTests {
    private let codes = (0..<2048).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }
    private let count = 1000

    /// Padded half rows (lines) of linear values between -0.1 and 1.2, by index.
    @unsafe
    private struct Lines {
        static let length = 1040
        let start: UnsafeMutablePointer<Float>

        func callAsFunction(_ index: Int) -> UnsafeMutablePointer<Float> {
            unsafe start + (index * Self.length + 16)
        }

        /// Groups line `index` as the half row above and the next line as the one below.
        func pair(_ index: Int) -> RowPair { unsafe RowPair(above: self(index), below: self(index + 1)) }

        /// Groups line `index` as a half row and the next two lines as those above and below it.
        func triple(_ index: Int) -> RowTriple {
            unsafe RowTriple(self(index), above: self(index + 1), below: self(index + 2))
        }

        /// Groups seven lines from `index`, the middle one being the centre of the neighbours.
        func neighbours(_ index: Int) -> LineNeighbours { unsafe LineNeighbours { unsafe self(index + 3 + $0) } }

        /// Groups the first three lines as memory for the colours of a half row.
        var colors: ColorRows { unsafe ColorRows(own: self(0), green: self(1), opposite: self(2)) }
    }

    /// Runs the baseline and the wide-vector build of a kernel on equal lines and compares the results; only the first
    /// `outputs` lines may be written.
    private func both(writing outputs: Int, of lines: Int, _ body: (Bool, Lines) -> Void) {
        let length = unsafe Lines.length
        let before = (0..<lines * length).map { Float(codes[($0 * 3 + $0 / length * 977) % 2048]) / 50_000 - 0.1 }
        var results: [[Float]] = []
        for isWide in [false, true] {
            var values = before
            unsafe values.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                unsafe body(isWide, Lines(start: start))
            }
            results.append(values)
        }
        #expect(results[0] == results[1])
        #expect(results[0].allSatisfy { $0.isFinite })
        for line in 0..<lines {
            let range = line * length..<(line + 1) * length
            #expect((results[0][range] != before[range]) == (line < outputs), "line \(line)")
        }
    }

    @Test func balancesAlike() {
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (even, odd) = ([Float](repeating: 0, count: 1024), [Float](repeating: 0, count: 1024))
            let balance = unsafe isWide ? KernelsV3.balanceRow : KernelsBaseline.balanceRow
            let highest = unsafe balance(codes, 1019, &even, &odd, 100, 101.5, 1.0 / 40_000, 1.9 / 40_000, 0.01)
            #expect(even.max() == Float(1.01).squareRoot() && odd.max() == even.max())
            let evenCodes = (0..<1019).map { (index: Int) -> UInt16 in codes[2 * index] }
            #expect(highest.even == evenCodes.max())
            let oddCodes = (0..<1019).map { (index: Int) -> UInt16 in codes[2 * index + 1] }
            #expect(highest.odd == oddCodes.max())
            results.append(even + odd)
        }
        #expect(results[0] == results[1])
        let linear: Float = (Float(codes[10]) - 100) * (1.0 / 40_000) + 0.01
        #expect(results[0][5] == linear.squareRoot())
    }

    @Test func detailIsMeasuredAlike() {
        unsafe both(writing: 2, of: 10) { isWide, line in
            let detail = unsafe isWide ? KernelsV3.detail : KernelsBaseline.detail
            unsafe detail(line.neighbours(2), line(9), line(0), line(1), count)
        }
        unsafe both(writing: 3, of: 13) { isWide, line in
            let detail = unsafe isWide ? KernelsV3.diagonalHighPass : KernelsBaseline.diagonalHighPass
            unsafe detail(line.neighbours(3), line.triple(10), line(0), line(1), line(2), count)
        }
        unsafe both(writing: 2, of: 13) { isWide, line in
            let directions = unsafe isWide ? KernelsV3.directions : KernelsBaseline.directions
            unsafe directions(
                line(2), line(3), line.triple(4), line.triple(7), line.triple(10), 1, line(0), line(1), count)
        }
    }

    @Test func coloursAreInterpolatedAlike() {
        unsafe both(writing: 2, of: 18) { isWide, line in
            let green = unsafe isWide ? KernelsV3.interpolateGreen : KernelsBaseline.interpolateGreen
            unsafe green(
                line.neighbours(2), line.pair(9), line(11), line.triple(12), line.triple(15), line(0), line(1), count)
        }
        unsafe both(writing: 1, of: 13) { isWide, line in
            let opposite = unsafe isWide ? KernelsV3.interpolateOpposite : KernelsBaseline.interpolateOpposite
            unsafe opposite(
                line.triple(1), line.pair(4), line.pair(6), line.pair(8), line.triple(10), line(0), count)
        }
    }

    @Test func greenIsRefinedAlike() {
        unsafe both(writing: 1, of: 8) { isWide, line in
            let estimate = unsafe isWide ? KernelsV3.estimateDifference : KernelsBaseline.estimateDifference
            unsafe estimate(line.neighbours(1), -1, line(0), count)
        }
        unsafe both(writing: 2, of: 9) { isWide, line in
            let smooth = unsafe isWide ? KernelsV3.smoothDifference : KernelsBaseline.smoothDifference
            unsafe smooth(line.neighbours(2), line(0), line(1), count)
        }
        unsafe both(writing: 2, of: 17) { isWide, line in
            let weigh = unsafe isWide ? KernelsV3.estimateLMMSE : KernelsBaseline.estimateLMMSE
            unsafe weigh(line(2), line.neighbours(3), line.neighbours(10), line(0), line(1), count)
        }
        unsafe both(writing: 2, of: 7) { isWide, line in
            let refine = unsafe isWide ? KernelsV3.refineGreen : KernelsBaseline.refineGreen
            unsafe refine(line(2), line(3), line(4), line(5), line(6), line(0), line(1), count)
        }
    }

    @Test func rowsAreFinishedAlike() {
        unsafe both(writing: 3, of: 6) { isWide, line in
            let finish = unsafe isWide ? KernelsV3.linearizeOwn : KernelsBaseline.linearizeOwn
            unsafe finish(line(3), line(4), line(5), 0.01, line.colors, count)
        }
        unsafe both(writing: 3, of: 13) { isWide, line in
            let finish = unsafe isWide ? KernelsV3.linearizeGreen : KernelsBaseline.linearizeGreen
            unsafe finish(
                line(3), line.triple(4), line.triple(7), line.triple(10), 0.01, line.colors, count)
        }
    }

    @Test func excessIsAddedAlike() {
        unsafe both(writing: 2, of: 6) { isWide, line in
            let excess = unsafe isWide ? KernelsV3.excessRow : KernelsBaseline.excessRow
            unsafe excess(codes, 1021, 1000, 1.0 / 40_000, line(0))
            let add = unsafe isWide ? KernelsV3.addLeastExcess : KernelsBaseline.addLeastExcess
            let before = (0..<1021).map { unsafe line(1)[$0] }
            unsafe add(line(1), line(2), line(3), line(4), line(5), 1021)
            for i in 0..<1021 {
                unsafe #expect(line(0)[i] == max((Float(codes[2 * i]) - 1000) * (1.0 / 40_000) - 1, 0))
                let least = unsafe min(line(2)[i], line(3)[i], line(4)[i], line(5)[i])
                unsafe #expect(line(1)[i] == before[i] + least)
            }
        }
    }

    @Test func storesAlike() {
        let light = (0..<3).map { line in (0..<1024).map { Float(codes[($0 * 3 + line * 977) % 2048]) / 50_000 - 0.1 } }
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var output = [UInt16](repeating: 0, count: 8 * 1000)
            let store = unsafe isWide ? KernelsV3.storeLinear : KernelsBaseline.storeLinear
            unsafe store(light[0], light[1], light[2], 1000, 30_000, 64_511, 41_000, 1024, &output)
            results.append(output)
        }
        #expect(results[0] == results[1])
        #expect(results[0][3] == 65_535 && results[0][4] == 0)
    }
}
