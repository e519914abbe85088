internal import RawImage

/// Uninitialised memory for many numbers, in large pages where the system has them.
@safe
final class LargeMemory<Number: BitwiseCopyable> {
    let start: UnsafeMutablePointer<Number>

    /// The size of a large page, and of those of most processors.
    private static var page: Int { 1 << 21 }

    init(count: Int) {
        let bytes = max(count, 1) * MemoryLayout<Number>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Self.page)
        unsafe preferLargePages(memory, byteCount: bytes)
        unsafe start = memory.bindMemory(to: Number.self, capacity: max(count, 1))
    }

    deinit { unsafe start.deallocate() }
}
