import GStreamer
import Testing

/// Memory that a buffer pool allocates ahead.
@Suite struct KeptBuffersTests {
    @Test func keptBuffersAreUsable() throws {
        let pool = try BufferPool(size: 8192)
        pool.keep(2)
        pool.keep(-1)
        pool.keep(3)
        let buffers = [try sum(of: pool.acquire()), try sum(of: pool.acquire())]
        // Memory from the system is zero.
        #expect(buffers == [0, 0])
        pool.keep(0)
        #expect(try sum(of: pool.acquire()) >= 0)
    }

    private func sum(of buffer: consuming Buffer) -> Int {
        buffer.withValues(of: UInt16.self) { values in
            var sum = 0
            for index in 0..<values.count { sum += Int(values[index]) }
            return sum
        }
    }
}
