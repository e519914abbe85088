internal import Dispatch
internal import Fusion
internal import Synchronization
internal import Waiting

/// The working memory of an element's fusions, which is kept for two seconds after the last one: a burst that follows
/// soon need not wait for fresh memory, and a camera that takes no photos does not hold it.
///
/// *Thread-safe.*
final class FusionScratch: Sendable {
    let memory = FusionMemory()
    /// Counts the frames, so that a planned release can tell whether a burst has come since.
    private let uses = Mutex(0)

    private let clock = WaitClock.current

    /// Keeps the memory for a burst that has begun.
    func use() { uses.withLock { $0 += 1 } }

    /// Frees the memory that no fusion uses in two seconds, unless another burst has begun by then.
    func releaseLater() {
        let before = uses.withLock { $0 }
        clock.alarm(after: .seconds(2), on: .global(qos: .utility)) { [weak self] in
            guard let self, uses.withLock({ $0 }) == before else { return }
            release()
        }
    }

    /// Frees the memory that no fusion uses.
    func release() { memory.freeIdle() }
}
