internal import GSCapture
internal import GStreamer
internal import Synchronization

/// Prints the times from the press to the bytes of a JPEG of one frame in milliseconds, one a line, for
/// Benchmarks/embedding.py, which compares them with those of the C library.
enum EmbeddedPressBenchmark {
    static func run(presses: Int, width: Int, height: Int) async throws {
        try PreparedCamera.register()
        let frames = try PreparedFrames(count: 8, width: width, height: height, through: "rawunpack")
        PreparedCamera.frames.withLock { $0 = frames }
        var camera = CaptureDevice.simulated()
        camera.source = "benchmarkcamera name=camera"
        camera.activeFormat = nil
        let session = CaptureSession(
            plan: try PipelinePlan(device: camera, preview: nil, formats: [.processed(.jpeg)]))
        let output = PhotoOutput()
        try session.add(output)
        try await session.startRunning()
        do {
            // After 1.5 s the ring is full. The first press is not measured: it fills the pools.
            try await Task.sleep(for: .milliseconds(1500))
            for index in 0...presses {
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...400)))
                let time = try await press(output)
                if index > 0 { print(time) }
            }
        } catch {
            await session.stopRunning()
            throw error
        }
        await session.stopRunning()
    }

    /// Takes a photo and returns the milliseconds until its bytes were there.
    private static func press(_ output: PhotoOutput) async throws -> Double {
        var settings = PhotoSettings(raw: [], processed: [.jpeg])
        settings.photoQualityPrioritization = .speed
        settings.frames = 1
        let start = ContinuousClock.now
        var time: Double?
        var failure: CaptureError?
        for await event in try output.capturePhoto(with: settings).events {
            switch event {
            case .photo(let photo) where photo.error == nil: time = start.milliseconds(to: .now)
            case .finished(_, let error): failure = error
            default: break
            }
        }
        if let failure { throw failure }
        guard let time else { throw GStreamerError(message: "a capture made no JPEG") }
        return time
    }
}
