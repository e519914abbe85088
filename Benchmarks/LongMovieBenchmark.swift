internal import GSCapture

/// A movie of an hour in minutes, with a photo every ten seconds of it: the camera's frames carry the times of their
/// frame rate but come as fast as they are rendered and encoded. The movie has each frame, at its time; the memory
/// grows by less than 1 % in its second half; and each photo ends once, with all its files.
enum LongMovieBenchmark {
    private static let framesPerSecond = 10
    /// The time from frame to frame in microseconds. Sixty frames may wait for the encoder, .36 s here.
    private static let pace = 6000
    /// The seconds of the movie of which the least memory counts, because what the allocator keeps for the next photo
    /// varies by 3 %. It settles in the first half: half an hour of the movie is two minutes of the run.
    private static let window = 600

    /// Records a movie of some seconds to a path, prints the results, and returns the exit status: 0 if all bars are
    /// met. The memory of a movie of less than half an hour is not judged.
    static func run(seconds: Int, path: String) async throws -> Int32 {
        let format = CaptureDevice.Format(
            width: 160, height: 120, maxFrameRate: Double(framesPerSecond),
            mediaCaps: "video/x-bayer,format=rggb,width=160,height=120,framerate=\(framesPerSecond)/1")
        let camera = CaptureDevice(
            uniqueID: "long", localizedName: "Long", source: "videotestsrc name=camera ! identity sleep-time=\(pace)",
            formats: [format], activeFormat: format)
        // It counts as live, though it is not: a session uses every frame of a recording, which thus waits for presses.
        let (session, output, movies) = (CaptureSession(), PhotoOutput(), MovieOutput())
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(output)
        try session.add(movies)
        try await session.startRunning()
        var settings = MovieSettings()
        settings.maxDuration = .seconds(seconds)
        settings.replacesFiles = true
        let start = ContinuousClock.now
        let recording = try movies.startRecording(to: path, settings: settings)
        let tally = CaptureTally()
        // The times in the movie, and the memory then.
        var samples: [(second: Int, memory: Double)] = []
        var next = 10
        while movies.isRecording {
            try await Task.sleep(for: .milliseconds(5))
            let second = Int(recording.duration.components.seconds)
            guard second >= next, second < seconds else { continue }
            next = second + 10
            samples.append((second, ResidentMemory.mebibytes))
            let title = "second \(second)"
            try tally.press(output, photo(title), title: title)
        }
        let result = await recording.result
        let time = ContinuousClock.now - start
        let hasEnded = try await tally.waitForAll()
        await session.stopRunning()
        let isWhole = report(result, seconds, time)
        let isFlat = report(samples, seconds)
        return report(tally, hasEnded) && isWhole && isFlat ? 0 : 1
    }

    /// The settings of a photo. The frames' times are ahead of the clock, so the press's own moment is none of theirs.
    private static func photo(_ title: String) -> PhotoSettings {
        var settings = PhotoSettings(raw: [.bayer], processed: [.jpeg])
        settings.momentTolerance = .seconds(1_000_000)
        settings.details.title = title
        return settings
    }

    /// Prints the movie's length and losses; returns whether it has each frame.
    private static func report(_ result: MovieResult, _ seconds: Int, _ time: Duration) -> Bool {
        let frames = result.files.reduce(0) { $0 + $1.frameCount }
        let length = result.duration / .seconds(1)
        print(
            """
            a movie of \(length.onePlace) s in \((time / .seconds(1)).onePlace) s: \(frames) frames of \
            \(seconds * framesPerSecond), \(result.lostFrames) lost
            """)
        if let error = result.error { print("    the movie failed: \(error)") }
        let hasLength = abs(length - Double(seconds)) < 1 / Double(framesPerSecond)
        return result.error == nil && result.lostFrames == 0 && frames == seconds * framesPerSecond && hasLength
    }

    private static func report(_ samples: [(second: Int, memory: Double)], _ seconds: Int) -> Bool {
        guard seconds >= 3 * window else { return true }
        let middle = seconds / 2
        let before = least(samples.filter { $0.second <= middle && $0.second > middle - window })
        let after = least(samples.filter { $0.second > seconds - window })
        let growth = before > 0 ? 100 * (after / before - 1) : .infinity
        print(
            """
                resident memory \(before.twoPlaces) MiB before the middle, \(after.twoPlaces) MiB at the end: growth \
            \(growth.twoPlaces) % (bar 1)
            """)
        return growth < 1
    }

    private static func report(_ tally: CaptureTally, _ hasEnded: Bool) -> Bool {
        let counts = tally.counts
        print(
            """
                photos meanwhile: \(counts.pressed) pressed, \(counts.succeeded) succeeded, \(counts.refused) refused, \
            \(counts.failed) failed, \(counts.incomplete) incomplete, \(counts.mixed) mixed
            """)
        if counts.failed > 0 { print("    the first failure: \(tally.firstError)") }
        return hasEnded && counts.pressed > 0 && counts.succeeded == counts.pressed && counts.mixed == 0
    }

    private static func least(_ samples: [(second: Int, memory: Double)]) -> Double {
        samples.map(\.memory).min() ?? 0
    }
}
