internal import CGStreamer
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Waiting

/// A pool of reusable buffers of one size, so that a stream in steady state allocates no memory.
///
/// The pool grows on demand. Memory that nobody has used for two seconds goes back to the system, so that a long burst
/// does not leave its memory behind, and so does all of it once the pool and its buffers are released. `keep` exempts a
/// number of buffers.
public final class BufferPool: Sendable {
    /// The size of each buffer in bytes.
    public let size: Int

    private let blocks: FreeBlocks

    /// Creates a pool of buffers of `size` bytes.
    public init(size: Int) throws(GscapError) {
        try GStreamerRuntime.start()
        guard size >= 0, size <= Int(Int32.max) else {
            throw GscapError(message: "cannot create a pool of \(size)-byte buffers", place: "buffer pool")
        }
        self.size = size
        blocks = FreeBlocks(size: size)
    }

    deinit { blocks.close() }

    /// Allocates memory ahead, so that `count` buffers are free, and keeps as much while it is unused, until another
    /// call. Does less if the system has not enough memory.
    public func keep(_ count: Int) { blocks.keep(count) }

    /// Takes a buffer from the pool, allocating one if none is free; its content is undefined.
    public func acquire() throws(FlowError) -> Buffer {
        guard let block = blocks.take() else { throw .error }
        let lease = Lease(block, blocks)
        let buffer = unsafe gst_buffer_new_wrapped_full(
            GstMemoryFlags(0), block.start, gsize(max(1, size)), 0, gsize(size),
            Unmanaged.passRetained(lease).toOpaque(),
            { lease in
                if let lease = unsafe lease { unsafe Unmanaged<Lease>.fromOpaque(lease).takeRetainedValue().end() }
            })
        guard let buffer = unsafe buffer else { throw .error }
        return unsafe Buffer(takingFull: buffer)
    }
}

/// A block of whole pages from the system.
@safe private struct MemoryBlock: @unchecked Sendable {
    // Sendable: a block belongs to the pool while it is free, and to one buffer otherwise.
    let start: UnsafeMutableRawPointer
    private let byteCount: Int

    /// The size in bytes (2 MiB) from which a block requests large pages, which cause far fewer page faults.
    private static let largePage = 1 << 21

    init?(size: Int) {
        let page = max(4096, Int(sysconf(Int32(_SC_PAGESIZE))))
        byteCount = (max(1, size) + page - 1) / page * page
        let memory = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        if byteCount >= Self.largePage { unsafe madvise(memory, byteCount, MADV_HUGEPAGE) }
        unsafe start = memory
    }

    func free() { unsafe munmap(start, byteCount) }

    /// Makes the system provide the pages now rather than at the first write. Has no effect before Linux 5.14.
    func populate() { unsafe madvise(start, byteCount, Self.populateForWriting) }

    /// MADV_POPULATE_WRITE, which not every C library's headers have.
    private static let populateForWriting: Int32 = 23
}

/// The free blocks of a pool; the block that was used last is taken first. *Thread-safe.*
private final class FreeBlocks: Sendable {
    private struct State {
        var idle: [(block: MemoryBlock, since: WaitClock.Instant)] = []
        var isClosed = false
        var isTrimScheduled = false
        /// The number of free blocks that are not returned to the system.
        var kept = 0
    }

    /// The time for which a free block is kept for reuse before it is returned to the system.
    private static let patience = Duration.seconds(2)

    private let state = Mutex(State())
    private let size: Int
    private let clock = WaitClock.current

    init(size: Int) { self.size = size }

    func take() -> MemoryBlock? {
        state.withLock { $0.idle.popLast()?.block } ?? MemoryBlock(size: size)
    }

    /// Allocates blocks until `count` are free, and keeps as many from now on.
    func keep(_ count: Int) {
        let (missing, schedules) = state.withLock { state in
            state.kept = max(0, count)
            let hasSpare = state.idle.count > state.kept
            defer { state.isTrimScheduled = state.isTrimScheduled || hasSpare }
            return (state.kept - state.idle.count, hasSpare && !state.isTrimScheduled)
        }
        if schedules { scheduleTrim() }
        for _ in 0..<max(0, missing) {
            guard let block = MemoryBlock(size: size) else { return }
            block.populate()
            give(block)
        }
    }

    func give(_ block: MemoryBlock) {
        let (isClosed, schedules) = state.withLock { state in
            if state.isClosed { return (true, false) }
            state.idle.append((block, clock.now))
            guard state.idle.count > state.kept else { return (false, false) }
            defer { state.isTrimScheduled = true }
            return (false, !state.isTrimScheduled)
        }
        if isClosed { block.free() }
        if schedules { scheduleTrim() }
    }

    /// Frees the blocks that no buffer uses; from then on each other block is freed when its buffer returns it.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for item in idle { item.block.free() }
    }

    private func scheduleTrim() {
        clock.alarm(after: Self.patience, on: .global(qos: .utility)) { [weak self] in self?.trim() }
    }

    private func trim() {
        let (old, isLeft) = state.withLock { state in
            let limit = clock.now
            // The blocks that have been free for longest come first, because blocks are added and taken at the end.
            let spare = state.idle.prefix(max(0, state.idle.count - state.kept))
            let old = spare.prefix { $0.since + Self.patience <= limit }.map(\.block)
            state.idle.removeFirst(old.count)
            state.isTrimScheduled = state.idle.count > state.kept
            return (old, state.isTrimScheduled)
        }
        for block in old { block.free() }
        if isLeft { scheduleTrim() }
    }
}

/// The use of a block by one buffer, after which the block returns to the pool.
private final class Lease: Sendable {
    private let block: MemoryBlock
    private let pool: FreeBlocks

    init(_ block: MemoryBlock, _ pool: FreeBlocks) {
        self.block = block
        self.pool = pool
    }

    func end() { pool.give(block) }
}
