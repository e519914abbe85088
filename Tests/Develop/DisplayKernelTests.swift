import Develop
import Glibc
import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import RawImage
import Testing

/// Tests that the display kernels give identical results in the baseline and the wide-vector build.
@Suite(.enabled(if: hasWideVectors)) struct DisplayKernelTests {
    private let codes = (0..<4096).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 * $0 * 7) }

    /// Returns the exact position in the display curve of a linear value: 256 entries per doubling of the value +
    /// 1/256.
    private func index(_ light: Float) -> Float { 256 * (log2(max(0, min(1, light)) + 1 / 256) + 127) }

    /// The codes as Bayer cells: two codes in each 32-bit word.
    private var cells: [UInt32] {
        (0..<512).map { (index: Int) -> UInt32 in
            UInt32(codes[2 * index]) | UInt32(codes[2 * index + 1]) << 16
        }
    }

    @Test func looksUpGainsAlike() {
        let cells = self.cells
        let shares = SIMD4<Float>(3, -2, 1, 0.5) / 65_536
        // Three tables in which each gain is its index in the table, plus 1000 times the table's number.
        let pitch = 8 * 64 + 1
        let tables = (0..<3 * pitch).map { Float($0 % pitch) + 1000 * Float($0 / pitch) }
        let bases = (0..<256).map { UInt32($0 < 128 ? 0 : pitch) }
        let ways = (0..<256).map { Float($0 % 128) / 128 }
        let (line, blank) = ([Float](repeating: 0, count: 256), [UInt16](repeating: 0, count: 256))
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var (red, green, blue) = (line, line, line)
            let mix = unsafe isWide ? KernelsV3.mixCellLinear : KernelsBaseline.mixCellLinear
            unsafe mix(
                cells, shares, SIMD4(0, 1 / 65_536, 0, 0), SIMD4(0, 0, 1 / 65_536, 0), SIMD3(0, 0, 0.25), 256, &red,
                &green, &blue)
            for i in 0..<256 {
                let expected = Float(codes[4 * i + 2]) / 65_536 + 0.25
                #expect(abs(blue[i] - expected) < 1e-5)
            }
            green[7] = .nan
            var places = [UInt32](repeating: 0, count: 256)
            var gains = [Float](repeating: 0, count: 256)
            let lookUp = unsafe isWide ? KernelsV3.lookUpGains : KernelsBaseline.lookUpGains
            unsafe tables.withUnsafeBufferPointer { tables in
                unsafe bases.withUnsafeBufferPointer { bases in
                    unsafe ways.withUnsafeBufferPointer { ways in
                        guard let tables = tables.baseAddress, let bases = bases.baseAddress,
                            let ways = ways.baseAddress
                        else { return }
                        unsafe lookUp(
                            red, green, blue, GainWeights(color: SIMD3(0.1, 0.2, 0.3), least: 0, most: 0.4),
                            GainTables(tables, pitch: pitch, bases: bases, rightWeights: ways), 256, &places, &gains)
                    }
                }
            }
            for i in 0..<256 where i != 7 {
                let light = 0.1 * red[i] + 0.2 * green[i] + 0.3 * blue[i] + 0.4 * max(red[i], green[i], blue[i])
                let place = (index(light) - 127 * 256 + 8 * 256) / 4
                let table = (Float(bases[i]) / Float(pitch) + ways[i]) * 1000
                // The kernel's index uses the mantissa, which only approximates the logarithm: it is off by up to 6 of
                // the 64 entries per doubling.
                #expect(abs(gains[i] - table - place) < 7)
            }
            var (first, second, third) = (blank, blank, blank)
            let finish = unsafe isWide ? KernelsV3.mixGainedLinear : KernelsBaseline.mixGainedLinear
            unsafe finish(
                red, green, blue, ways, SIMD3(1.2, -0.1, -0.1), SIMD3(-1, 2, 0), SIMD3(0, 0, 1), 253, &first, &second,
                &third)
            #expect((0..<253).allSatisfy { abs(Float(third[$0]) + 0.5 - index(min(1, blue[$0] * ways[$0]))) < 23 })
            results.append(first + second + third + places.map { UInt16($0) })
        }
        let different = zip(results[0], results[1]).count { abs(Int($0) - Int($1)) > 1 }
        #expect(different == 0)
    }

    @Test func mixesAlike() {
        let blank = [UInt16](repeating: 0, count: 1024)
        let cells = self.cells
        let shares = SIMD4<Float>(3, -2, 1, 0.5) / 65_536
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var (red, green, blue) = (blank, blank, blank)
            let mixCells = unsafe isWide ? KernelsV3.mixCells : KernelsBaseline.mixCells
            unsafe mixCells(
                cells, shares, -shares, SIMD4(0, 0, 1 / 65_536, 0), SIMD3(0.1, 0, 0.25), 253, &red, &green, &blue)
            for i in 0..<253 {
                let expected = index(Float(codes[4 * i + 2]) / 65_536 + 0.25)
                #expect(abs(Float(blue[i]) + 0.5 - expected) < 23)
            }
            results.append(red + green + blue)
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains(30_464) && results[0].contains(32_513))
        #expect(results[0].allSatisfy { $0 == 0 || (30_464...32_513).contains($0) })
    }

    @Test func storesAlike() {
        let places = codes.map { Int($0) & 2047 }
        let indices = places.map { UInt16(30_464 + $0) }
        let curve = (0..<2048).map { UInt8($0 >> 3) }
        var words: [UInt32] = []
        for byte in 0..<3 { words += curve.map { UInt32($0) << UInt32(8 * byte) } }
        var results: [[UInt8]] = []
        for isWide in [false, true] {
            var (wide, narrow) = ([UInt8](repeating: 0, count: 4096), [UInt8](repeating: 0, count: 4096))
            let storeWide = unsafe isWide ? KernelsV3.storeWidePixels : KernelsBaseline.storeWidePixels
            unsafe words.withUnsafeBufferPointer { words in
                guard let words = words.baseAddress else { return }
                unsafe storeWide(
                    indices, indices.reversed(), indices, 1000, words, words + 2048, words + 4096, 1, &wide)
            }
            let store = unsafe isWide ? KernelsV3.storePixels : KernelsBaseline.storePixels
            unsafe store(indices, indices.reversed(), indices, 600, curve, 0, 1, 2, 2, &narrow)
            results.append(wide + narrow)
            #expect((0..<1000).allSatisfy { wide[4 * $0 + 2] == curve[places[$0]] })
            #expect(wide[1] == curve[places[4095]])
            #expect(narrow[1] == wide[1])
        }
        #expect(results[0] == results[1])
    }

    @Test func rowsAreSummedAlike() {
        let limits = (0..<1024).map { UInt16($0 & 1 == 0 ? 9000 : 16_000) }
        let weights: [UInt16] = [10_000, 50_000, 5536]
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var (sums, other) = ([UInt16](repeating: 0, count: 1024), [UInt16](repeating: 0, count: 1024))
            let mix = unsafe isWide ? KernelsV3.mixRows : KernelsBaseline.mixRows
            let add = unsafe isWide ? KernelsV3.addRow : KernelsBaseline.addRow
            unsafe codes.withUnsafeBufferPointer { codes in
                guard let row = codes.baseAddress else { return }
                unsafe mix(
                    row, row + 1024, row + 2048, weights[0], weights[1], weights[2], limits, 2, 1019, &sums)
                for (index, weight) in weights.enumerated() {
                    unsafe add(row + 1024 * index, weight, limits, 2, 1019, &other)
                }
            }
            #expect(sums == other)
            for i in 0..<1019 {
                var exact = 0.0
                for (index, weight) in weights.enumerated() {
                    let code = min(codes[1024 * index + i], limits[i])
                    exact += Double(code) * 4 * Double(weight) / 65_536
                }
                #expect((0..<3).contains(exact - Double(sums[i])))
            }
            results.append(sums)
        }
        #expect(results[0] == results[1])
    }

    @Test func columnsAreSummedAlike() {
        let starts = (0..<200).map { (index: Int) -> Int32 in Int32(index * 7 / 5) }
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            let join = unsafe isWide ? KernelsV3.joinPairs : KernelsBaseline.joinPairs
            let gather = unsafe isWide ? KernelsV3.gatherCells : KernelsBaseline.gatherCells
            let add = unsafe isWide ? KernelsV3.addWeighted : KernelsBaseline.addWeighted
            var cells = [UInt64](repeating: 0, count: 300)
            let (upper, lower) = (codes.map { UInt32($0) }, codes.reversed().map { UInt32($0) })
            unsafe join(upper, lower, 299, &cells)
            #expect((0..<299).allSatisfy { cells[$0] & 0xFFFF_FFFF == UInt64(upper[$0]) })
            #expect((0..<299).allSatisfy { cells[$0] >> 32 == UInt64(lower[$0]) })
            var gathered = [UInt64](repeating: 0, count: 200)
            unsafe gather(cells, starts, 200, &gathered)
            #expect((0..<200).allSatisfy { gathered[$0] == cells[Int(starts[$0])] })
            var sums = [UInt16](repeating: 5, count: 1024)
            let weights = [UInt16](codes.reversed())
            unsafe add(codes, weights, 1021, &sums)
            for i in 0..<1021 {
                let product = UInt32(codes[i]) * UInt32(weights[i])
                #expect(sums[i] == UInt16(product >> 16) &+ 5)
            }
            results.append(sums)
        }
        #expect(results[0] == results[1])
    }
}
