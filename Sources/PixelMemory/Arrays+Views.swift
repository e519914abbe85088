// Views of arrays and spans. A view is valid only during the call of the closure that receives it.

extension Array {
    /// Calls `body` with a view of the elements.
    @inlinable @inline(__always)
    public func withView<Result, Failure: Error>(
        _ body: (MemoryView<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try span.withView(body)
    }

    /// Calls `body` with a view through which it may change the elements.
    @inlinable @inline(__always)
    public mutating func withMutableView<Result, Failure: Error>(
        _ body: (MutableMemoryView<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeMutableBufferPointer { buffer throws(Failure) in
            try unsafe body(MutableMemoryView(buffer))
        }
    }

    /// Creates an array of `count` elements that `fill` computes; `fill` must set all elements.
    @inlinable
    public init<Failure: Error>(
        filling count: Int, _ fill: (MutableMemoryView<Element>) throws(Failure) -> Void
    ) throws(Failure) where Element: BitwiseCopyable {
        var failure: Failure?
        self = unsafe Array(unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(Failure) {
                try unsafe fill(MutableMemoryView(UnsafeMutableBufferPointer(rebasing: buffer[..<count])))
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Creates an array of `count` elements that `fill` computes, in huge pages where the system provides them; `fill`
    /// must set all elements.
    @inlinable
    public init<Failure: Error>(
        fillingLarge count: Int, _ fill: (MutableMemoryView<Element>) throws(Failure) -> Void
    ) throws(Failure) where Element: BitwiseCopyable {
        try self.init(filling: count) { view throws(Failure) in
            view.preferLargePages()
            try fill(view)
        }
    }
}

extension Span where Element: BitwiseCopyable {
    /// A copy of the elements.
    package var array: [Element] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

extension Span {
    /// Calls `body` with a view of the elements.
    @inlinable @inline(__always)
    public func withView<Result, Failure: Error>(
        _ body: (MemoryView<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
            guard let start = buffer.baseAddress else { return try body(.empty) }
            return try unsafe body(MemoryView(start, bounds: 0..<buffer.count))
        }
    }
}

extension MutableSpan {
    /// Calls `body` with a view through which it may change the elements.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func withMutableView<Result, Failure: Error>(
        _ body: (MutableMemoryView<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeMutableBufferPointer { buffer throws(Failure) in
            try unsafe body(MutableMemoryView(buffer))
        }
    }
}

extension MemoryView {
    /// A view of no elements.
    @inlinable
    static var empty: Self {
        unsafe Self(UnsafePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped, bounds: 0..<0)
    }

    /// The elements from index 0 on as a span that is valid as long as the view.
    @inlinable @inline(__always)
    public func withSpan<Result>(_ body: (Span<Element>) -> Result) -> Result {
        unsafe body(UnsafeBufferPointer(start: start, count: bounds.upperBound).span)
    }
}

extension MutableMemoryView {
    /// Creates a view of a buffer; an empty buffer may have no address.
    @inlinable @inline(__always)
    init(_ buffer: UnsafeMutableBufferPointer<Element>) {
        let address = unsafe buffer.baseAddress ?? UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)
        unsafe self.init(address.unsafelyUnwrapped, bounds: 0..<buffer.count)
    }
}

extension MutableMemoryView where Element: BitwiseCopyable {
    /// Advises the operating system to back the elements with huge pages.
    @usableFromInline
    func preferLargePages() {
        unsafe PixelMemory.preferLargePages(
            UnsafeMutableRawPointer(start), byteCount: bounds.upperBound * MemoryLayout<Element>.stride)
    }
}
