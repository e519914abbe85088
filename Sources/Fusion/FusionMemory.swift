internal import PixelMemory

/// The largest working memory of burst fusions, the sums of 10 bytes a pixel, which one fusion after another uses: the
/// page faults of fresh memory take as long as merging two frames.
///
/// *Thread-safe.*
package final class FusionMemory: Sendable {
    let pool = ScratchMemoryPool()

    /// Creates an owner without memory.
    package init() {}

    /// Frees the memory that no fusion uses.
    package func freeIdle() { pool.freeIdle() }
}
