/// The photos of one capture: which ones it owes, how many came, how many failed, and why the first of those did.
///
///     unknown ──owe──► owed ──settle, with a photo or with a failure──► settled
///
/// So the photos that were owed are always those that came, those that failed and those in `missing`. Photos that no
/// key names are only counted.
package struct CaptureAccount<Key: Comparable & Hashable & Sendable, Failure: Sendable>: Sendable {
    /// The number of photos that are still to come for each key; 0 when they are settled.
    private var owed: [Key: Int] = [:]
    /// The number of photos that came.
    package private(set) var photos = 0
    /// The number of photos that failed.
    package private(set) var failures = 0
    /// The failure of the first photo that failed, or the reason why the capture as a whole did.
    package private(set) var firstFailure: Failure?

    /// Creates an account that owes this many photos for each key.
    package init(owing owed: [Key: Int] = [:]) { self.owed = owed }

    /// Adds a photo, unless the account has one for the key already; returns whether it is owed.
    @discardableResult
    package mutating func owe(_ key: Key) -> Bool {
        if owed[key] == nil { owed[key] = 1 }
        return owes(key)
    }

    /// Whether a photo for this key is still to come.
    package func owes(_ key: Key) -> Bool { owed[key, default: 0] > 0 }

    /// Settles a photo that is owed: as one that came, or one that failed for a reason. Returns false, and does
    /// nothing, if it is not owed.
    @discardableResult
    package mutating func settle(_ key: Key, failure: Failure? = nil) -> Bool {
        guard let left = owed[key], left > 0 else { return false }
        owed[key] = left - 1
        count(failure: failure)
        return true
    }

    /// Counts a photo that no key names.
    package mutating func count(failure: Failure? = nil) {
        if let failure {
            failures += 1
            blame(failure)
        } else {
            photos += 1
        }
    }

    /// Notes why the capture as a whole failed, unless a failure came before.
    package mutating func blame(_ failure: Failure) { firstFailure = firstFailure ?? failure }

    /// The keys of the photos that are still to come, each as often as it is owed, in order.
    package var missing: [Key] { owed.keys.sorted().flatMap { Array(repeating: $0, count: owed[$0] ?? 0) } }

    /// Whether no photo is still to come.
    package var isSettled: Bool { owed.values.allSatisfy { $0 == 0 } }

    /// The result of a capture whose photos decide it. If their frames may have been dropped, as by a flush, photos of
    /// elements that count none here are not taken for made.
    package func result(isInterrupted: Bool = false) -> CaptureResult {
        if isInterrupted { return photos > 0 ? .partial : .cancelled }
        if failures == 0 { return .succeeded }
        return photos > 0 ? .partial : .failed
    }
}
