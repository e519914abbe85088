internal import GSCapture
internal import GStreamer
internal import Glibc
internal import Synchronization

/// Measures the ring of Live Photos: the processor time that it adds to a session with a preview at 1920×1080 pixels
/// and 30 frames per second, and the preview frames that are lost to it.
///
/// Two sessions run alternately, with the preview alone and with the ring, which encodes the preview's frames. Their
/// frames come from videotestsrc, which costs the same in both.
enum LivePhotoBenchmark {
    private static let rounds = 9
    private static let warmUp = Duration.seconds(2)
    private static let time = Duration.seconds(5)
    /// The bar: percent of a core.
    private static let most = 15.0
    /// The frames per second of a movie, without which the ring has cost too little.
    private static let leastRate = 29.0

    private enum Variant: CaseIterable { case preview, ring }

    /// The load of a session, the frames that its preview has lost, and those per second in a movie of the ring.
    private struct Result {
        var load: Double
        var lost: Int
        var rate: Double?
    }

    /// Prints the cost and the lost frames; returns the exit code, 1 if a bar is missed.
    static func run() async throws -> Int32 {
        try ShownFrames.register()
        var results: [Variant: [Result]] = [:]
        for _ in 0..<rounds {
            for variant in Variant.allCases { results[variant, default: []].append(try await measure(variant)) }
        }
        func median(_ loads: [Double]) -> Double { loads.isEmpty ? 0 : 100 * loads.sorted()[loads.count / 2] }
        let (alone, both) = ((results[.preview] ?? []).map(\.load), (results[.ring] ?? []).map(\.load))
        func lost(_ variant: Variant) -> Int { (results[variant] ?? []).reduce(0) { $0 + $1.lost } }
        // The machine's speed changes from round to round.
        let ring = median(zip(both, alone).map { $0 - $1 })
        let rate = (results[.ring] ?? []).compactMap(\.rate).min() ?? 0
        print(
            """
            ring of Live Photos at 1920×1080, 30 frames per second, openh264enc
                \(ring.twoPlaces) % of a core for the ring (aim below \(most.twoPlaces)); \
            the session alone has \(median(alone).twoPlaces) %
                preview frames lost: \(lost(.ring)) with the ring, \(lost(.preview)) without; \
            the movies have at least \(rate.twoPlaces) frames per second
            """)
        return ring < most && lost(.ring) <= lost(.preview) && rate > leastRate ? 0 : 1
    }

    private static func measure(_ variant: Variant) async throws -> Result {
        let session = CaptureSession()
        let camera = CaptureDevice(
            uniqueID: "bench", localizedName: "Test pattern",
            source: "videotestsrc is-live=true pattern=ball ! video/x-bayer,format=rggb,width=1920,height=1080"
                + ",framerate=30/1 ! identity")
        try session.add(CaptureDeviceInput(device: camera))
        // The sink takes what is rendered, so that neither preview is converted.
        let sink = "\(ShownFrames.factoryName) ! fakesink"
        try session.add(PreviewOutput(sink: sink, width: 1920, height: 1080))
        let output = PhotoOutput()
        output.processedFormats = [.jpeg]
        output.isLivePhotoCaptureEnabled = variant == .ring
        try session.add(output)
        try await session.startRunning()
        try await Task.sleep(for: warmUp)
        let before = (session.framesSeen, ShownFrames.count, processorTime)
        let start = ContinuousClock.now
        try await Task.sleep(for: time)
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let load = (processorTime - before.2) / wall
        // The newest frames may still be on their way.
        let lost = (session.framesSeen - before.0) - (ShownFrames.count - before.1)
        let rate = variant == .ring ? try await rateOfMovie(output) : nil
        await session.stopRunning()
        return Result(load: load, lost: max(0, lost - 2), rate: rate)
    }

    /// Takes a Live Photo, and returns the frames per second of its movie.
    private static func rateOfMovie(_ output: PhotoOutput) async throws -> Double {
        var settings = PhotoSettings(processed: [.jpeg])
        settings.livePhotoFormat = .pair
        settings.frames = 1
        for await event in try output.capturePhoto(with: settings).events {
            if case .livePhotoMovie(let movie) = event {
                return Double(movie.frameCount) / (movie.duration / .seconds(1))
            }
        }
        return 0
    }

    private static var processorTime: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// An element that counts the frames of a preview.
private final class ShownFrames: TransformBehaviour {
    static let factoryName = "gscapbenchcount"
    private static let frames = Atomic(0)

    /// The number of frames so far.
    static var count: Int { frames.load(ordering: .relaxed) }

    static let elementClass = ElementClass(
        factoryName: factoryName, typeName: "GscapBenchCount", longName: "Frame counter",
        classification: "Filter/Video", summary: "Counts frames", author: "gscap",
        padTemplates: [.sink(caps: "video/x-raw"), .source(caps: "video/x-raw")], properties: [])

    init(element: ElementHandle) {}

    func process(_ frame: consuming Buffer, output: Pad) throws {
        Self.frames.add(1, ordering: .relaxed)
        try output.push(frame)
    }
}
