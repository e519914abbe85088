internal import Synchronization

/// The comparisons of a file's parts with its digests so far, so that each part is digested once.
final class PartChecks: Sendable {
    /// The result for a part.
    enum Result: Sendable, Hashable {
        case intact
        /// Another program has replaced or removed the part, as its changed size shows.
        case replaced
        /// The part's bytes have changed; the text says which part and what differs.
        case damaged(String)
    }

    private let results = Mutex<[String: Result]>([:])

    /// Returns the result for a part; nil if it was not compared yet.
    func result(of part: String) -> Result? { results.withLock { $0[part] } }

    func set(_ result: Result, of part: String) { results.withLock { $0[part] = result } }

    /// The parts that are damaged, with the descriptions of their damage, in the order of their names.
    var damage: [(part: String, text: String)] {
        results.withLock { $0 }.sorted { $0.key < $1.key }.compactMap { part, result in
            if case .damaged(let text) = result { (part, text) } else { nil }
        }
    }

    /// Whether another program has replaced or removed a part.
    var hasReplacements: Bool { results.withLock { $0.values.contains(.replaced) } }
}
