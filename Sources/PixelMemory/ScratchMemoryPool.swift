internal import Glibc
internal import Synchronization

/// A pool of scratch memory for bands of rows. Bands reuse the blocks of finished bands, because page faults on fresh
/// memory cost more time than computing the values.
///
/// *Thread-safe.*
package final class ScratchMemoryPool: Sendable {
    // Why a block may be sent between threads: an idle one is used by nobody, and a taken one only by the user that
    // took it.
    @safe
    fileprivate struct Block: @unchecked Sendable {
        let start: UnsafeMutablePointer<Float>
        let count: Int
    }

    private let idle = Mutex<[Block]>([])

    /// Creates an empty pool.
    package init() {}

    deinit { freeIdle() }

    /// Takes a block of `count` floats from the pool, all set to 0.
    package func take(_ count: Int) -> ScratchMemory {
        let block = takeBlock(count)
        unsafe memset(block.start, 0, count * MemoryLayout<Float>.stride)
        return ScratchMemory(block, from: self)
    }

    /// Takes a block of `count` floats from the pool, which must be written before they are read.
    package func take(uninitialized count: Int) -> ScratchMemory { ScratchMemory(takeBlock(count), from: self) }

    /// Frees the blocks that nobody uses.
    package func freeIdle() {
        let blocks = idle.withLock { blocks in
            defer { blocks = [] }
            return blocks
        }
        for block in blocks { unsafe block.start.deallocate() }
    }

    private func takeBlock(_ count: Int) -> Block {
        let reused = idle.withLock { blocks in
            blocks.lastIndex { $0.count == count }.map { blocks.remove(at: $0) }
        }
        return unsafe Block(start: reused?.start ?? Self.allocate(count), count: count)
    }

    fileprivate func give(_ block: Block) { idle.withLock { $0.append(block) } }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
        let size = count * MemoryLayout<Float>.stride
        let isLarge = size >= largePage
        let byteCount = isLarge ? (size + largePage - 1) / largePage * largePage : size
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount, alignment: isLarge ? largePage : cacheLine)
        unsafe preferLargePages(memory, byteCount: byteCount)
        return unsafe memory.bindMemory(to: Float.self, capacity: count)
    }
}

/// A block of a `ScratchMemoryPool`, which returns to the pool at the end of this value's life.
package struct ScratchMemory: ~Copyable, Sendable {
    /// A view of the block's floats, valid as long as this value lives.
    package let view: MutableMemoryView<Float>
    private let block: ScratchMemoryPool.Block
    private let pool: ScratchMemoryPool

    fileprivate init(_ block: ScratchMemoryPool.Block, from pool: ScratchMemoryPool) {
        (self.block, self.pool) = (block, pool)
        view = unsafe MutableMemoryView(block.start, bounds: 0..<block.count)
    }

    deinit { pool.give(block) }
}
