import RawImage
import Synchronization
import Testing

@Suite struct BandsTests {
    @Test(arguments: [(1, 1), (7, 2), (64, 64), (65, 64), (1000, 16)], [nil, 1])
    func everyRowOnce(_ size: (rows: Int, height: Int), _ cores: Int?) {
        let seen = Mutex([Int](repeating: 0, count: size.rows))
        concurrentBands(rows: size.rows, of: size.height, cores: cores) { band in
            seen.withLock { seen in
                for row in band { seen[row] += 1 }
            }
        }
        #expect(seen.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test(
        arguments: [(0, 128), (1, 128), (128, 128), (129, 128), (3024, 128), (1000, 16), (65_500, 64)], [1, 2, 3, 8])
    func shrinkingBandsAreWholeUnitsAndCoverAll(_ size: (rows: Int, unit: Int), _ cores: Int) {
        let bands = shrinkingBands(rows: size.rows, unit: size.unit, cores: cores)
        #expect(bands.flatMap(\.self) == Array(0..<size.rows))
        #expect(bands.dropLast().allSatisfy { $0.count % size.unit == 0 })
        #expect(zip(bands, bands.dropFirst()).allSatisfy { $0.count >= $1.count })
        #expect(bands.isEmpty || bands[bands.count - 1].count <= size.unit)
    }
}
