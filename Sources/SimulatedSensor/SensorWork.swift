internal import Synchronization

/// The computation of a scene or of a frame, which asks before each band of rows whether it goes on. *Thread-safe.*
public final class SensorWork: Sendable {
    private let goesOn: @Sendable () -> Bool
    private let hasEnded = Atomic(false)

    /// Creates a computation. `goesOn` is called before each band, on several threads at once; the first time that it
    /// returns false ends the computation.
    public init(goesOn: @escaping @Sendable () -> Bool) { self.goesOn = goesOn }

    /// Whether the computation was ended, so that its result is incomplete.
    public var isEnded: Bool { hasEnded.load(ordering: .acquiring) }

    /// Returns whether a band is to be computed.
    func beginsBand() -> Bool {
        if isEnded { return false }
        if goesOn() { return true }
        hasEnded.store(true, ordering: .releasing)
        return false
    }
}
