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
        /// The file lacks bytes of the part, in place of which there are zeros: the text says which. It is readable,
        /// with a warning.
        case incomplete(String)
    }

    private let results = Mutex<[String: Result]>([:])

    /// Returns the result for a part; nil if it was not compared yet.
    func result(of part: String) -> Result? { results.withLock { $0[part] } }

    func set(_ result: Result, of part: String) { results.withLock { $0[part] = result } }

    /// Returns the parts that lack bytes and, if damage is accepted, those that are damaged, with the descriptions of
    /// their damage, in the order of their names.
    func damage(isAccepted: Bool) -> [(part: String, text: String)] {
        results.withLock { $0 }.sorted { $0.key < $1.key }.compactMap { part, result in
            switch result {
            case .damaged(let text) where isAccepted: return (part, text)
            case .incomplete(let text): return (part, text)
            default: return nil
            }
        }
    }

    /// Whether another program has replaced or removed a part.
    var hasReplacements: Bool { results.withLock { $0.values.contains(.replaced) } }
}
