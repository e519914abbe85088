import DNG
import GSCapture
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct SessionTests {
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

    /// Every format that settings may ask for comes out of a session, as a file of its own kind, with what the shot was.
    @Test func everyProcessedFormatComes() async throws {
        let output = PhotoOutput()
        output.processedFormats = Set(ProcessedPhotoFormat.allCases)
        let session = session(output)
        try await session.startRunning()
        var settings = PhotoSettings(processed: Set(ProcessedPhotoFormat.allCases))
        settings.frames = 2
        let photos = try await output.photos(for: settings)
        #expect(Set(photos.map(\.format)) == Set(ProcessedPhotoFormat.allCases.map(PhotoFormat.processed)))
        let starts: [String: [UInt8]] = [
            "jpg": [0xFF, 0xD8], "png": [0x89, 0x50], "webp": Array("RIFF".utf8), "tif": [0x49, 0x49],
            "heic": [0, 0, 0], "avif": [0, 0, 0], "jxl": [0, 0, 0, 12], "exr": [0x76, 0x2F],
        ]
        for photo in photos {
            let file = try #require(photo.fileDataRepresentation())
            let start = try #require(starts[photo.format.fileExtension])
            #expect(file.starts(with: start), "\(photo.format.name)")
            #expect(photo.pixelSize?.width == 320, "\(photo.format.name)")
            // GStreamer's encoder tells nothing.
            if photo.format != .processed(.webp) {
                let told = String(decoding: file, as: UTF8.self).contains("gscap 0")
                #expect(told, "\(photo.format.name)")
            }
            // In PQ and HLG files the colours of BT.2020 stand with their transfer.
            let nclx = Array("colrnclx".utf8) + [0, 9, 0]
            for (range, transfer) in [("pq", UInt8(16)), ("hlg", 18)] where photo.format.name.hasSuffix(range) {
                let isTold = file.indices.contains { file[$0...].starts(with: nclx + [transfer]) }
                #expect(isTold, "\(photo.format.name)")
            }
        }
        await session.stopRunning()
    }

    /// What a text's encoders make is told by their names, bits and colours.
    @Test func textsAreReadAsTheFormatsTheyMake() throws {
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

    /// Two presses, one after the other, while nothing of the first is done: each photo is of its own frames, all of
    /// them, as the frames on their way into the fusion tell.
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
                let own = frames.withLock { $0[id] ?? [] }
                #expect(own.count == 8)
                #expect(Set(own).count == 8)
                #expect(Set(metadata.sensorDigests) == Set(own))
                #expect(metadata.fusion?.usedFrames == 8)
                let size = photo.size
                #expect(size > 1000)
            }
            #expect(seen == [71, 72])
        }
        try pipeline.setState(.null)
    }

    @Test func photosBringTheReceiptOfTheirFusion() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = session(output)
        try await session.startRunning()
        let events = session.events
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.photoQualityPrioritization = .quality
        let photos = try await output.photos(for: settings)
        #expect(photos.count == 2)
        let reports = photos.compactMap { $0.metadata?.fusion }
        #expect(reports.count == 2)
        #expect(reports.allSatisfy { $0.frames.count == 12 && $0.seconds(of: "alignment") > 0 })
        // Its file tells the same.
        let raw = try #require(photos.first { $0.isRAWPhoto }?.fileDataRepresentation())
        let told = try #require(try DNGFile(bytes: raw).metadata.fusion)
        #expect(told.frames.map(\.rejection) == reports[0].frames.map(\.rejection))
        #expect(told.reference == reports[0].reference)
        await session.stopRunning()
        var fused: [FusionReport] = []
        for await event in events {
            if case .progress(.fused(settings.uniqueID, let report)) = event { fused.append(report) }
        }
        #expect(fused == [reports[0]])
    }

    @Test(arguments: [(PhotoQualityPrioritization.speed, 4), (.balanced, 8), (.quality, 12)])
    func qualityIsFramesAndMode(quality: PhotoQualityPrioritization, frames: Int) async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        output.processedFormats = []
        let session = session(output, width: 160, height: 120)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW])
        settings.photoQualityPrioritization = quality
        #expect(try await output.photos(for: settings).first?.metadata?.fusion?.frames.count == frames)
        // The mode comes with the capture: speed leaves frames out that were asked for beside it.
        var more = PhotoSettings(from: settings)
        more.frames = 6
        let report = try #require(try await output.photos(for: more).first?.metadata?.fusion)
        #expect(report.frames.contains { $0.rejection?.contains("speed") == true } == (quality == .speed))
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
