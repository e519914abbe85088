/// Memory for a fixed number of elements, freed at the end of this value's life: planes, lines, sums and tables that
/// are computed in place. Its `view` checks the bounds in debug builds.
@safe
public struct OwnedMemory<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let start: UnsafeMutablePointer<Element>
    /// The number of elements.
    public let count: Int

    /// A view of all elements, valid as long as this value lives.
    @inlinable @inline(__always)
    public var view: MutableMemoryView<Element> { unsafe MutableMemoryView(start, bounds: 0..<count) }

    /// Allocates `count` elements and sets all of them to a value.
    @inlinable
    public init(repeating value: Element, count: Int) {
        self.init(uninitialized: count)
        unsafe start.initialize(repeating: value, count: count)
    }

    /// Allocates `count` elements, which must be written before they are read.
    @inlinable
    public init(uninitialized count: Int) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(count, 1) * MemoryLayout<Element>.stride, alignment: cacheLine)
        unsafe start = memory.bindMemory(to: Element.self, capacity: max(count, 1))
        self.count = count
    }

    /// Allocates `count` elements in huge pages, where the system provides them. They must be written before they are
    /// read.
    public init(large count: Int) {
        let byteCount = max(count, 1) * MemoryLayout<Element>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: largePage)
        unsafe preferLargePages(memory, byteCount: byteCount)
        unsafe start = memory.bindMemory(to: Element.self, capacity: max(count, 1))
        self.count = count
    }

    deinit { unsafe start.deallocate() }
}
