internal import Glibc
internal import Synchronization

/// Memory for the lines that bands of rows are worked on in. What one band gives back the next one takes, for new memory costs
/// more time than the numbers that are put into it.
///
/// *Thread-safe.*
package final class LineMemory: Sendable {
    // Sendable: in the list it is nobody's, and outside one's alone.
    @safe
    private struct Block: @unchecked Sendable {
        let start: UnsafeMutablePointer<Float>
        let count: Int
    }

    private let idle = Mutex<[Block]>([])

    /// No memory yet.
    package init() {}

    deinit {
        idle.withLock { blocks in
            for block in blocks { unsafe block.start.deallocate() }
        }
    }

    /// Lines of so many numbers together, all 0.
    package func take(_ count: Int) -> UnsafeMutablePointer<Float> {
        let known = idle.withLock { blocks in
            blocks.lastIndex { $0.count == count }.map { blocks.remove(at: $0) }
        }
        let start = unsafe known?.start ?? Self.allocate(count)
        unsafe memset(start, 0, count * MemoryLayout<Float>.stride)
        return unsafe start
    }

    /// Takes lines back that nobody uses any more.
    package func give(_ start: UnsafeMutablePointer<Float>, _ count: Int) {
        let block = unsafe Block(start: start, count: count)
        idle.withLock { $0.append(block) }
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
        let byteCount = count * MemoryLayout<Float>.stride
        let isLarge = byteCount >= largePage
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: isLarge ? (byteCount + largePage - 1) / largePage * largePage : byteCount,
            alignment: isLarge ? largePage : MemoryLayout<SIMD8<Float>>.alignment)
        if isLarge { unsafe preferLargePages(memory, byteCount: byteCount) }
        return unsafe memory.bindMemory(to: Float.self, capacity: count)
    }
}
