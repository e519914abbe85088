internal import CTIFF
internal import Glibc

/// A growing file in memory that libtiff or a `DirectoryWriter` writes to.
///
/// Uncompressed pixels bypass libtiff, which would copy them on one core. While `reserving` is set, a write only
/// extends the file; the encoder then fills the reserved bytes directly, on all cores.
@safe final class MemoryFile: TIFFStream {
    /// Whether writes only extend the file by their size, without copying bytes.
    var reserving = false
    /// The file's size in bytes.
    override var count: Int { filled }
    private var filled = 0
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private var position = 0

    private static let largePage = 2 << 20

    /// Creates an empty file with memory for `capacity` bytes, which grows on demand.
    init(capacity: Int) {
        var memory: UnsafeMutableRawPointer?
        let isLarge = capacity >= 2 * Self.largePage
        guard unsafe posix_memalign(&memory, isLarge ? Self.largePage : 16, capacity) == 0 else { return }
        // New memory costs one page fault per page: with 2 MB pages a 12 MP linear file takes a third less time.
        if isLarge { unsafe madvise(memory, capacity, MADV_HUGEPAGE) }
        unsafe base = unsafe memory
        self.capacity = capacity
    }

    deinit {
        unsafe free(base)
    }

    /// The file's bytes; the pointer is invalid once the file grows.
    var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    /// Transfers ownership of the memory and leaves the file empty; nil if its memory could not be allocated.
    func takeData() -> TIFFData? {
        guard let memory = unsafe base else { return nil }
        let data = unsafe TIFFData(takingMalloced: memory, count: count)
        unsafe base = nil
        (filled, capacity, position) = (0, 0, 0)
        return data
    }

    override func write(_ source: UnsafeRawPointer?, count size: Int) -> Int {
        guard size > 0, grow(to: position + size), let base = unsafe base else { return size == 0 ? 0 : -1 }
        if !reserving, let source = unsafe source { unsafe memcpy(base + position, source, size) }
        position += size
        filled = max(filled, position)
        return size
    }

    override func read(_ target: UnsafeMutableRawPointer, count size: Int) -> Int {
        guard let base = unsafe base, position < count, size > 0 else { return 0 }
        let size = min(size, count - position)
        unsafe memcpy(target, base + position, size)
        position += size
        return size
    }

    /// Moves the offset of the next read or write and returns it; `UInt64.max` on failure. Seeking beyond the end
    /// extends the file with zeros.
    override func seek(_ offset: UInt64, from whence: Int32) -> UInt64 {
        let origin = whence == SEEK_CUR ? position : whence == SEEK_END ? count : 0
        let (target, overflow) = origin.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflow, target >= 0, grow(to: target), let base = unsafe base else { return .max }
        if target > count {
            unsafe memset(base + count, 0, target - count)
            filled = target
        }
        position = target
        return UInt64(target)
    }

    private func grow(to size: Int) -> Bool {
        if size <= capacity { return true }
        let larger = max(size, capacity + capacity / 2)
        guard let memory = unsafe realloc(base, larger) else { return false }
        unsafe base = unsafe memory
        capacity = larger
        return true
    }
}
