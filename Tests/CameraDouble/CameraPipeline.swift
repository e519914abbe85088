import Errors
import FrameStream
import GStreamer
import RawImage
import Synchronization
import TestClocks

/// A pipeline with the camera `camera` at its start and an appsink at its end.
final class CameraPipeline {
    let pipeline: Pipeline
    let camera: Element
    private let sink: AppSink
    private let received = Received()

    private final class Received: Sendable {
        let kinds = Mutex<[Message.Kind]>([])
    }

    struct Failure: Error {
        var text: String
    }

    /// Starts a pipeline from the camera through elements.
    init(_ settings: String = "", through elements: String = "") throws {
        pipeline = try Pipeline(
            parsing: "gscapv4l2src name=camera \(settings) ! \(elements.isEmpty ? "" : elements + " ! ")"
                + "appsink name=sink sync=false async=false enable-last-sample=false")
        guard let camera = pipeline.element(named: "camera"),
            let sink = pipeline.element(named: "sink").flatMap(AppSink.init)
        else { throw Failure(text: "no elements") }
        (self.camera, self.sink) = (camera, sink)
        pipeline.bus.setHandler { [received] message in received.kinds.withLock { $0.append(message.kind) } }
        try pipeline.setState(.playing)
    }

    deinit { stop() }

    func stop() { _ = try? pipeline.setState(.null) }

    /// Waits for the next frame.
    func sample() throws -> Sample {
        guard let sample = sink.nextSample(timeout: .seconds(120)) else {
            throw Failure(text: "no frame came out; messages: \(messages)")
        }
        return sample
    }

    func count(_ property: String) throws -> UInt64 {
        guard case .uint64(let count) = try camera.get(property) else { throw Failure(text: property) }
        return count
    }

    var messages: [Message.Kind] { received.kinds.withLock(\.self) }

    /// Waits for a message of the element; returns its structure.
    func message(_ name: String) throws -> Structure {
        var found: Structure?
        let isFound = blocks {
            found =
                messages.lazy.compactMap { kind in
                    if case .element(let structure) = kind, structure.name == name { structure } else { nil }
                }.last
            return found != nil
        }
        guard isFound, let found else { throw Failure(text: "no message \(name), but \(messages)") }
        return found
    }

    /// Waits for the error with which the pipeline fails.
    func failure() throws -> GscapError {
        var found: GscapError?
        _ = blocks {
            found = messages.lazy.compactMap { if case .error(let error) = $0 { error } else { nil } }.first
            return found != nil
        }
        guard let found else { throw Failure(text: "no error, but \(messages)") }
        return found
    }
}

extension Sample {
    /// The bytes of the frame.
    var bytes: [UInt8] {
        buffer?.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } } ?? []
    }

    var offset: UInt64? { buffer?.offset }
    var duration: UInt64? { buffer?.duration }
    var metadata: FrameMetadata? { buffer?.frameMetadata }
}
