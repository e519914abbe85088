internal import RawImage

/// An uninitialised buffer of numbers, in huge pages where the system provides them.
@safe
final class LargeMemory<Number: BitwiseCopyable> {
    let start: UnsafeMutablePointer<Number>

    /// The alignment in bytes: 2 MB, the size of a huge page on x86-64 and arm64.
    private static var page: Int { 1 << 21 }

    init(count: Int) {
        let bytes = max(count, 1) * MemoryLayout<Number>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Self.page)
        unsafe preferLargePages(memory, byteCount: bytes)
        unsafe start = memory.bindMemory(to: Number.self, capacity: max(count, 1))
    }

    deinit { unsafe start.deallocate() }
}
