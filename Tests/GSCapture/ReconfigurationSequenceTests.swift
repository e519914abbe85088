import GSCapture
import Testing

/// Random sequences of captures and changes of the configuration.
@Suite(.timeLimit(.minutes(10)), .serialized) struct ReconfigurationSequenceTests {
    /// Every capture that is accepted ends once, with all its photos, made or failed; after the sequence the session
    /// takes a photo.
    @Test(arguments: 1...8) func everyCaptureEndsOnce(seed: UInt64) async throws {
        var random = Numbers(seed)
        let (output, frames) = (PhotoOutput(), FrameOutput(format: .rgb(width: 32, height: 24)))
        let session = CaptureSession()
        let camera = CaptureDevice.simulated(width: 64, height: 48, framesPerSecond: 60)
        try session.add(CaptureDeviceInput(device: camera))
        try session.add(output)
        try await session.startRunning()
        var captures: [PhotoCapture] = []
        for _ in 0..<16 {
            switch random.next() % 10 {
            case 0..<4:
                let isProRAW = output.availableRAWFormats.contains(.proRAW)
                var settings = PhotoSettings(raw: isProRAW ? [.proRAW] : [.bayer])
                settings.frames = Int(random.next() % 4) + 1
                do { captures.append(try output.capturePhoto(with: settings)) } catch {
                    let isAllowed = error.code == .sessionNotRunning || error.code == .formatNotAvailable
                    #expect(isAllowed, "seed \(seed): \(error)")
                }
            case 4: output.isProRAWEnabled.toggle()
            case 5:
                session.beginConfiguration()
                session.remove(frames)
                output.processedFormats = random.next() % 2 == 0 ? [.png] : [.jpeg]
                if session.canAdd(frames) { try session.add(frames) }
                try await session.commitConfiguration()
            case 6:
                session.beginConfiguration()
                try session.add(PreviewOutput(sink: "gscap-no-such-sink"))
                session.remove(session.canAdd(frames) ? FrameOutput(format: .raw) : frames)
                if session.isRunning {
                    await #expect(throws: CaptureError.self) { try await session.commitConfiguration() }
                } else {
                    session.remove(PreviewOutput(sink: "gscap-no-such-sink"))
                    try await session.commitConfiguration()
                }
            case 7:
                session.remove(output)
                try session.add(output)
            case 8: await session.stopRunning()
            default: try await session.startRunning()
            }
        }
        try await session.startRunning()
        #expect(session.isRunning, "seed \(seed)")
        let last = try output.capturePhoto(with: PhotoSettings(raw: [.bayer]))
        #expect(try await last.photos.count == 1, "seed \(seed)")
        await session.stopRunning()
        for capture in captures {
            var (photos, finished) = (0, 0)
            for await event in capture.events {
                if case .photo = event { photos += 1 }
                if case .finished = event { finished += 1 }
            }
            #expect(finished == 1, "seed \(seed)")
            #expect(photos == capture.resolvedSettings.expectedPhotoCount, "seed \(seed)")
        }
    }
}

/// A random number generator whose seed gives the same numbers each time.
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 11
    }
}
