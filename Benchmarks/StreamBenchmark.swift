internal import GStreamer

/// Measures complete streams, from the simulated sensor to the sink.
enum StreamBenchmark {
    private static let frames = 20

    /// Compares a stream through tee, ring buffer and idle shutter with a stream from the source alone.
    static func shutterIdle(width: Int, height: Int) throws -> Comparison {
        let source =
            "gscapsensorsrc is-live=false num-buffers=\(frames) ! "
            + "video/x-bayer,format=rggb12le,width=\(width),height=\(height) "
        let queue = "queue max-size-buffers=2 max-size-bytes=0 max-size-time=0"
        return Comparison(
            name: "sensor ! tee ! queue ! rawshutter (idle)",
            ours: { try run(source + "! rawunpack ! tee name=raw ! \(queue) ! rawshutter ! fakesink") },
            peerName: "sensor ! queue ! fakesink",
            peer: { try run(source + "! \(queue) ! fakesink") }, cores: "all cores", frames: frames, aim: 1.05)
    }

    /// Runs a pipeline, given as text, until the stream ends.
    static func run(_ text: String) throws {
        try run(try Pipeline(parsing: text)) {}
    }

    /// Runs a pipeline until the stream ends. `feed` pushes the input once the pipeline plays.
    static func run(_ pipeline: Pipeline, _ feed: () throws -> Void) throws {
        let ended = BlockingFlag()
        pipeline.bus.setHandler { message in
            switch message.kind {
            case .endOfStream where message.isFromPipeline: ended.raise(nil)
            case .error(let error): ended.raise(error)
            default: break
            }
        }
        try pipeline.setState(.playing)
        try feed()
        try ended.wait()
        try pipeline.setState(.null)
    }
}
