internal import CGStreamer

/// Buffers in the order they came: an array that can own them, which Swift's cannot. Allocates nothing after it is made.
@safe public struct BufferQueue: ~Copyable {
    private let slots: UnsafeMutableBufferPointer<UnsafeMutablePointer<GstBuffer>?>
    private var head = 0

    /// How many buffers are in it.
    public private(set) var count = 0

    /// A queue for at most `capacity` buffers.
    public init(capacity: Int) {
        unsafe slots = .allocate(capacity: max(1, capacity))
        unsafe slots.initialize(repeating: nil)
    }

    deinit {
        for index in 0..<count { unsafe release(slots[slot(index)]) }
        unsafe slots.deallocate()
    }

    /// How many buffers it takes.
    public var capacity: Int { unsafe slots.count }

    /// Adds a buffer at the end; the oldest one goes when the queue is full.
    public mutating func append(_ buffer: consuming Buffer) {
        if count == capacity { _ = removeFirst() }
        unsafe slots[slot(count)] = buffer.intoFull()
        count += 1
    }

    /// Takes out the oldest buffer.
    public mutating func removeFirst() -> Buffer? {
        guard count > 0 else { return nil }
        let pointer = unsafe slots[head]
        unsafe slots[head] = nil
        head = (head + 1) % capacity
        count -= 1
        return unsafe pointer.map { unsafe Buffer(takingFull: $0) }
    }

    /// A second reference to the buffer at a place counted from the oldest.
    public subscript(index: Int) -> Buffer? {
        guard (0..<count).contains(index) else { return nil }
        return unsafe slots[slot(index)].map { unsafe Buffer(retainingNone: $0) }
    }

    /// Lets all buffers go.
    public mutating func removeAll() {
        while count > 0 { _ = removeFirst() }
    }

    private func slot(_ index: Int) -> Int { (head + index) % capacity }

    private func release(_ pointer: UnsafeMutablePointer<GstBuffer>?) {
        if let pointer = unsafe pointer { unsafe releaseMiniObject(pointer) }
    }
}
