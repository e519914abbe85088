internal import GStreamer

/// Frames that are made before a measurement and stay in memory, so that the camera of the measurement costs nothing.
struct PreparedFrames: Sendable {
    /// The format of the frames.
    let caps: Caps
    /// The frames in their order.
    let samples: [Sample]

    /// Takes `count` frames of the simulated sensor after the given elements.
    init(count: Int, width: Int, height: Int, through elements: String) throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=false num-buffers=\(count) ! "
                + "video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=\(PreparedCamera.rate)/1 ! "
                + "\(elements) ! appsink name=out sync=false")
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        let sink = pipeline.element(named: "out").flatMap(AppSink.init)
        var samples: [Sample] = []
        while samples.count < count, let sample = sink?.nextSample(timeout: .seconds(60)) { samples.append(sample) }
        guard samples.count == count, let caps = samples.first?.caps else {
            throw GStreamerError(message: "the simulated sensor delivered \(samples.count) of \(count) frames")
        }
        self.caps = caps
        self.samples = samples
    }
}
