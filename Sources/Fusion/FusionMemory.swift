internal import PixelMemory
internal import RawImage
internal import Synchronization

/// The large working memory of burst fusions, which one fusion after another uses: the sums of 10 bytes a pixel, grey
/// planes, and copies of frames. The page faults of fresh memory take as long as merging several frames.
///
/// *Thread-safe.*
package final class FusionMemory: Sendable {
    let pool = ScratchMemoryPool()
    /// The copies of frames that nobody uses.
    private let frames = Mutex<[[UInt16]]>([])

    /// Creates an owner without memory.
    package init() {}

    /// Returns a copy of a frame's codes, in the memory of an earlier copy if there is one.
    func copy(_ codes: MemoryView<UInt16>, cores: Int?) -> [UInt16] {
        let idle = frames.withLock { frames in
            frames.lastIndex { $0.count == codes.bounds.count }.map { frames.remove(at: $0) }
        }
        guard var copy = idle else { return [UInt16](largeCopyOf: codes, cores: cores) }
        copy.withMutableView { target in
            // The ranges are disjoint.
            concurrentBands(rows: codes.bounds.count, of: 1 << 20, cores: cores) { range in
                (target + range.lowerBound).update(from: codes + range.lowerBound, count: range.count)
            }
        }
        return copy
    }

    /// Takes back a copy that nobody reads any more.
    func give(_ copy: [UInt16]) { frames.withLock { $0.append(copy) } }

    /// Frees the memory that no fusion uses.
    package func freeIdle() {
        pool.freeIdle()
        // Freed without the lock.
        _ = frames.withLock { frames in
            defer { frames = [] }
            return frames
        }
    }
}
