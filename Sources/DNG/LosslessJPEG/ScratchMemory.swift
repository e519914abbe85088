/// Memory for numbers that is kept from one use to the next and freed with its owner.
@safe struct ScratchMemory<Number: FixedWidthInteger & BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Number>
    private(set) var count: Int

    /// Room for `count` numbers, all zero.
    init(count: Int) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: 0, count: count)
        self.count = count
    }

    /// Makes room for `count` numbers; what was there is lost if that takes new memory.
    mutating func reserve(_ count: Int) {
        if count > self.count { self = ScratchMemory(count: count) }
    }

    deinit {
        unsafe base.deallocate()
    }
}
