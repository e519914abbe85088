import Foundation
import GSCapture
import RawImage
import Testing

/// Captures with deferred delivery: a proxy at once, and a job on disk from which the photos are made later.
@Suite(.timeLimit(.minutes(5))) struct DeferredDeliveryTests {
    /// A session with the simulated camera whose output stores jobs in a temporary folder.
    private func session(_ output: PhotoOutput, _ folder: String) throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 320, height: 240, framesPerSecond: 30)))
        output.isProRAWEnabled = true
        output.deferredFolder = folder
        try session.add(output)
        return session
    }

    private func temporaryFolder() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("deferred-\(UUID().uuidString)").path
    }

    private func settings(_ name: String) -> PhotoSettings {
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 4
        settings.isDeferred = true
        settings.deferredName = name
        settings.details.title = "Deferred"
        settings.processedOptions[.jpeg] = ProcessedPhotoOptions(quality: 0.5)
        return settings
    }

    @Test func theProxyComesAtOnceAndTheJobMakesThePhotos() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = PhotoOutput()
        let session = try session(output, folder)
        try await session.startRunning()
        let capture = try output.capturePhoto(with: settings("first"))
        let photos = try await capture.photos
        await session.stopRunning()
        #expect(capture.resolvedSettings.expectedPhotoCount == 2)
        #expect(photos.allSatisfy { $0.error == nil })
        let proxy = try #require(photos.first { $0.format == .proxy })
        #expect(proxy.fileBytes()?.prefix(2) == [0xFF, 0xD8])
        let job = try #require(photos.first { $0.format == .deferred }?.deferredJob)
        #expect(try DeferredJob.all(in: folder) == [job])
        #expect(job.name == "first")

        let finished = try await job.finish()
        #expect(Set(finished.map(\.format)) == [.raw(.proRAW), .processed(.jpeg)])
        #expect(finished.allSatisfy { $0.error == nil })
        for photo in finished {
            #expect(photo.metadata?.fusedFrames == 4)
            #expect(photo.metadata?.details.title == "Deferred")
            #expect(photo.statesCapture(capture.uniqueID))
        }
        try job.remove()
        #expect(try DeferredJob.all(in: folder).isEmpty)
    }

    /// The requested bias is stored with the frames, so that the photo made later is as dark as asked for.
    @Test func theExposureBiasReachesTheDeferredPhotos() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = PhotoOutput()
        let session = try session(output, folder)
        try await session.startRunning()
        var settings = settings("darker")
        settings.exposureBias = -1.5
        let photos = try await output.capturePhoto(with: settings).photos
        await session.stopRunning()
        let job = try #require(photos.first { $0.format == .deferred }?.deferredJob)
        for photo in try await job.finish() { #expect(photo.metadata?.exposureBias == -1.5) }
    }

    /// The fault: the plan of the photos made later had the flash, which no recording has, so the capture failed.
    @Test func aCaptureWithFlashIsDeferred() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = PhotoOutput()
        let session = try session(output, folder)
        try await session.startRunning()
        var settings = settings("flash")
        settings.flashMode = .on
        let photos = try await output.capturePhoto(with: settings).photos
        await session.stopRunning()
        #expect(photos.allSatisfy { $0.error == nil })
        let job = try #require(photos.first { $0.format == .deferred }?.deferredJob)
        for photo in try await job.finish() { #expect(photo.error == nil && photo.metadata?.flashFired == true) }
    }

    /// The fault: the error named a file in the folder of an incomplete job. A file is in the way of the jobs' folder.
    @Test func aJobThatCannotBeStoredLeavesTheProxy() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "".write(toFile: folder, atomically: true, encoding: .utf8)
        let output = PhotoOutput()
        let session = try session(output, folder)
        try await session.startRunning()
        let photos = try await output.capturePhoto(with: settings("first")).photos
        await session.stopRunning()
        #expect(photos.first { $0.format == .proxy }?.fileBytes()?.prefix(2) == [0xFF, 0xD8])
        let lost = try #require(photos.first { $0.format == .deferred })
        #expect(lost.deferredJob == nil && lost.error?.code == .cannotWrite)
        let text = lost.error?.description ?? ""
        let reason = "a file is in the place of the folder; choose another folder"
        #expect(text == "\(folder): the frames of first cannot be stored: \(reason)")
    }

    /// A folder of that name that is no job is not replaced.
    @Test func aJobOfAnotherNameIsAdvised() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/first/inside", withIntermediateDirectories: true)
        let output = PhotoOutput()
        let session = try session(output, folder)
        try await session.startRunning()
        let photos = try await output.capturePhoto(with: settings("first")).photos
        await session.stopRunning()
        let error = photos.first { $0.format == .deferred }?.error
        #expect(error?.message.contains("choose another name") == true, "\(error?.description ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["first"])
    }

    @Test func aCancelledCaptureLeavesNoJob() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = PhotoOutput()
        let session = try session(output, folder)
        try await session.startRunning()
        for index in 0..<5 {
            let capture = try output.capturePhoto(with: settings("job-\(index)"))
            capture.cancel()
            for await _ in capture.events {}
        }
        await session.stopRunning()
        // A job that was complete before the cancellation stays; none is left incomplete.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #expect(names.allSatisfy { !$0.hasSuffix(".partial") })
    }

    @Test func jobsOfProcessesThatNoLongerRunAreRemoved() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // No process has the greatest number.
        for name in ["dead.4194304.partial", "alive.\(ProcessInfo.processInfo.processIdentifier).partial"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        #expect(try DeferredJob.all(in: folder).isEmpty)
        try DeferredJob.removeAbandoned(in: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test func deferredDeliveryNeedsAFolder() async throws {
        let output = PhotoOutput()
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 64, height: 48, framesPerSecond: 30)))
        try session.add(output)
        try await session.startRunning()
        let error = #expect(throws: CaptureError.self) {
            try output.capturePhoto(with: settings("none"))
        }
        #expect(error?.code == .deferredDeliveryNotEnabled)
        await session.stopRunning()
    }
}
