internal import CGStreamer

/// A ring buffer of `Buffer`s, which are noncopyable and so cannot be elements of an Array. Allocates memory only when
/// it is created.
@safe public struct BufferQueue: ~Copyable, @unchecked Sendable {
    // Sendable: the slots have one owner, because the queue cannot be copied, and buffers are Sendable.
    private let slots: UnsafeMutableBufferPointer<UnsafeMutablePointer<GstBuffer>?>
    private var head = 0

    /// The number of buffers in the queue.
    public private(set) var count = 0

    /// Creates a queue of at most `capacity` buffers, and of at least one.
    public init(capacity: Int) {
        unsafe slots = .allocate(capacity: max(1, capacity))
        unsafe slots.initialize(repeating: nil)
    }

    deinit {
        for index in 0..<count { unsafe release(slots[slot(index)]) }
        unsafe slots.deallocate()
    }

    /// The number of buffers at which the queue is full.
    public var capacity: Int { unsafe slots.count }

    /// Appends a buffer; drops the oldest one if the queue is full.
    public mutating func append(_ buffer: consuming Buffer) {
        if count == capacity { _ = removeFirst() }
        unsafe slots[slot(count)] = buffer.intoFull()
        count += 1
    }

    /// Removes and returns the oldest buffer; nil if the queue is empty.
    public mutating func removeFirst() -> Buffer? {
        guard count > 0 else { return nil }
        let pointer = unsafe slots[head]
        unsafe slots[head] = nil
        head = (head + 1) % capacity
        count -= 1
        return unsafe pointer.map { unsafe Buffer(takingFull: $0) }
    }

    /// A second reference to the buffer at `index`, counted from the oldest at 0; nil beyond the newest.
    public subscript(index: Int) -> Buffer? {
        guard (0..<count).contains(index) else { return nil }
        return unsafe slots[slot(index)].map { unsafe Buffer(retainingNone: $0) }
    }

    /// Removes all buffers.
    public mutating func removeAll() {
        while count > 0 { _ = removeFirst() }
    }

    private func slot(_ index: Int) -> Int { (head + index) % capacity }

    private func release(_ pointer: UnsafeMutablePointer<GstBuffer>?) {
        if let pointer = unsafe pointer { unsafe releaseMiniObject(pointer) }
    }
}
