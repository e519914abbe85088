package import GStreamer
internal import RawImage
internal import Waiting

/// The captures of two cameras of a virtual device whose photos `rawfusion` fuses into one.
///
///     paired ──the tele's photo is fused──► delivered ──the wide's fusion takes it──► taken
///        └──the tele's capture fails, or both captures are over──► over
///
/// Each camera has a pipeline and a `rawfusion` of its own. That of the wide camera waits for the tele's photo, up to a
/// limit, and never the other way round. The presses of both captures pass the pair on, in the field `companion`.
/// *Thread-safe.*
package final class ConstituentPair: Sendable {
    private struct State: Sendable {
        var photo: LinearImage?
        /// Whether the photo was delivered, or will not come.
        var isOver = false
    }

    private let state = Awaited(State())
    private let isMissed = AtomicFlag()
    private let clock = WaitClock.current

    /// The width and height of the fused photo relative to those of the wide camera's.
    package static let photoScale = 2

    /// The longest wait.
    package static let limit = Duration.seconds(15)

    /// The role of a capture in its pair.
    package enum Role: Sendable {
        /// Its photo is fused with the other one.
        case wide
        /// Its photo is fused into the other one.
        case tele
    }

    /// A capture's part in a pair.
    final class Part: Sendable {
        let pair: ConstituentPair
        let role: Role

        init(_ pair: ConstituentPair, _ role: Role) { (self.pair, self.role) = (pair, role) }
    }

    /// Creates the pair of two captures that are to be pressed.
    package init() {}

    /// Returns the field `companion` of the request of a capture.
    package func companion(as role: Role) -> Value { .object(SharedObject(Part(self, role))) }

    /// Ends the tele camera's capture: the other one no longer waits for its photo.
    package func end() { state.change { $0.isOver = true } }

    /// Whether the wide camera's capture has gone on without the tele camera's photo.
    package var isWithoutTele: Bool { isMissed.isRaised }

    func deliver(_ photo: LinearImage) { state.change { $0 = State(photo: photo, isOver: true) } }

    /// Makes a thread that waits for the photo look whether it is cancelled.
    func wake() { state.change { _ in } }

    /// Waits for the photo and returns it; nil if it does not come within the limit, or `isCancelled` returns true.
    func take(isCancelled: () -> Bool) -> LinearImage? {
        _ = state.wait(until: clock.now + Self.limit, by: clock) { state in
            state.isOver || isCancelled() ? true : nil
        }
        let photo = state.withLock { $0.photo.take() }
        if photo == nil { isMissed.raise() }
        return photo
    }
}
