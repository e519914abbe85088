import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that the baseline and the AVX2 (x86-64-v3) builds of the codec's kernels give equal results.
@Suite(.enabled(if: hasWideVectors)) struct LosslessJPEGKernelTests {
    private let samples = LosslessJPEGTests.Content.noise.samples(2048, precision: 16)

    @Test(arguments: 1...4, 1...7)
    func differencesAlike(step: Int, predictor: Int) {
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var differences = [UInt16](repeating: 0, count: 1013)
            let predict = unsafe isWide ? KernelsV3.predictionDifferences : KernelsBaseline.predictionDifferences
            let seen = unsafe samples.withUnsafeBufferPointer { samples -> UInt16 in
                guard let base = samples.baseAddress else { return 0 }
                return unsafe predict(base + 1024, base, &differences, 1013, step, predictor)
            }
            #expect(seen == .max)
            results.append(differences)
        }
        #expect(results[0] == results[1])
        #expect(Set(results[0]).count > 900)
    }

    @Test func magnitudesAreCountedAlike() {
        let all = samples + [0x8000, 0, 1, 0xFFFF]
        var results: [[Int]] = []
        for isWide in [false, true] {
            var differences = all
            var totals = [Int](repeating: 0, count: 18)
            let count = unsafe isWide ? KernelsV3.countMagnitudes : KernelsBaseline.countMagnitudes
            unsafe count(&differences, all.count, &totals)
            results.append(totals)
        }
        let expected = (0...17).map { bits in
            bits == 0 ? 0 : all.count { abs(Int(Int16(bitPattern: $0))) >= 1 << (bits - 1) }
        }
        #expect(results[0] == expected)
        #expect(results[1] == expected)
    }

    @Test func bytesAreStuffedAndUnstuffedAlike() {
        let plain = samples.prefix(1003).map { $0 % 3 == 0 ? UInt8(255) : UInt8(truncatingIfNeeded: $0) }
        let expected = plain.flatMap { $0 == 255 ? [255, 0] : [$0] }
        for isWide in [false, true] {
            var stuffed = [UInt8](repeating: 0, count: 2 * plain.count + 8)
            let stuff = unsafe isWide ? KernelsV3.stuffBytes : KernelsBaseline.stuffBytes
            let count = unsafe stuff(plain, plain.count, &stuffed)
            #expect(Array(stuffed.prefix(count)) == expected)
            let source = expected + [255, 255, 0xD9, 7, 7]
            var back = [UInt8](repeating: 0, count: source.count + 8)
            let unstuff = unsafe isWide ? KernelsV3.unstuffBytes : KernelsBaseline.unstuffBytes
            let (read, written) = unsafe unstuff(source, source.count, &back)
            #expect(read == expected.count + 1)
            #expect(Array(back.prefix(written)) == plain)
        }
    }

    @Test func differencesArePackedAlike() {
        var results: [[UInt8]] = []
        for isWide in [false, true] {
            var codes = [UInt32](repeating: 0, count: 65_536)
            var packed = [UInt8](repeating: 0, count: 4 * 1013 + 8)
            var pending: [UInt64] = [0b101, 3]
            var count = 0
            unsafe codes.withUnsafeMutableBufferPointer { codes in
                guard let center = unsafe codes.baseAddress.map({ unsafe $0 + 32_768 }) else { return }
                let fill = unsafe isWide ? KernelsV3.fillCategory : KernelsBaseline.fillCategory
                for category in 0...16 { unsafe fill(center, category, UInt32(category), 5) }
                let pack = unsafe isWide ? KernelsV3.packDifferences : KernelsBaseline.packDifferences
                count = unsafe pack(samples, 1013, center, &pending, &packed)
            }
            results.append(packed.prefix(count) + [UInt8(truncatingIfNeeded: pending[1])])
        }
        #expect(results[0] == results[1])
        #expect(results[0].count > 1800)
    }
}
