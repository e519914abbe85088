import Foundation
import FrameStream
import GStreamer
import GscapElements
import TestClocks
import Testing

/// A pipeline with a live camera whose raw stream a bin for photos takes; records the capture messages of its bus.
final class PhotoBinHost: @unchecked Sendable {
    // @unchecked Sendable: `structures` and `warnings` are accessed only while the condition is locked; the rest is
    // constant.
    let pipeline: Pipeline
    let bin: Element
    private let condition = NSCondition()
    private var structures: [Structure] = []
    private var warnings: [GStreamerError] = []
    private var errors: [GStreamerError] = []
    private var hasEnded = false

    /// Creates a host with the bin's properties as text. `source` is the text before the bin.
    init(_ properties: String = "", source: String? = nil) throws {
        let camera =
            "gscapsensorsrc name=camera is-live=true ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"
        pipeline = try Pipeline(
            parsing: "\(source ?? camera) ! tee name=raw raw. ! queue ! fakesink name=screen sync=false async=false "
                + "raw. ! queue ! gscapphotobin name=photos \(properties)")
        bin = try #require(pipeline.element(named: "photos"))
        pipeline.bus.setHandler { [weak self] message in self?.record(message) }
    }

    deinit { pipeline.stopOnAnotherThread() }

    /// Starts the pipeline, and waits until the shutter has a frame, a minute at most.
    func start() throws {
        try pipeline.setState(.playing)
        try waitForFrames(2)
    }

    /// Waits until the shutter's ring has this many frames, a minute at most.
    func waitForFrames(_ count: Int) throws {
        _ = try blocks { try ringFrames() >= count }
    }

    private func ringFrames() throws -> Int {
        try bin.query("admission", Structure("admission"))?["ring-frames"]?.integer ?? 0
    }

    func press(_ fields: KeyValuePairs<String, Value> = ["frames": 2]) throws -> UInt64 {
        try bin.emit("capture", Structure("capture", fields))
    }

    private func record(_ message: Message) {
        condition.withLock {
            switch message.kind {
            case .element(let structure): structures.append(structure)
            case .warning(let warning): warnings.append(warning)
            case .error(let error): errors.append(error)
            case .endOfStream: hasEnded = true
            default: break
            }
            condition.broadcast()
        }
    }

    func messages(of id: UInt64) -> [Structure] {
        condition.withLock { structures.filter { $0["capture-id"]?.unsigned == id } }
    }

    func events(of id: UInt64) -> [String] { messages(of: id).compactMap { $0["event"]?.text } }

    func photos(of id: UInt64) -> [PhotoMessage] { messages(of: id).compactMap { PhotoMessage($0) } }

    var allErrors: [GStreamerError] { condition.withLock { errors } }

    var allWarnings: [GStreamerError] { condition.withLock { warnings } }

    /// Waits until the capture is over, a minute at most, and returns its last message; nil if it did not end.
    func end(of id: UInt64) -> Structure? {
        let limit = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            func done() -> Structure? {
                structures.first { $0["capture-id"]?.unsigned == id && $0["event"]?.text == "done" }
            }
            while done() == nil, condition.wait(until: limit) {}
            return done()
        }
    }

    /// Waits until this many captures are over, a minute at most, and returns the last message of each.
    func ends(_ count: Int) -> [Structure] {
        let limit = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            func done() -> [Structure] { structures.filter { $0["event"]?.text == "done" } }
            while done().count < count, condition.wait(until: limit) {}
            return done()
        }
    }

    /// Waits until the capture has a message of this event, a minute at most.
    func wait(for event: String, of id: UInt64) {
        let limit = Date(timeIntervalSinceNow: 60)
        condition.withLock {
            func isThere() -> Bool {
                structures.contains { $0["capture-id"]?.unsigned == id && $0["event"]?.text == event }
            }
            while !isThere(), condition.wait(until: limit) {}
        }
    }

    /// Waits for the end of the stream, a minute at most; returns whether it came.
    func waitForEndOfStream() -> Bool {
        let limit = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            while !hasEnded, condition.wait(until: limit) {}
            return hasEnded
        }
    }

    func result(of id: UInt64) -> String? { end(of: id)?["result"]?.text }

    func reason(of id: UInt64) -> String { end(of: id)?["reason"]?.text ?? "" }
}
