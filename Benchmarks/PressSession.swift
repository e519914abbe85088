internal import GSCapture
internal import GStreamer
internal import Glibc

/// A session with the prepared camera, whose presses are measured one after another.
enum PressSession {
    /// Presses the shutter at random instants and returns the times of each press. The first press is not measured: it
    /// fills the pools.
    static func measure(_ measured: PressCase, presses: Int, in folder: String) async throws -> [PressTimes] {
        let session = CaptureSession(plan: try measured.plan())
        let output = PhotoOutput()
        output.isProRAWEnabled = measured.formats.contains(.raw(.proRAW))
        let jobs = folder + "/jobs"
        if measured.formats.contains(.deferred) { output.deferredFolder = jobs }
        defer { unsafe rmdir(jobs) }
        try session.add(output)
        try await session.startRunning()
        var times: [PressTimes] = []
        do {
            // After 1.5 s the ring is full.
            try await Task.sleep(for: .milliseconds(1500))
            for _ in 0...presses {
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...400)))
                times.append(try await press(output, measured, folder))
            }
        } catch {
            await session.stopRunning()
            throw error
        }
        await session.stopRunning()
        return Array(times.dropFirst())
    }

    /// Takes a capture, writes its files, and returns the times.
    private static func press(
        _ output: PhotoOutput, _ measured: PressCase, _ folder: String
    ) async throws -> PressTimes {
        let stages = measured.stages
        var paths: [String] = []
        defer { for path in paths { unsafe unlink(path) } }
        let start = ContinuousClock.now
        let capture = try output.capturePhoto(with: measured.settings())
        var (failure, file): (CaptureError?, Double?)
        for await event in capture.events {
            switch event {
            case .photo(let photo) where photo.deferredJob != nil: try photo.deferredJob?.remove()
            case .photo(let photo) where photo.error == nil:
                let path = "\(folder)/photo.\(photo.format.fileExtension)"
                try photo.write(to: path)
                paths.append(path)
                if photo.format == measured.endsAt { file = start.milliseconds(to: .now) }
            case .finished(_, let error): failure = error
            default: break
            }
        }
        let lastFile = start.milliseconds(to: .now)
        let passed = StageMark.take(capture.uniqueID)
        let marks = passed.mapValues { start.milliseconds(to: $0.upperBound) }
        if let failure { throw failure }
        guard stages.allSatisfy({ marks[$0] != nil }) else {
            throw GStreamerError(message: "a capture passed only the stages \(marks.keys.sorted())")
        }
        let wait = passed["taken"].map { start.milliseconds(to: $0.lowerBound) } ?? 0
        return PressTimes(file: file ?? lastFile, wait: wait, stages: marks)
    }
}
