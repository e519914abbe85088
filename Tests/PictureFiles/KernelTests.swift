import Glibc
import KernelsBaseline
import KernelsV3
import Testing

@Suite("Kernels of picture files")
struct KernelTests {
    @Test("every 16-bit code becomes the nearest byte")
    func wordsToBytes() {
        let words = (0...65_535).map { UInt16($0) }
        let expected = words.map { UInt8((Double($0) / 257).rounded()) }
        for wide in [false, true] {
            var bytes = [UInt8](repeating: 0, count: words.count)
            unsafe wide
                ? KernelsV3.bytes(ofWords: words, count: words.count, into: &bytes)
                : KernelsBaseline.bytes(ofWords: words, count: words.count, into: &bytes)
            let isRight = bytes == expected
            #expect(isRight)
        }
    }

    @Test("every half float is converted to a byte, a code and a float")
    func halves() {
        let bits = (0...65_535).map { UInt16($0) }
        let values = bits.map { Float16(bitPattern: $0) }
        for wide in [false, true] {
            var codes = [UInt16](repeating: 0, count: bits.count)
            var floats = [Float](repeating: 0, count: bits.count)
            var bytes = [UInt8](repeating: 0, count: bits.count)
            if wide {
                unsafe KernelsV3.codes(ofHalves: bits, count: bits.count, maximum: 65_535, into: &codes)
                unsafe KernelsV3.floats(ofHalves: bits, count: bits.count, into: &floats)
                unsafe KernelsV3.bytes(ofHalves: bits, count: bits.count, into: &bytes)
            } else {
                unsafe KernelsBaseline.codes(ofHalves: bits, count: bits.count, maximum: 65_535, into: &codes)
                unsafe KernelsBaseline.floats(ofHalves: bits, count: bits.count, into: &floats)
                unsafe KernelsBaseline.bytes(ofHalves: bits, count: bits.count, into: &bytes)
            }
            let wrong = bits.indices.filter { position in
                guard values[position].isFinite else { return false }
                let held = max(0, min(1, Double(values[position])))
                return floats[position] != Float(values[position])
                    || abs(Double(codes[position]) - held * 65_535) > 0.51
                    || abs(Double(bytes[position]) - held * 255) > 0.51
            }
            #expect(wrong.isEmpty)
        }
    }

    @Test("log2 gains equal logarithms")
    func doublings() {
        let base = [Float](repeating: 0.18, count: 4000)
        let other = (0..<4000).map { exp2(Float($0) / 200 - 10) }
        for wide in [false, true] {
            var gains = other
            unsafe wide
                ? KernelsV3.doublings(from: base, to: &gains, offset: 0.015625, count: gains.count)
                : KernelsBaseline.doublings(from: base, to: &gains, offset: 0.015625, count: gains.count)
            let error = zip(gains, other).map { abs($0 - log2(($1 + 0.015625) / 0.195625)) }.max() ?? 1
            #expect(error < 2e-5)
        }
    }
}
