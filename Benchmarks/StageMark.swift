internal import FrameStream
internal import GStreamer
internal import GscapElements
internal import Synchronization

/// An element that passes everything on and notes when the first and the last buffer of each capture passed it: the
/// element `benchmarkmark`. Its name in the pipeline is the name of the stage that ends there.
final class StageMark: TransformBehaviour {
    typealias Times = [String: ClosedRange<ContinuousClock.Instant>]

    static let elementClass = ElementClass(
        factoryName: "benchmarkmark", typeName: "GscapBenchmarkMark", longName: "Stage mark",
        classification: "Generic", summary: "Notes when the buffers of a capture pass", author: "gscap",
        padTemplates: [.sink(caps: "ANY"), .source(caps: "ANY")])

    /// The times of each capture under way, by stage.
    private static let captures = Mutex<[UInt64: Times]>([:])

    private let element: ElementHandle

    init(element: ElementHandle) { self.element = element }

    /// Returns the times of a capture and forgets them.
    static func take(_ id: UInt64) -> Times { captures.withLock { $0.removeValue(forKey: id) } ?? [:] }

    func process(_ input: consuming Buffer, output: Pad) throws {
        if let id = input.captureIdentifier {
            let (stage, now) = (element.name, ContinuousClock.now)
            Self.captures.withLock { captures in
                let first = captures[id]?[stage]?.lowerBound ?? now
                captures[id, default: [:]][stage] = first...now
            }
        }
        try output.push(input)
    }
}
