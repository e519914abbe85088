internal import Dispatch
internal import RawImage
internal import Synchronization

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
        private let photo = Mutex<LinearImage?>(nil)
        private let isMissed = AtomicFlag()
        /// Signalled when the photo is there, and when it will not come.
        private let isOver = DispatchSemaphore(value: 0)

        func deliver(_ photo: LinearImage) {
            self.photo.withLock { $0 = photo }
            isOver.signal()
        }

        func end() { isOver.signal() }

        /// Waits for the photo and returns it; nil if it does not come within the limit, or `isCancelled` returns true.
        func take(isCancelled: () -> Bool) -> LinearImage? {
            for _ in 0..<ConstituentPairs.limit / ConstituentPairs.step where !isCancelled() {
                if isOver.wait(timeout: .now() + .milliseconds(ConstituentPairs.step)) == .success { break }
            }
            let photo = photo.withLock { photo in
                defer { photo = nil }
                return photo
            }
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

    /// The longest wait, and the time after which a wait checks whether it is cancelled, in milliseconds.
    package static let limit = 15_000
    private static let step = 20

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

    /// Returns what a capture does in its pair; nil if it has none.
    func role(of id: UInt64) -> Role? { roles.withLock { $0[id] } }
}
