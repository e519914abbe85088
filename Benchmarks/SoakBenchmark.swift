internal import GSCapture
internal import Glibc

/// A capture a second for an hour: each ends once, and the memory after five minutes grows by less than 1 %. A movie
/// may be recorded meanwhile: it has no gap, and the photos keep the limits of their lag.
enum SoakBenchmark {
    /// The seconds after which the memory is steady.
    private static let warmUp = 300
    /// The seconds over which the median of the memory is taken.
    private static let window = 60

    /// Runs for some seconds, prints the results, and returns the exit status: 0 if all bars are met. A run of less
    /// than ten minutes compares its second half with its first. `movie` is the path of the movie; nil records none.
    static func run(seconds: Int, movie: String?) async throws -> Int32 {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = CaptureSession()
        let camera = CaptureDevice.simulated(width: 1280, height: 960, framesPerSecond: 10)
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(PreviewOutput(sink: "fakesink", width: 640, height: 480))
        try session.add(output)
        let movies = movie.map { _ in MovieOutput() }
        if let movies { try session.add(movies) }
        try await session.startRunning()
        let recording = try movie.flatMap { try movies?.startRecording(to: $0) }
        let tally = CaptureTally()
        var memory: [Double] = []
        let start = ContinuousClock.now
        for second in 0..<max(2, seconds) {
            try await Task.sleep(until: start + .seconds(second + 1))
            // Before the press, when the last capture is usually over.
            memory.append(ResidentMemory.mebibytes)
            let title = "capture \(second)"
            var settings = settings(second, title)
            if movie == nil { settings.momentTolerance = .seconds(60) }
            try tally.press(output, settings, title: title)
            if second % 300 == 299 {
                print("    \(second + 1) s: \(median(memory.suffix(window)).twoPlaces) MiB")
                fflush(nil)
            }
        }
        let hasEnded = try await tally.waitForAll()
        recording?.stop()
        let isWhole = await report(recording)
        await session.stopRunning()
        return max(report(tally, memory, hasEnded), isWhole ? 0 : 1)
    }

    /// Prints the movie's length and losses; returns whether it has all frames.
    private static func report(_ recording: MovieRecording?) async -> Bool {
        guard let recording else { return true }
        let result = await recording.result
        let frames = result.files.reduce(0) { $0 + $1.frameCount }
        let seconds = Double(result.duration.components.seconds)
        print("a movie of \(seconds.onePlace) s: \(frames) frames, \(result.lostFrames) lost")
        if let error = result.error { print("    the movie failed: \(error)") }
        return result.error == nil && result.lostFrames == 0 && frames > 0
    }

    /// The settings of a capture: in turn each kind of photo.
    private static func settings(_ number: Int, _ title: String) -> PhotoSettings {
        var settings =
            switch number % 4 {
            case 0: PhotoSettings(raw: [.bayer], processed: [.jpeg])
            case 1: PhotoSettings(raw: [.proRAW], processed: [.jpeg])
            default: PhotoSettings(processed: [.jpeg])
            }
        if number % 4 != 1 { settings.frames = 2 }
        if number % 4 == 3 { settings.bracket = [.bias(0), .bias(1)] }
        settings.details.title = title
        return settings
    }

    private static func report(_ tally: CaptureTally, _ memory: [Double], _ hasEnded: Bool) -> Int32 {
        let first = min(warmUp, memory.count / 2)
        let width = max(1, min(window, first))
        let (before, after) = (median(memory[(first - width)..<first]), median(memory.suffix(width)))
        let growth = before > 0 ? 100 * (after / before - 1) : .infinity
        let counts = tally.counts
        print(
            """
            a capture a second: \(counts.pressed) pressed, \(counts.succeeded) succeeded, \(counts.refused) refused, \
            \(counts.failed) failed, \(counts.incomplete) incomplete, \(counts.mixed) mixed
                resident memory \(before.twoPlaces) MiB after \(first) s, \(after.twoPlaces) MiB after \
            \(memory.count) s: growth \(growth.twoPlaces) % (bar 1)
            """)
        if counts.failed > 0 { print("    the first failure: \(tally.firstError)") }
        let isComplete = hasEnded && counts.failed + counts.incomplete + counts.mixed == 0
        return isComplete && growth < 1 ? 0 : 1
    }

    private static func median(_ values: ArraySlice<Double>) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}
