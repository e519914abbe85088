import BurstScenes
import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that the baseline and the wide-vector build of the bracket kernels return the same, correct numbers.
@Suite(.enabled(if: hasWideVectors)) struct BracketKernelTests {
    private let half = 64
    private var stride: Int { 2 * half }

    /// Returns sixteen rows of random signals, including clipped and negative ones.
    private func rows(_ seed: UInt64) -> [Float] {
        var random = Random(seed)
        return (0..<16 * stride).map { _ in Float(random.normal()) * 1500 + 1500 }
    }

    private func shares(_ seed: UInt64) -> [Float] { rows(seed).map { min(max($0 / 3000, 0), 1) } }

    private let constants: [Float] =
        [Float](repeating: 0.4, count: 4) + [Float](repeating: 4, count: 4) + [Float](repeating: 0.1, count: 4)
        + [Float](repeating: 1, count: 4) + [Float](repeating: 3000, count: 4) + [Float](repeating: 0.01, count: 4)

    @Test func comparesAlike() {
        let (reference, frame, open) = (rows(1), rows(2), shares(3))
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (a, b, c, d) = (rows(4), rows(5), rows(6), rows(7))
            let quads = unsafe isWide ? KernelsV3.compareQuads : KernelsBaseline.compareQuads
            unsafe quads(reference, frame, stride, half, open, true, constants, &a, &b, 56)
            let highlights = unsafe isWide ? KernelsV3.compareHighlights : KernelsBaseline.compareHighlights
            unsafe highlights(reference, frame, stride, half, open, constants, &c, &d, 56)
            results.append(a + b + c + d)
        }
        #expect(results[0] == results[1])
        // Equal rows have no mismatch, a clipped signal does not differ from a brighter one, and it differs from a
        // darker one.
        var (same, known) = (rows(4), rows(5))
        unsafe Kernels.compareQuads(reference, reference, stride, half, open, false, constants, &same, &known, 56)
        #expect(same[..<56].allSatisfy { $0 == 0 } && known[..<56] == open[..<56])
        let (clipped, brighter) = (
            [Float](repeating: 4000, count: 2 * stride), [Float](repeating: 9000, count: 2 * stride)
        )
        unsafe Kernels.compareQuads(clipped, brighter, stride, half, open, false, constants, &same, &known, 56)
        #expect(same[..<56].allSatisfy { $0 == 0 })
        unsafe Kernels.compareQuads(brighter, clipped, stride, half, open, false, constants, &same, &known, 56)
        #expect(zip(same, open).prefix(56).allSatisfy { $0 > 0 || $1 == 0 })
    }

    @Test func mergesAlike() {
        let (reference, frame, open, excess) = (rows(1), rows(2), shares(3), shares(4))
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (sum, weight, noise, strain, own) = (rows(5), shares(6), shares(7), shares(8), shares(9))
            let merge = unsafe isWide ? KernelsV3.mergeQuads : KernelsBaseline.mergeQuads
            let share = unsafe withSums(&sum, &weight, &noise, &strain) { sums in
                unsafe merge(reference, frame, stride, half, open, excess, true, constants, sums, 56)
            }
            let settle = unsafe isWide ? KernelsV3.weighReferenceQuads : KernelsBaseline.weighReferenceQuads
            let rest = unsafe settle(weight, stride, half, noise, strain, &own, 56)
            results.append(sum + weight + noise + strain + own + [share, rest])
        }
        #expect(results[0] == results[1])
    }

    /// Calls `body` with pointers to the four sums of a bracket merge.
    private func withSums(
        _ difference: inout [Float], _ weight: inout [Float], _ noise: inout [Float], _ bias: inout [Float],
        _ body: (BracketSums) -> Float
    ) -> Float {
        func sums(
            _ difference: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>,
            _ noise: UnsafeMutablePointer<Float>, _ bias: UnsafeMutablePointer<Float>
        ) -> Float {
            unsafe body(BracketSums(difference: difference, weight: weight, noise: noise, bias: bias))
        }
        return unsafe sums(&difference, &weight, &noise, &bias)
    }

    @Test func highlightsAlike() {
        let (reference, frame, open, trust) = (rows(1), rows(2), shares(3), shares(4))
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (base, unseen, sum, weight) = (rows(5), shares(6), rows(7), rows(8))
            let begin = unsafe isWide ? KernelsV3.beginHalfRow : KernelsBaseline.beginHalfRow
            unsafe begin(reference, 1500, 0.001, &base, &unseen, &sum, &weight, 56)
            let merge = unsafe isWide ? KernelsV3.mergeHighlights : KernelsBaseline.mergeHighlights
            let share = unsafe merge(frame, stride, half, open, trust, constants, &base, &unseen, 56)
            let whiten = unsafe isWide ? KernelsV3.fillClippedQuads : KernelsBaseline.fillClippedQuads
            unsafe whiten(&base, unseen, stride, half, [0.5, 1, 1, 0.6], 56)
            var codes = [UInt16](repeating: 0, count: 101)
            let round = unsafe isWide ? KernelsV3.bracketRow : KernelsBaseline.bracketRow
            unsafe round(base, sum, weight, shares(9), half, 4.5, 512, &codes, 101)
            var result: [Float] = base + unseen
            result += sum + weight
            result += [share] + codes.map(Float.init)
            results.append(result)
        }
        #expect(results[0] == results[1])
    }

    /// Quads clipped in all colours become white; if only green is clipped, it is reconstructed from the other colours.
    @Test func entirelyClippedQuadsBecomeWhite() {
        let neutral: [Float] = [0.5, 1, 1, 0.62]
        for (red, blue, green) in [(Float(1), Float(1), Float(2)), (0.8, 0.93, 1.5), (0.3, 0.9, 1)] {
            var base = [Float](repeating: 1, count: 2 * stride)
            var unseen = [Float](repeating: 0, count: 2 * stride)
            for cell in 0..<8 {
                (base[cell], unseen[cell]) = (red, red == 1 ? 1 : 0)
                (unseen[half + cell], unseen[stride + cell]) = (1, 1)
                (base[stride + half + cell], unseen[stride + half + cell]) = (blue, blue == 1 ? 1 : 0)
            }
            unsafe Kernels.fillClippedQuads(&base, unseen, stride, half, neutral, 8)
            #expect(abs(base[half] - green) < 1e-5 && abs(base[stride] - green) < 1e-5)
            #expect(base[0] == red && base[stride + half] >= blue)
        }
    }

    @Test func blursAlike() {
        let (values, tolerance) = (shares(1), shares(2))
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (scratch, blurred) = (rows(3), rows(4))
            let (excess, trust) = unsafe (
                isWide ? KernelsV3.mismatchRow : KernelsBaseline.mismatchRow,
                isWide ? KernelsV3.trustRow : KernelsBaseline.trustRow
            )
            let blur = unsafe isWide ? KernelsV3.blurRow : KernelsBaseline.blurRow
            var (a, b) = (rows(5), rows(6))
            unsafe values.withUnsafeBufferPointer { values in
                unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                    guard let start = values.baseAddress, let scratchStart = scratch.baseAddress else { return }
                    unsafe blur(start + 5 * half + 4, half, scratchStart + 4, &blurred, 56)
                }
            }
            unsafe excess(blurred, tolerance, values, &a, 56)
            unsafe trust(blurred, tolerance, values, &b, 56)
            results.append(Array(blurred[..<56]) + a[..<56] + b[..<56])
        }
        #expect(results[0] == results[1])
        #expect((results[0].min() ?? -1) >= 0)
        // A constant stays constant: the 25 weights of the blur add up to 1.
        let ones = [Float](repeating: 3, count: 16 * half)
        var (scratch, blurred) = (rows(3), rows(4))
        unsafe ones.withUnsafeBufferPointer { ones in
            unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                guard let start = ones.baseAddress, let scratchStart = scratch.baseAddress else { return }
                unsafe Kernels.blurRow(start + 5 * half + 4, half, scratchStart + 4, &blurred, 40)
            }
        }
        #expect(blurred[..<40].allSatisfy { $0 == 3 })
    }

    @Test func warpsAlike() {
        let light = rows(1) + rows(2) + rows(3)
        let colors = [0, 16 * stride, 16 * stride, 32 * stride]
        let weights: [Float] = [-0.07, 0.87, 0.23, -0.03, -0.05, 0.4, 0.7, -0.05, 0.25, 0.6]
        let still: [Float] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
        let noise: [Float] = [0.4, 0.4, 0.4, 0.4, 3, 3, 3, 3]
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (target, openness) = (rows(4), shares(5))
            let warp = unsafe isWide ? KernelsV3.interpolateBlock : KernelsBaseline.interpolateBlock
            let open = unsafe isWide ? KernelsV3.interpolateUnclippedBlock : KernelsBaseline.interpolateUnclippedBlock
            unsafe light.withUnsafeBufferPointer { light in
                guard let start = light.baseAddress else { return }
                unsafe warp(start + 3 * stride + 8, colors, 5, stride, half, weights, noise, &target, stride, half)
                unsafe open(start + 8, half, 0.3, 0.6, &openness, half)
            }
            results.append(target + openness)
        }
        #expect(results[0] == results[1])
        // An offset of three columns without a subpixel fraction gives each position the pixel of its colour three
        // columns to the right.
        var target = rows(4)
        unsafe light.withUnsafeBufferPointer { light in
            guard let start = light.baseAddress else { return }
            unsafe Kernels.interpolateBlock(
                start + 3 * stride + 8, colors, 3, stride, half, still, noise, &target, stride, half)
        }
        #expect(target[0] == light[3 * stride + half + 8 + 1])
        #expect(target[half + 2] == light[16 * stride + 3 * stride + 8 + 2 + 2])
        #expect(target[3 * stride + half + 7] == light[32 * stride + 6 * stride + 8 + 7 + 2])
    }

    @Test func readsAlike() {
        let codes = (0..<4096).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }
        var results: [[Float]] = []
        for isWide in [false, true] {
            var (grey, peaks, open, scaled) = ([Int16](repeating: 0, count: 100), rows(1), rows(2), rows(3))
            let greyRow = unsafe isWide ? KernelsV3.cappedGreyRow : KernelsBaseline.cappedGreyRow
            unsafe greyRow(codes, Array(codes[2000...]), &grey, 100, 20_000, 1000, 0.05)
            let quadPeaks = unsafe isWide ? KernelsV3.quadPeaks : KernelsBaseline.quadPeaks
            unsafe quadPeaks(codes, Array(codes[2000...]), &peaks, 100)
            let openness = unsafe isWide ? KernelsV3.unclippedWeightRow : KernelsBaseline.unclippedWeightRow
            unsafe peaks.withUnsafeBufferPointer { peaks in
                guard let start = peaks.baseAddress else { return }
                unsafe openness(start + 1, start + 31, start + 61, 50_000, 1e-4, &open, 24)
            }
            let scale = unsafe isWide ? KernelsV3.scaleHalfRow : KernelsBaseline.scaleHalfRow
            unsafe scale(peaks, 0.7, &scaled, 100)
            results.append(grey.map(Float.init) + peaks + open + scaled)
        }
        #expect(results[0] == results[1])
        let sum = [codes[6], codes[7], codes[2006], codes[2007]].reduce(0.0) { $0 + Double(min($1, 20_000)) }
        #expect(abs(Double(results[0][3]) - ((sum / 4 - 1000) * 0.05).rounded()) <= 1)
        #expect(results[0][103] == Float([codes[6], codes[7], codes[2006], codes[2007]].max() ?? 0))
    }
}
