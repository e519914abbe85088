import Foundation

/// The seeds of random sequences: 300 fixed ones, 50 of them for live cameras.
///
/// GSCAP_EXHAUSTIVE (`make check`) adds 50 fresh ones, and takes all of them for live cameras, too; so does
/// GSCAP_SEQUENCES (`make soak`), which sets the number of the fixed ones. CI takes the fixed ones alone, so that a
/// change is judged by what was run before it. GSCAP_SEED runs one seed alone.
public enum SequenceSeeds {
    /// The seeds of this run.
    public static let all: [UInt64] = {
        if let seed = number("GSCAP_SEED") { return [seed] }
        return (isExhaustive ? fresh : []) + (0..<(requested ?? 300)).map { $0 + 1 }
    }()

    /// The seeds of sequences with live cameras, whose frames take their time.
    public static let ofLiveCameras = isExhaustive ? all : Array(all.prefix(50))

    /// The number of fixed seeds that GSCAP_SEQUENCES requests; nil without it.
    private static let requested = number("GSCAP_SEQUENCES")

    private static let isExhaustive = requested != nil || TestExtent.isExhaustive

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// The fresh seeds, printed so that a run that crashes can be repeated. A test that fails prints its seed, too.
    private static let fresh: [UInt64] = {
        let seeds = (0..<50).map { _ in UInt64.random(in: 1_000_000...1_000_000_000) }
        print("fresh seeds for GSCAP_SEED:", seeds.map(String.init).joined(separator: " "))
        return seeds
    }()

    /// The number of minutes after which a test of live cameras hangs. A sequence takes a second on an idle machine.
    public static var minutes: Int { max(15, ofLiveCameras.count / 15) }

    /// Carries out the sequences of some seeds, `width` at once.
    public static func carryOut(
        _ seeds: [UInt64] = ofLiveCameras, width: Int, _ sequence: @escaping @Sendable (UInt64) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, seed) in seeds.enumerated() {
                if index >= width { await group.next() }
                // A test at its limit is cancelled, and would begin all that are left at once.
                if Task.isCancelled { break }
                group.addTask { await sequence(seed) }
            }
        }
    }
}
