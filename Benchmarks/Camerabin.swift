internal import Dispatch
internal import GStreamer
internal import Glibc
internal import Synchronization

/// Measures GStreamer's camerabin, which encodes the next finished frame after the press as a JPEG.
enum Camerabin {
    /// The longest time for one photo.
    private static let limit = 20

    /// Presses at random instants and returns the time of each press. The first press is not measured.
    static func measure(presses: Int, in folder: String) throws -> [PressTimes] {
        let (width, height) = PressBenchmark.preview
        let pipeline = try Pipeline(
            parsing: "camerabin location=\(folder)/peer-%d.jpg "
                + "camera-source=\"wrappercamerabinsrc post-previews=false video-source=benchmarkcamera\" "
                + "viewfinder-sink=\"capsfilter caps=video/x-raw,width=\(width),height=\(height) "
                + "! fakesink sync=false\"")
        let photos = PeerPhotos()
        pipeline.bus.setHandler { photos.receive($0) }
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        usleep(1_500_000)
        var times: [PressTimes] = []
        for _ in 0...presses {
            usleep(.random(in: 200_000...400_000))
            try waitUntilIdle(pipeline)
            let start = ContinuousClock.now
            try pipeline.emit("start-capture")
            let (path, end) = try photos.next(within: limit)
            times.append(PressTimes(file: start.milliseconds(to: end)))
            unsafe unlink(path)
        }
        return Array(times.dropFirst())
    }

    private static func waitUntilIdle(_ pipeline: Pipeline) throws {
        for _ in 0..<limit * 100 {
            if try pipeline.get("idle", as: Bool.self) { return }
            usleep(10_000)
        }
        throw GStreamerError(message: "camerabin was not idle within \(limit) s")
    }
}

/// The finished files that camerabin reports on its bus, for the thread that waits for them.
private final class PeerPhotos: Sendable {
    private struct State {
        var photos: [(path: String, end: ContinuousClock.Instant)] = []
        var failure: GStreamerError?
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    func receive(_ message: Message) {
        let now = ContinuousClock.now
        switch message.kind {
        case .element(let structure) where structure.name == "image-done":
            state.withLock { $0.photos.append((structure["filename"]?.text ?? "", now)) }
        case .error(let error): state.withLock { $0.failure = error }
        default: return
        }
        semaphore.signal()
    }

    /// Returns the path of the next file and the instant at which it was reported as complete.
    func next(within seconds: Int) throws -> (path: String, end: ContinuousClock.Instant) {
        let isInTime = semaphore.wait(timeout: .now() + .seconds(seconds)) == .success
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard isInTime, !state.photos.isEmpty else {
                throw GStreamerError(message: "camerabin made no photo within \(seconds) s")
            }
            return state.photos.removeFirst()
        }
    }
}
