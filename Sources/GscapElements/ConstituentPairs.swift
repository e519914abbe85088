internal import RawImage
internal import Synchronization
internal import Waiting

/// The captures of two cameras of a virtual device whose photos `rawfusion` fuses into one.
///
///     paired ──the tele's photo is fused──► delivered ──the wide's fusion takes it──► taken
///        └──the tele's capture fails, or both captures are over──► over
///
/// Each camera has a pipeline and a `rawfusion` of its own. That of the wide camera waits for the tele's photo, up to a
/// limit, and never the other way round. *Thread-safe.*
package final class ConstituentPairs: Sendable {
    /// The pairs of this process.
    package static let shared = ConstituentPairs()

    /// The meeting of two captures.
    final class Pair: Sendable {
        private struct State: Sendable {
            var photo: LinearImage?
            /// Whether the photo was delivered, or will not come.
            var isOver = false
        }

        private let state = Awaited(State())
        private let isMissed = AtomicFlag()
        private let clock = WaitClock.current

        func deliver(_ photo: LinearImage) { state.change { $0 = State(photo: photo, isOver: true) } }

        func end() { state.change { $0.isOver = true } }

        /// Makes a thread that waits for the photo look whether it is cancelled.
        fileprivate func wake() { state.change { _ in } }

        /// Waits for the photo and returns it; nil if it does not come within the limit, or `isCancelled` returns true.
        func take(isCancelled: () -> Bool) -> LinearImage? {
            _ = state.wait(until: clock.now + ConstituentPairs.limit, by: clock) { state in
                state.isOver || isCancelled() ? true : nil
            }
            let photo = state.withLock { $0.photo.take() }
            if photo == nil { isMissed.raise() }
            return photo
        }

        /// Whether a wait for the photo has ended without it.
        var isWithoutPhoto: Bool { isMissed.isRaised }
    }

    /// The width and height of the fused photo relative to those of the wide camera's.
    package static let photoScale = 2

    /// What a capture does in its pair.
    enum Role: Sendable {
        case wide(Pair)
        case tele(Pair)
    }

    /// The longest wait.
    package static let limit = Duration.seconds(15)

    private let roles = Mutex<[UInt64: Role]>([:])

    /// Pairs two captures before they are pressed, by their ids.
    package func pair(wide: UInt64, tele: UInt64) {
        let pair = Pair()
        roles.withLock { ($0[wide], $0[tele]) = (.wide(pair), .tele(pair)) }
    }

    /// Ends a capture of a pair: the other one no longer waits for its photo. Does nothing if it has none.
    package func end(_ id: UInt64) {
        guard case .tele(let pair)? = roles.withLock({ $0.removeValue(forKey: id) }) else { return }
        pair.end()
    }

    /// Whether the wide camera's capture has gone on without the tele camera's photo.
    package func isWithoutTele(_ id: UInt64) -> Bool {
        guard case .wide(let pair)? = role(of: id) else { return false }
        return pair.isWithoutPhoto
    }

    /// Makes the threads that wait for photos look whether they are cancelled.
    func wake() {
        for case .wide(let pair) in roles.withLock({ Array($0.values) }) { pair.wake() }
    }

    /// Returns what a capture does in its pair; nil if it has none.
    func role(of id: UInt64) -> Role? { roles.withLock { $0[id] } }
}
