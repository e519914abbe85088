/// A read-only view of elements in memory that another value owns. Its indices, bounds checks and lifetime are those of
/// a `MutableMemoryView`.
@safe
public struct MemoryView<Element>: @unchecked Sendable {
    /// The address of the element at index 0, which need not exist.
    @usableFromInline let start: UnsafePointer<Element>
    /// The valid indices.
    public let bounds: Range<Int>

    /// Creates a view of memory in which `bounds` are the valid offsets from `start`.
    @inlinable @inline(__always)
    @unsafe public init(_ start: UnsafePointer<Element>, bounds: Range<Int>) {
        unsafe self.start = unsafe start
        self.bounds = bounds
    }

    /// Creates a read-only view of the same elements as a mutable view.
    @inlinable @inline(__always)
    public init(_ view: MutableMemoryView<Element>) {
        unsafe self.init(view.start, bounds: view.bounds)
    }

    /// The element at an index.
    @inlinable @inline(__always)
    public subscript(index: Int) -> Element {
        assert(bounds.contains(index), "the index \(index) is outside \(bounds)")
        return unsafe start[index]
    }

    /// Returns a view of the same memory whose index 0 lies `offset` elements later.
    @inlinable @inline(__always)
    public static func + (view: Self, offset: Int) -> Self {
        unsafe Self(
            view.start + offset, bounds: view.bounds.lowerBound &- offset..<view.bounds.upperBound &- offset)
    }

    /// Returns a view of the same memory whose index 0 lies `offset` elements earlier.
    @inlinable @inline(__always)
    public static func - (view: Self, offset: Int) -> Self { view + -offset }

    /// Returns a view of only `count` elements: its index 0 is this view's `index`.
    @inlinable @inline(__always)
    public func part(_ index: Int, count: Int) -> Self {
        check(index..<index &+ count)
        return unsafe Self(start + index, bounds: 0..<count)
    }

    // MARK: Pointers

    /// Returns a pointer to index 0 for a kernel that reads the indices of `range`. Pass it to the kernel directly.
    @inlinable @inline(__always)
    public func pointer(_ range: Range<Int>) -> UnsafePointer<Element> {
        check(range)
        return unsafe start
    }

    /// Returns a pointer to index 0 for a kernel that reads `count` elements from there on.
    @inlinable @inline(__always)
    public func pointer(_ count: Int) -> UnsafePointer<Element> { unsafe pointer(0..<count) }

    /// Returns a pointer to index 0 for a kernel that reads `count` elements from there on, in whole vectors of 8.
    @inlinable @inline(__always)
    public func pointer(vectors count: Int) -> UnsafePointer<Element> { unsafe pointer(0..<(count &+ 7) & ~7) }

    /// Returns a pointer to index 0 for a kernel that reads a block of elements, whose rows are `stride` apart.
    @inlinable @inline(__always)
    public func pointer(columns: Int, rows: Int, stride: Int) -> UnsafePointer<Element> {
        unsafe pointer(0..<(rows &- 1) &* stride &+ columns)
    }

    @inlinable @inline(__always)
    func check(_ range: Range<Int>) {
        assert(
            range.isEmpty || bounds.lowerBound <= range.lowerBound && range.upperBound <= bounds.upperBound,
            "the indices \(range) are outside \(bounds)")
    }
}
