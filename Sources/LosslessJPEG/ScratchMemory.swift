/// Reusable memory for numbers, freed with its owner.
@safe struct ScratchMemory<Number: FixedWidthInteger & BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Number>
    private(set) var count: Int

    /// Allocates memory for `count` numbers, all zero.
    init(count: Int) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: 0, count: count)
        self.count = count
    }

    /// Ensures memory for `count` numbers; growing it discards the contents.
    mutating func reserve(_ count: Int) {
        if count > self.count { self = ScratchMemory(count: count) }
    }

    deinit {
        unsafe base.deallocate()
    }
}
