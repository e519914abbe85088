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
}
