internal import FrameStream
internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization

/// A live camera that delivers references to prepared frames, ten per second: the element `benchmarkcamera`.
///
/// It works as a camera does: a frame is pushed one period after its timestamp, and frames that are late are dropped.
final class PreparedCamera: SourceBehaviour {
    /// The frames per second.
    static let rate = 10
    /// The time from one frame to the next in nanoseconds.
    private static let period = UInt64(1_000_000_000 / rate)
    /// The frames of the cameras that start from now on.
    static let frames = Mutex<PreparedFrames?>(nil)

    private struct Stream {
        var frames: PreparedFrames?
        /// The running time of frame 0 in nanoseconds; nil before the first frame.
        var startTime: UInt64?
        var number: UInt64 = 0

        /// Returns the next frame, its number and its timestamp. Skips frames that ended more than a period ago.
        mutating func next(at now: UInt64) -> (sample: Sample, number: UInt64, time: UInt64)? {
            guard let frames else { return nil }
            let start = startTime ?? now
            startTime = start
            while start + (number + 2) * period < now { number += 1 }
            defer { number += 1 }
            return (frames.samples[Int(number) % frames.samples.count], number, start + number * period)
        }
    }

    static let elementClass = ElementClass(
        factoryName: "benchmarkcamera", typeName: "GscapBenchmarkCamera", longName: "Camera of prepared frames",
        classification: "Source/Video", summary: "Delivers references to frames in memory", author: "gscap",
        padTemplates: [.source(caps: "ANY")])

    private let element: ElementHandle
    private let stream = Mutex(Stream())

    init(element: ElementHandle) { self.element = element }

    var timing: SourceTiming { .recorded }

    var latency: SourceLatency? { SourceLatency(minimum: Self.period) }

    func start() throws { stream.withLock { $0 = Stream(frames: Self.frames.withLock { $0 }) } }

    func stop() { stream.withLock { $0 = Stream() } }

    func caps() -> Caps? { Self.frames.withLock { $0?.caps } }

    func create() throws -> Buffer {
        let now = element.runningTime ?? 0
        guard let (sample, number, time) = stream.withLock({ $0.next(at: now) }), let frame = sample.buffer else {
            throw FlowError.notNegotiated
        }
        var buffer = try frame.copySharingMemory()
        buffer.presentationTime = time
        buffer.duration = Self.period
        buffer.offset = number
        if sample.caps?.first?.name == "video/x-bayer", var metadata = frame.frameMetadata {
            metadata.frameNumber = number
            metadata.sensorTimestamp = time
            try buffer.setFrameMetadata(metadata)
        }
        return buffer
    }
}
