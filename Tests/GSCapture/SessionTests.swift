import DNG
import FrameStream
import GSCapture
import GStreamer
import GscapElements
import RawImage
import Synchronization
import TestClocks
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct SessionTests {
    private func session(_ output: PhotoOutput, width: Int = 320, height: Int = 240) throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: width, height: height, framesPerSecond: 30)))
        try session.add(output)
        return session
    }

    /// Returns the names of the events in order.
    private func names(_ events: AsyncStream<CaptureEvent>) async -> [String] {
        var names: [String] = []
        for await event in events {
            switch event {
            case .willBegin: names.append("willBegin")
            case .willCapture: names.append("willCapture")
            case .didCapture: names.append("didCapture")
            case .photo(let photo): names.append("photo \(photo.format.name)" + (photo.error == nil ? "" : " failed"))
            case .didRecordLivePhotoMovie: names.append("didRecordLivePhotoMovie")
            case .livePhotoMovie(let movie): names.append("movie" + (movie.error == nil ? "" : " failed"))
            case .finished(_, let error): names.append("finished" + (error == nil ? "" : " with error"))
            }
        }
        return names
    }

    @Test func eventsComeInOrderOncePerFormat() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        #expect(session.isRunning)
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 3
        let received = await names(try output.capturePhoto(with: settings).events)
        #expect(Array(received.prefix(3)) == ["willBegin", "willCapture", "didCapture"])
        #expect(Set(received.dropFirst(3).dropLast()) == ["photo proRAW", "photo jpeg"])
        #expect(received.count == 6)
        #expect(received.last == "finished")
        await session.stopRunning()
        #expect(!session.isRunning)
    }

    @Test func photosHaveTheResolvedSettings() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 4
        let photos = try await output.capturePhoto(with: settings).photos
        #expect(photos.count == 2)
        for photo in photos {
            #expect(photo.resolvedSettings.uniqueID == settings.uniqueID)
            #expect(photo.resolvedSettings.expectedPhotoCount == 2)
            #expect(photo.metadata?.fusedFrames == 4)
            #expect(photo.metadata?.capture?.id == settings.uniqueID)
        }
        let raw = try #require(photos.first { $0.isRAWPhoto }?.fileBytes())
        let file = try DNGFile(bytes: raw)
        #expect(file.main?.width == 320)
        #expect(file.main?.kind == .linear)
        let jpeg = try #require(photos.first { !$0.isRAWPhoto }?.fileBytes())
        #expect(Array(jpeg.prefix(3)) == [0xFF, 0xD8, 0xFF])
        await session.stopRunning()
    }

    /// A session delivers every processed format as a file of that format with the metadata of the shot.
    @Test func everyProcessedFormatIsDelivered() async throws {
        let output = PhotoOutput()
        #expect(output.availableProcessedFormats == Set(ProcessedPhotoFormat.allCases))
        output.processedFormats = Set(ProcessedPhotoFormat.allCases)
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(processed: Set(ProcessedPhotoFormat.allCases))
        settings.frames = 2
        let photos = try await output.capturePhoto(with: settings).photos
        #expect(Set(photos.map(\.format)) == Set(ProcessedPhotoFormat.allCases.map(PhotoFormat.processed)))
        let starts: [String: [UInt8]] = [
            "jpg": [0xFF, 0xD8], "png": [0x89, 0x50], "webp": Array("RIFF".utf8), "tif": [0x49, 0x49],
            "heic": [0, 0, 0], "avif": [0, 0, 0], "jxl": [0, 0, 0, 12], "exr": [0x76, 0x2F],
        ]
        for photo in photos {
            let file = try #require(photo.fileBytes())
            let start = try #require(starts[photo.format.fileExtension])
            #expect(file.starts(with: start), "\(photo.format.name)")
            #expect(photo.pixelSize?.width == 320, "\(photo.format.name)")
            let hasSoftware = String(decoding: file, as: UTF8.self).contains("gscap 0")
            #expect(hasSoftware, "\(photo.format.name)")
            // PQ and HLG files have an nclx colour box with the BT.2020 primaries (9) and the transfer characteristics.
            let nclx = Array("colrnclx".utf8) + [0, 9, 0]
            for (range, transfer) in [("pq", UInt8(16)), ("hlg", 18)] where photo.format.name.hasSuffix(range) {
                let hasBox = file.indices.contains { file[$0...].starts(with: nclx + [transfer]) }
                #expect(hasBox, "\(photo.format.name)")
            }
        }
        await session.stopRunning()
    }

    /// The format of a branch is recognized by the encoder, its bit depth and the colorimetry in the text.
    @Test func formatsAreRecognizedInPipelineTexts() throws {
        for format in ProcessedPhotoFormat.allCases {
            let plan = try PipelinePlan(
                device: .simulated(width: 320, height: 240), preview: nil, settings: PhotoSettings(processed: [format]))
            #expect(plan.branches.map(\.format) == [.processed(format)])
            #expect(try PipelinePlan(reading: plan.text).branches.map(\.format) == [.processed(format)])
        }
    }

    @Test func bayerIsOneFrame() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        #expect(output.availableProcessedFormats == [.jpeg])
        let photos = try await output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos
        #expect(photos.map(\.format) == [.raw(.bayer)])
        #expect(photos.first?.metadata?.fusedFrames == 1)
        await session.stopRunning()
    }

    @Test func concurrentCapturesDoNotMix() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        try await withThrowingTaskGroup(of: (UInt64, [Photo]).self) { group in
            for _ in 0..<4 {
                let settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
                group.addTask { (settings.uniqueID, try await output.capturePhoto(with: settings).photos) }
            }
            for try await (id, photos) in group {
                #expect(photos.count == 2)
                #expect(photos.allSatisfy { $0.resolvedSettings.uniqueID == id && $0.metadata?.capture?.id == id })
            }
        }
        await session.stopRunning()
    }

    /// Two overlapping captures: each photo is fused from exactly the frames of its capture, compared by the digests
    /// of the frames that enter the fusion.
    @Test func eachCaptureIsOfItsOwnFrames() async throws {
        let plan = try PipelinePlan(
            device: .simulated(width: 320, height: 240, framesPerSecond: 30), preview: nil,
            settings: PhotoSettings(raw: [.proRAW], processed: [.jpeg]))
        let pipeline = try Pipeline(parsing: plan.launchText)
        let frames = Mutex<[UInt64: [String]]>([:])
        let entrance = try #require(pipeline.element(named: "fusion")?.pad("sink"))
        _ = entrance.addBufferProbe { buffer in
            if let metadata = buffer.frameMetadata, let id = metadata.capture?.id {
                frames.withLock { $0[id, default: []] += metadata.sensorDigests }
            }
            return .pass
        }
        let ends = try plan.branches.map { try #require(pipeline.element(named: $0.name).flatMap(AppSink.init)) }
        try pipeline.setState(.playing)
        let shutter = try #require(pipeline.element(named: "shutter"))
        for id: UInt64 in [71, 72] { _ = try shutter.emit("capture", Structure("capture", ["id": .uint64(id)])) }
        for end in ends {
            var seen: [UInt64] = []
            while seen.count < 2, let photo = end.nextSample(timeout: .seconds(30))?.buffer {
                guard let metadata = photo.frameMetadata else { break }
                let id = try #require(metadata.capture?.id)
                seen.append(id)
                let digests = frames.withLock { $0[id] ?? [] }
                #expect(digests.count == 8)
                #expect(Set(digests).count == 8)
                #expect(Set(metadata.sensorDigests) == Set(digests))
                #expect(metadata.fusion?.usedFrames == 8)
                let size = photo.size
                #expect(size > 1000)
            }
            #expect(seen == [71, 72])
        }
        try pipeline.setState(.null)
    }

    @Test func photosContainTheFusionReport() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        var events = session.events.makeAsyncIterator()
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.photoQualityPrioritization = .quality
        let photos = try await output.capturePhoto(with: settings).photos
        #expect(photos.count == 2)
        let reports = photos.compactMap { $0.metadata?.fusion }
        #expect(reports.count == 2)
        #expect(reports.allSatisfy { $0.frames.count == 12 && $0.seconds(of: "alignment") > 0 })
        // The DNG file contains the same report.
        let raw = try #require(photos.first { $0.isRAWPhoto }?.fileBytes())
        let stored = try #require(try DNGFile(bytes: raw).metadata.fusion)
        #expect(stored.frames.map(\.rejection) == reports[0].frames.map(\.rejection))
        #expect(stored.reference == reports[0].reference)
        // The report comes before the photos.
        var fused: FusionReport?
        while fused == nil, let event = await events.next() {
            if case .progress(.fused(settings.uniqueID, let report)) = event { fused = report }
        }
        #expect(fused == reports[0])
        await session.stopRunning()
    }

    @Test(arguments: [(PhotoQualityPrioritization.speed, 4), (.balanced, 8), (.quality, 12)])
    func qualityIsFramesAndMode(quality: PhotoQualityPrioritization, frames: Int) async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        output.processedFormats = []
        let session = try session(output, width: 160, height: 120)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW])
        settings.photoQualityPrioritization = quality
        #expect(try await output.capturePhoto(with: settings).photos.first?.metadata?.fusion?.frames.count == frames)
        // The capture request sets the fusion mode; `speed` merges four frames even if the request has more.
        var more = PhotoSettings(from: settings)
        more.frames = 6
        let report = try #require(try await output.capturePhoto(with: more).photos.first?.metadata?.fusion)
        #expect(report.frames.contains { $0.rejection?.contains("speed") == true } == (quality == .speed))
        await session.stopRunning()
    }

    @Test func settingsServeOnce() async throws {
        let output = PhotoOutput()
        let session = try session(output)
        try await session.startRunning()
        let settings = PhotoSettings(raw: [.bayer])
        _ = try await output.capturePhoto(with: settings).photos
        let again = #expect(throws: CaptureError.self) { try output.capturePhoto(with: settings).events }
        #expect(again?.code == .settingsReused)
        let proRAW = #expect(throws: CaptureError.self) {
            try output.capturePhoto(with: PhotoSettings(raw: [.proRAW])).events
        }
        #expect(proRAW?.code == .proRAWNotEnabled)
        await session.stopRunning()
    }

    @Test func stoppingAbortsCaptures() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output, width: 1920, height: 1440)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 64
        let events = try output.capturePhoto(with: settings).events
        await session.stopRunning()
        let received = await names(events)
        #expect(received.first == "willBegin")
        #expect(received.last == "finished with error")
        #expect(received.filter { $0.hasSuffix("failed") }.count == 2)
        #expect(received.filter { $0.hasPrefix("finished") }.count == 1)
    }

    @Test func theDelegateReceivesTheSameEvents() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        let (done, finish) = AsyncStream<Void>.makeStream()
        let listener = Listener(finish)
        try output.capturePhoto(with: PhotoSettings(raw: [.proRAW], processed: [.jpeg]), delegate: listener)
        for await _ in done { break }
        let received = listener.received
        #expect(Array(received.prefix(3)) == ["willBegin", "willCapture", "didCapture"])
        #expect(received.count == 6)
        #expect(received.last == "finished")
        await session.stopRunning()
    }

    @Test func aSessionStartsAgain() async throws {
        let output = PhotoOutput()
        let session = try session(output)
        for _ in 0..<3 {
            try await session.startRunning()
            _ = try await output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos
            await session.stopRunning()
        }
    }
}

/// A delegate that records the names of its calls.
private final class Listener: PhotoCaptureDelegate {
    private let names = Mutex<[String]>([])
    private let finish: AsyncStream<Void>.Continuation

    init(_ finish: AsyncStream<Void>.Continuation) { self.finish = finish }

    var received: [String] { names.withLock { $0 } }

    private func log(_ name: String) { names.withLock { $0.append(name) } }

    func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) { log("willBegin") }
    func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) { log("willCapture") }
    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) { log("didCapture") }
    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) {
        log("photo")
    }
    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {
        log("finished")
        finish.yield()
    }
}
