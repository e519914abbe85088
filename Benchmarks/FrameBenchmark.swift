internal import GStreamer
internal import GscapElements
internal import RawImage

/// Measures elements with one frame that is pushed repeatedly, so that no other element takes time.
enum FrameBenchmark {
    /// The number of frames in a run.
    static let count = 20

    /// Compares rawdevelop's scaled preview with a full-size picture by bayer2rgb.
    static func preview(width: Int, height: Int) throws -> Comparison {
        Comparison(
            name: "rawdevelop quality=preview (1440×1080)",
            ours: try develop(width, height, "rawdevelop quality=preview ! video/x-raw,width=1440,height=1080"),
            peerName: "bayer2rgb", peer: try bayer2rgb(width, height), cores: "each on one core", frames: count,
            aim: 0.25)
    }

    /// Compares rawdevelop's full-size, colour-corrected picture with bayer2rgb, which interpolates without colour
    /// correction.
    static func full(width: Int, height: Int) throws -> Comparison {
        Comparison(
            name: "rawdevelop quality=full", ours: try develop(width, height, "rawdevelop quality=full"),
            peerName: "bayer2rgb", peer: try bayer2rgb(width, height), cores: "all cores : one core", frames: count,
            aim: 1)
    }

    /// Compares encoding a linear DNG with a rendered full-size preview with encoding a JPEG of that preview alone.
    /// Both write to a file system in memory.
    static func dng(width: Int, height: Int) throws -> Comparison {
        let photo = try firstFrame("rggb12le", width, height, through: "rawshutter captures=1 frames=1 ! rawfusion")
        let picture = try firstFrame("rggb12le", width, height, through: "rawdevelop ! video/x-raw,format=RGB")
        let file = "multifilesink max-files=1 location=/dev/shm/gscap-bench-%d"
        return Comparison(
            name: "dngenc, \(width)×\(height) linear with its preview",
            ours: { try send(photo, 5, through: "dngenc ! \(file).dng") },
            peerName: "jpegenc, the preview alone",
            peer: { try send(picture, 5, through: "jpegenc quality=90 ! \(file).jpg") },
            cores: "all cores : one core", frames: 5, aim: 2)
    }

    /// Returns a closure that sends a Bayer frame repeatedly through elements.
    private static func develop(_ width: Int, _ height: Int, _ elements: String) throws -> () throws -> Void {
        let frame = try firstFrame("rggb12le", width, height)
        return { try send(frame, through: elements + " ! fakesink sync=false") }
    }

    /// Returns a closure that sends an 8-bit frame repeatedly through GStreamer's bilinear demosaicing.
    static func bayer2rgb(_ width: Int, _ height: Int) throws -> () throws -> Void {
        let frame = try firstFrame("rggb", width, height)
        return { try send(frame, through: "bayer2rgb ! video/x-raw,format=BGRx ! fakesink sync=false") }
    }

    /// Returns the first frame of the simulated sensor after the given elements.
    static func firstFrame(
        _ format: String, _ width: Int, _ height: Int, through elements: String = "identity"
    ) throws -> Sample {
        let caps = "video/x-bayer,format=\(format),width=\(width),height=\(height)"
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc is-live=false num-buffers=1 ! \(caps) ! \(elements) ! appsink name=out sync=false")
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        guard let sample = pipeline.element(named: "out").flatMap(AppSink.init)?.nextSample(timeout: .seconds(60))
        else { throw GStreamerError(message: "the simulated sensor delivered no frame") }
        return sample
    }

    /// Pushes a frame `count` times through elements and waits for the end of the stream.
    private static func send(_ frame: Sample, _ count: Int = count, through elements: String) throws {
        let pipeline = try Pipeline(parsing: "appsrc name=in format=time ! \(elements)")
        guard let source = pipeline.element(named: "in").flatMap(AppSrc.init), let caps = frame.caps else { return }
        source.setCaps(caps)
        try StreamBenchmark.run(pipeline) {
            for _ in 0..<count {
                if let buffer = frame.buffer { try source.push(buffer) }
            }
            source.endOfStream()
        }
    }
}
