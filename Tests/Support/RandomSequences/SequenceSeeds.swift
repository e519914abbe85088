import Foundation

/// The seeds of random sequences: 50 fresh ones in each run, and 300 fixed ones.
///
/// GSCAP_SEED runs one seed alone. GSCAP_SEQUENCES sets the number of the fixed ones (`make soak`).
public enum SequenceSeeds {
    /// The seeds of this run.
    public static let all: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["GSCAP_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return fresh + (0..<(requested ?? 300)).map { $0 + 1 }
    }()

    /// The number of fixed seeds that GSCAP_SEQUENCES requests; nil without it.
    private static let requested = ProcessInfo.processInfo.environment["GSCAP_SEQUENCES"].flatMap { UInt64($0) }

    /// The fresh seeds, printed so that a run that crashes can be repeated. A test that fails prints its seed, too.
    private static let fresh: [UInt64] = {
        let seeds = (0..<50).map { _ in UInt64.random(in: 1_000_000...1_000_000_000) }
        print("fresh seeds for GSCAP_SEED:", seeds.map(String.init).joined(separator: " "))
        return seeds
    }()

    /// The time after which no further sequence begins, so that a busy machine carries out fewer. All are carried out
    /// if their number is requested.
    private static let time: Duration = requested == nil ? .seconds(360) : .seconds(86_400)

    /// The number of minutes after which a test of all sequences has failed. The last sequence has nine.
    public static var minutes: Int { max(15, all.count / 60) }

    /// Carries out the sequences of some seeds, `width` at once.
    public static func carryOut(
        _ seeds: [UInt64] = all, width: Int, _ sequence: @escaping @Sendable (UInt64) async -> Void
    ) async {
        let end = ContinuousClock.now + time
        var begun = 0
        await withTaskGroup(of: Void.self) { group in
            for seed in seeds {
                if begun >= width { await group.next() }
                // A test at its limit is cancelled, and would begin all that are left at once.
                if ContinuousClock.now > end || Task.isCancelled { break }
                begun += 1
                group.addTask { await sequence(seed) }
            }
        }
        if begun < seeds.count { print("out of time: \(begun) of \(seeds.count) sequences were carried out") }
    }
}
