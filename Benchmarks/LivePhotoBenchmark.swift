internal import GSCapture
internal import Glibc
internal import Synchronization

/// Measures the ring of Live Photos: the processor time that it adds to a session at 1920×1080 pixels and 30 frames
/// per second, and the preview frames that are lost to it.
///
/// Three sessions run alternately: with a preview of 1920×1080 pixels alone, with a second one, and with the ring,
/// whose frames are rendered as those of the second preview are. So the difference of the last two is the cost of the
/// ring: conversion, encoder and memory. The frames come from videotestsrc, which costs the same in all sessions.
enum LivePhotoBenchmark {
    private static let rounds = 3
    private static let warmUp = Duration.seconds(3)
    private static let time = Duration.seconds(8)
    /// The bar: percent of a core.
    private static let most = 15.0
    /// The frames per second of a movie, without which the ring has cost too little.
    private static let leastRate = 29.0

    private enum Variant: CaseIterable { case preview, rendered, ring }

    /// The load of a session, the frames that its preview has lost, and those per second in a movie of the ring.
    private struct Result {
        var load: Double
        var lost: Int
        var rate: Double?
    }

    /// Prints the cost and the lost frames; returns the exit code, 1 if a bar is missed.
    static func run() async throws -> Int32 {
        var results: [Variant: [Result]] = [:]
        for _ in 0..<rounds {
            for variant in Variant.allCases { results[variant, default: []].append(try await measure(variant)) }
        }
        func load(_ variant: Variant) -> Double {
            let loads = (results[variant] ?? []).map(\.load).sorted()
            return loads.isEmpty ? 0 : 100 * loads[loads.count / 2]
        }
        func lost(_ variant: Variant) -> Int { (results[variant] ?? []).reduce(0) { $0 + $1.lost } }
        let ring = load(.ring) - load(.rendered)
        let rate = (results[.ring] ?? []).compactMap(\.rate).min() ?? 0
        print(
            """
            ring of Live Photos at 1920×1080, 30 frames per second, openh264enc
                \(ring.twoPlaces) % of a core for the ring (aim below \(most.twoPlaces)), \
            \((load(.rendered) - load(.preview)).twoPlaces) % for the rendering of its frames; \
            the session alone has \(load(.preview).twoPlaces) %
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
        let preview = FrameOutput(format: .rgb(width: 1920, height: 1080))
        try session.add(preview)
        if variant == .rendered {
            try session.add(PreviewOutput(sink: "fakesink", width: 1920, height: 1080))
        }
        let output = PhotoOutput()
        output.processedFormats = [.jpeg]
        output.isLivePhotoCaptureEnabled = variant == .ring
        try session.add(output)
        let shown = Atomic(0)
        let frames = preview.frames
        let reader = Task { for await _ in frames { shown.add(1, ordering: .relaxed) } }
        try await session.startRunning()
        try await Task.sleep(for: warmUp)
        let before = (session.framesSeen, shown.load(ordering: .relaxed), processorTime)
        let start = ContinuousClock.now
        try await Task.sleep(for: time)
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let load = (processorTime - before.2) / wall
        // The newest frames may still be on their way.
        let lost = (session.framesSeen - before.0) - (shown.load(ordering: .relaxed) - before.1)
        let rate = variant == .ring ? try await rateOfMovie(output) : nil
        await session.stopRunning()
        session.remove(preview)
        await reader.value
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
