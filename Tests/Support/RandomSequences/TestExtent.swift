import Foundation

/// How much of a long test runs: a fixed part, or everything where GSCAP_EXHAUSTIVE is set, as `make check` does.
public enum TestExtent {
    /// Whether everything runs.
    public static let isExhaustive = ProcessInfo.processInfo.environment["GSCAP_EXHAUSTIVE"] != nil

    /// Returns every `step`th case from the first one on, or all cases.
    public static func cases<Cases: Collection>(_ all: Cases, every step: Int) -> [Cases.Element] {
        all.enumerated().filter { isExhaustive || $0.offset.isMultiple(of: step) }.map(\.element)
    }
}
