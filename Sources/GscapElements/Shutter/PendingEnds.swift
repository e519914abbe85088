internal import Dispatch
internal import RawImage
internal import Synchronization

/// Counts the captures whose message `done` is still to be posted, so that the end of a stream can wait for them.
///
/// A sink's message about the end of the stream would overtake `done`, which is posted on another thread.
/// *Thread-safe.*
final class PendingEnds: Sendable {
    private let count = Mutex(0)
    /// Signalled at each end, and to make `wait` look at its condition again.
    private let changed = DispatchSemaphore(value: 0)

    /// The seconds without an end and without the computation of a photo after which `wait` gives up: an element holds
    /// back the event that ends a burst.
    private static let patience = 5

    func begin() { count.withLock { $0 += 1 } }

    func end() {
        count.withLock { $0 -= 1 }
        changed.signal()
    }

    /// Makes a waiting thread look at its condition again.
    func wake() { changed.signal() }

    /// Waits until every `done` is posted, as long as `isWanted` returns true and photos are being computed.
    func wait(while isWanted: () -> Bool) {
        var idle = 0
        while isWanted(), idle < Self.patience, count.withLock({ $0 > 0 }) {
            switch changed.wait(timeout: .now() + .seconds(1)) {
            case .success: idle = 0
            case .timedOut: idle = computesPhotos ? 0 : idle + 1
            }
        }
    }
}
