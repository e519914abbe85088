/// The tickets of photo settings that were captured, in bounded memory: the newest ones, and a limit at or below which
/// every ticket counts as used.
package struct UsedTickets: Sendable {
    private var newest: Set<UInt64> = []
    /// The tickets up to this one count as used.
    private var limit: UInt64 = 0
    private let capacity: Int

    /// Creates an empty set that remembers up to `capacity` tickets one by one.
    package init(capacity: Int = 4096) { self.capacity = max(2, capacity) }

    /// Returns whether a ticket counts as used.
    package func contains(_ ticket: UInt64) -> Bool { ticket <= limit || newest.contains(ticket) }

    /// Marks a ticket as used; returns false if it was used already, or is older than the tickets remembered.
    package mutating func insert(_ ticket: UInt64) -> Bool {
        guard ticket > limit, newest.insert(ticket).inserted else { return false }
        if newest.count > capacity { forgetOlderHalf() }
        return true
    }

    /// Marks a ticket as unused again, unless it is older than the tickets remembered.
    package mutating func remove(_ ticket: UInt64) { newest.remove(ticket) }

    private mutating func forgetOlderHalf() {
        let sorted = newest.sorted()
        limit = sorted[sorted.count / 2]
        newest = Set(sorted[(sorted.count / 2 + 1)...])
    }
}
