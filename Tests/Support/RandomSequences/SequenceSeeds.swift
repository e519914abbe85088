import Foundation

/// The seeds of random sequences: 300 fixed ones, and 50 fresh ones in each run.
///
/// GSCAP_SEED runs one seed alone. GSCAP_SEQUENCES sets the number of the fixed ones (`make soak`).
public enum SequenceSeeds {
    /// The seeds of this run.
    public static let all: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["GSCAP_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let count = environment["GSCAP_SEQUENCES"].flatMap { UInt64($0) } ?? 300
        return (0..<count).map { $0 + 1 } + fresh
    }()

    /// The fresh seeds, printed so that a run that crashes can be repeated. A test that fails prints its seed, too.
    private static let fresh: [UInt64] = {
        let seeds = (0..<50).map { _ in UInt64.random(in: 1_000_000...1_000_000_000) }
        print("fresh seeds for GSCAP_SEED:", seeds.map(String.init).joined(separator: " "))
        return seeds
    }()

    /// The number of minutes after which a test of all sequences has failed: ten, or a second for each sequence.
    public static var minutes: Int { max(10, all.count / 60) }
}
