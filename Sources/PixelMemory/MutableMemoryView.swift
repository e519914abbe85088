/// A view of elements in memory that another value owns, to read and write them.
///
/// Index 0 is a position that the creator of the view chose, such as the first pixel of a padded row. The valid
/// indices may therefore begin below 0. Debug builds check each access against them; release builds check nothing.
///
/// A view does not keep its memory alive: it is valid as long as the owner or the call that it comes from. Several
/// threads may use views of the same memory, as long as no thread writes an element that another one accesses. Bands
/// and tiles of a picture are disjoint in that way.
@safe
public struct MutableMemoryView<Element>: @unchecked Sendable {
    /// The address of the element at index 0, which need not exist.
    @usableFromInline let start: UnsafeMutablePointer<Element>
    /// The valid indices.
    public let bounds: Range<Int>

    /// Creates a view of memory in which `bounds` are the valid offsets from `start`.
    @inlinable @inline(__always)
    @unsafe public init(_ start: UnsafeMutablePointer<Element>, bounds: Range<Int>) {
        unsafe self.start = unsafe start
        self.bounds = bounds
    }

    /// The element at an index.
    @inlinable @inline(__always)
    public subscript(index: Int) -> Element {
        get {
            assert(bounds.contains(index), "the index \(index) is outside \(bounds)")
            return unsafe start[index]
        }
        nonmutating set {
            assert(bounds.contains(index), "the index \(index) is outside \(bounds)")
            unsafe start[index] = newValue
        }
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

    /// Sets the `count` elements from index 0 on to a value.
    @inlinable @inline(__always)
    public func update(repeating value: Element, count: Int) {
        check(0..<count)
        unsafe start.update(repeating: value, count: count)
    }

    /// Copies the `count` elements from index 0 on from another view.
    @inlinable @inline(__always)
    public func update(from source: MemoryView<Element>, count: Int) {
        check(0..<count)
        unsafe start.update(from: source.pointer(count), count: count)
    }

    /// Returns a view of the same memory as elements of another type, whose index 0 is at the same address.
    @inlinable @inline(__always)
    public func rebound<Other: BitwiseCopyable>(to type: Other.Type) -> MutableMemoryView<Other>
    where Element: BitwiseCopyable {
        let (size, other) = (MemoryLayout<Element>.stride, MemoryLayout<Other>.stride)
        // Division rounds towards 0. Where the bounds include index 0, an element of the other type is therefore valid
        // only if it lies inside completely.
        let valid = bounds.lowerBound &* size / other..<bounds.upperBound &* size / other
        return unsafe MutableMemoryView<Other>(
            UnsafeMutableRawPointer(start).assumingMemoryBound(to: Other.self), bounds: valid)
    }

    // MARK: Pointers

    /// Returns a pointer to index 0 for a kernel that accesses the indices of `range`. Pass it to the kernel directly.
    @inlinable @inline(__always)
    public func pointer(_ range: Range<Int>) -> UnsafeMutablePointer<Element> {
        check(range)
        return unsafe start
    }

    /// Returns a pointer to index 0 for a kernel that accesses `count` elements from there on.
    @inlinable @inline(__always)
    public func pointer(_ count: Int) -> UnsafeMutablePointer<Element> { unsafe pointer(0..<count) }

    /// Returns a pointer to index 0 for a kernel that accesses `count` elements from there on, in whole vectors of 8.
    @inlinable @inline(__always)
    public func pointer(vectors count: Int) -> UnsafeMutablePointer<Element> {
        unsafe pointer(0..<(count &+ 7) & ~7)
    }

    /// Returns a pointer to index 0 for a kernel that accesses a block of elements, whose rows are `stride` apart.
    @inlinable @inline(__always)
    public func pointer(columns: Int, rows: Int, stride: Int) -> UnsafeMutablePointer<Element> {
        unsafe pointer(0..<(rows &- 1) &* stride &+ columns)
    }

    @inlinable @inline(__always)
    func check(_ range: Range<Int>) {
        assert(
            range.isEmpty || bounds.lowerBound <= range.lowerBound && range.upperBound <= bounds.upperBound,
            "the indices \(range) are outside \(bounds)")
    }
}
