import DNG
import GSCapture
import RawImage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3)), .serialized) struct SessionTests {
    private func session(_ output: PhotoOutput, width: Int = 320, height: Int = 240) -> CaptureSession {
        let session = CaptureSession()
        session.add(CaptureDeviceInput(device: .simulated(width: width, height: height, framesPerSecond: 30)))
        session.add(output)
        return session
    }

    /// The words for what happened, in order.
    private func names(_ events: AsyncStream<CaptureEvent>) async -> [String] {
        var names: [String] = []
        for await event in events {
            switch event {
            case .willBegin: names.append("willBegin")
            case .willCapture: names.append("willCapture")
            case .didCapture: names.append("didCapture")
            case .photo(let photo): names.append("photo \(photo.format.name)" + (photo.error == nil ? "" : " failed"))
            case .finished(_, let error): names.append("finished" + (error == nil ? "" : " with error"))
            }
        }
        return names
    }

    @Test func eventsComeInOrderOncePerFormat() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output)
        try await session.startRunning()
        #expect(session.isRunning)
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 3
        let heard = await names(try output.events(for: settings))
        #expect(Array(heard.prefix(3)) == ["willBegin", "willCapture", "didCapture"])
        #expect(Set(heard.dropFirst(3).dropLast()) == ["photo proRAW", "photo jpeg"])
        #expect(heard.count == 6)
        #expect(heard.last == "finished")
        await session.stopRunning()
        #expect(!session.isRunning)
    }

    @Test func photosHoldWhatTheyPromise() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 4
        let photos = try await output.photos(for: settings)
        #expect(photos.count == 2)
        for photo in photos {
            #expect(photo.resolvedSettings.uniqueID == settings.uniqueID)
            #expect(photo.resolvedSettings.expectedPhotoCount == 2)
            #expect(photo.metadata?.fusedFrames == 4)
            #expect(photo.metadata?.capture?.id == settings.uniqueID)
        }
        let raw = try #require(photos.first { $0.isRAWPhoto }?.fileDataRepresentation())
        let file = try DNGFile(bytes: raw)
        #expect(file.main?.width == 320)
        #expect(file.main?.kind == .linear)
        let jpeg = try #require(photos.first { !$0.isRAWPhoto }?.fileDataRepresentation())
        #expect(Array(jpeg.prefix(3)) == [0xFF, 0xD8, 0xFF])
        await session.stopRunning()
    }

    @Test func bayerIsOneFrame() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output)
        try await session.startRunning()
        let photos = try await output.photos(for: PhotoSettings(raw: [.bayer]))
        #expect(photos.map(\.format) == [.raw(.bayer)])
        #expect(photos.first?.metadata?.fusedFrames == 1)
        await session.stopRunning()
    }

    @Test func capturesInFlightDoNotMix() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output)
        try await session.startRunning()
        try await withThrowingTaskGroup(of: (UInt64, [Photo]).self) { group in
            for _ in 0..<4 {
                let settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
                group.addTask { (settings.uniqueID, try await output.photos(for: settings)) }
            }
            for try await (id, photos) in group {
                #expect(photos.count == 2)
                #expect(photos.allSatisfy { $0.resolvedSettings.uniqueID == id && $0.metadata?.capture?.id == id })
            }
        }
        await session.stopRunning()
    }

    @Test func settingsServeOnce() async throws {
        let output = PhotoOutput()
        let session = session(output)
        try await session.startRunning()
        let settings = PhotoSettings(raw: [.bayer])
        _ = try await output.photos(for: settings)
        let again = #expect(throws: CaptureError.self) { try output.events(for: settings) }
        #expect(again?.code == .settingsReused)
        let proRAW = #expect(throws: CaptureError.self) { try output.events(for: PhotoSettings(raw: [.proRAW])) }
        #expect(proRAW?.code == .formatNotAvailable)
        await session.stopRunning()
    }

    @Test func stoppingEndsWhatIsUnderWay() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output, width: 1920, height: 1440)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 64
        let events = try output.events(for: settings)
        await session.stopRunning()
        let heard = await names(events)
        #expect(heard.first == "willBegin")
        #expect(heard.last == "finished with error")
        #expect(heard.filter { $0.hasSuffix("failed") }.count == 2)
        #expect(heard.filter { $0.hasPrefix("finished") }.count == 1)
    }

    @Test func theDelegateHearsTheSame() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output)
        try await session.startRunning()
        let (done, finish) = AsyncStream<Void>.makeStream()
        let listener = Listener(finish)
        try output.capturePhoto(with: PhotoSettings(raw: [.proRAW], processed: [.jpeg]), delegate: listener)
        for await _ in done { break }
        let heard = listener.heard
        #expect(Array(heard.prefix(3)) == ["willBegin", "willCapture", "didCapture"])
        #expect(heard.count == 6)
        #expect(heard.last == "finished")
        await session.stopRunning()
    }

    @Test func aSessionStartsAgain() async throws {
        let output = PhotoOutput()
        let session = session(output)
        for _ in 0..<3 {
            try await session.startRunning()
            _ = try await output.photos(for: PhotoSettings(raw: [.bayer]))
            await session.stopRunning()
        }
    }
}

/// Remembers what it is told.
private final class Listener: PhotoCaptureDelegate {
    private let told = Mutex<[String]>([])
    private let finish: AsyncStream<Void>.Continuation

    init(_ finish: AsyncStream<Void>.Continuation) { self.finish = finish }

    var heard: [String] { told.withLock { $0 } }

    private func hear(_ word: String) { told.withLock { $0.append(word) } }

    func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) { hear("willBegin") }
    func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) { hear("willCapture") }
    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) { hear("didCapture") }
    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) {
        hear("photo")
    }
    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {
        hear("finished")
        finish.yield()
    }
}
