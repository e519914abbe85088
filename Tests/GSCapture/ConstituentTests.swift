import Foundation
import GSCapture
import GStreamer
import RawImage
import TestClocks
import Testing

/// Tests of virtual devices: photos of several cameras from one press.
@Suite(.timeLimit(.minutes(10)), .serialized) struct ConstituentTests {
    private static let period = Duration.milliseconds(40)
    private static let both: Set<String> = ["simulated-wide", "simulated-tele"]

    private func device() throws -> CaptureDevice {
        try .simulatedWideAndTele(width: 128, height: 96, framesPerSecond: 25)
    }

    private func session(_ device: CaptureDevice, _ output: PhotoOutput) throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        return session
    }

    private func settings(_ constituents: Set<String> = both) -> PhotoSettings {
        var settings = PhotoSettings(raw: [.bayer])
        settings.constituents = constituents
        return settings
    }

    /// Returns the device with additional properties of its tele camera. With `device=PATH`, the file stands for the
    /// device node: without it, the camera is gone.
    private func device(tele properties: String) throws -> CaptureDevice {
        var constituents = try device().constituents
        constituents[1].device.source += " \(properties)"
        return try CaptureDevice(uniqueID: "changed", localizedName: "Changed", constituents: constituents)
    }

    @Test func onePressGivesPhotosOfEachCamera() async throws {
        let output = PhotoOutput()
        let session = try session(device(), output)
        try await session.startRunning()
        #expect(await session.delivers(9))
        var settings = settings()
        settings.processedFormats = [.jpeg]
        settings.frames = 2
        let capture = try output.capturePhoto(with: settings)
        let photos = try await capture.photos
        #expect(capture.resolvedSettings.expectedPhotoCount == 4)
        #expect(capture.resolvedSettings.constituents == ["simulated-wide", "simulated-tele"])
        #expect(photos.map(\.photoCount) == [1, 2, 3, 4])
        for (name, zoom, right) in [("simulated-wide", 1.0, 0.0), ("simulated-tele", 2.0, 10.0)] {
            let own = photos.filter { $0.sourceDeviceUniqueID == name }
            #expect(Set(own.map(\.format)) == [.raw(.bayer), .processed(.jpeg)])
            for photo in own {
                #expect(photo.error == nil)
                #expect(photo.resolvedSettings.uniqueID == settings.uniqueID)
                #expect(photo.metadata?.capture?.id == settings.uniqueID)
                #expect(photo.statesCapture(settings.uniqueID))
                let calibration = try #require(photo.calibration)
                #expect(calibration.focalLength.x == 96 * zoom && calibration.position.x == right)
                // `instantsAreWithinHalfAPeriod` has the exact limit; a busy camera may leave out a frame.
                #expect(try #require(photo.constituentOffset).magnitude <= Self.period * 2)
            }
        }
        await session.stopRunning()
    }

    /// The device states the true calibrations of the simulated sensors.
    @Test func theSimulatedDeviceHasTheTrueCalibrations() async throws {
        let device = try device()
        #expect(device.virtualDeviceSwitchOverVideoZoomFactors == [2])
        for constituent in device.constituents {
            let output = PhotoOutput()
            let session = try session(constituent.device, output)
            try await session.startRunning()
            let photo = try #require(try await output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos.first)
            #expect(photo.calibration == constituent.calibration)
            await session.stopRunning()
        }
    }

    /// A busy machine makes a simulated camera leave out frames. A photo whose nearest frame is missing is of the next
    /// one.
    @Test func instantsAreWithinHalfAPeriod() async throws {
        let output = PhotoOutput()
        let session = try session(device(), output)
        try await session.startRunning()
        #expect(await session.delivers(9))
        var (near, total) = (0, 0)
        while near < 20, total < 60 {
            await pause(Int.random(in: 0...50))
            let instants = try await output.capturePhoto(with: settings()).photos.compactMap(\.instant)
            try #require(instants.count == 2)
            total += 1
            if (instants[0] - instants[1]).magnitude <= Self.period / 2 { near += 1 }
        }
        await session.stopRunning()
        #expect(near == 20, "of \(total) pairs")
    }

    /// `SimultaneityTests` has the exact limits, which follow the measured periods.
    @Test func photosOfAnotherMomentAreReported() async throws {
        let output = PhotoOutput()
        // The period is the median, so that nearly half of the frames may be missing.
        let session = try session(device(tele: "drop=0.45"), output)
        try await session.startRunning()
        let warning = Task { [events = session.events] () -> String? in
            for await event in events {
                if case .warning(let text) = event, text.contains("half a frame period") { return text }
            }
            return nil
        }
        #expect(await output.becomesReady())
        for _ in 0..<40 { _ = try await output.capturePhoto(with: settings()).photos }
        // The warnings come before the ends of the captures.
        let text = try #require(await result { await warning.value } ?? nil)
        #expect(text.hasPrefix("Simulated Tele Sensor: the photo's instant is "))
        await session.stopRunning()
    }

    /// The fault: each camera's burst had its own sharpest frame as reference, one and a half periods away or less.
    @Test func burstsAreOfOneMoment() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        var constituents = try device().constituents
        for index in 0...1 { constituents[index].device.source += " shake=\(3 + 2 * index) seed=\(index + 5)" }
        let cameras = try CaptureDevice(uniqueID: "shaken", localizedName: "Shaken", constituents: constituents)
        let session = try session(cameras, output)
        try await session.startRunning()
        #expect(await session.delivers(12))
        var settings = PhotoSettings(raw: [.proRAW])
        (settings.frames, settings.constituents) = (4, Self.both)
        // On a busy machine the nearest frame of a camera is missing now and then. With the fault most were farther.
        var (near, total) = (0, 0)
        while near < 8, total < 12 {
            let photos = try await output.capturePhoto(with: PhotoSettings(from: settings)).photos
            let offsets = photos.compactMap(\.constituentOffset?.magnitude)
            try #require(offsets.count == 2)
            total += 1
            if offsets.allSatisfy({ $0 <= Self.period / 2 }) { near += 1 }
            await pause(Int.random(in: 0...50))
        }
        await session.stopRunning()
        #expect(near == 8, "of \(total) bursts")
    }

    /// The fault: a press just after the start got the tele's first frame, a quarter of a second after the wide's.
    @Test func anOutputIsReadyWhenEachCameraHasAFrame() async throws {
        let output = PhotoOutput()
        // The tele delivers its first frames late.
        let session = try session(device(tele: "! identity sleep-time=200000 ! queue leaky=downstream"), output)
        try await session.startRunning()
        let early = try await output.capturePhoto(with: settings()).photos
        for photo in early where photo.error == nil {
            #expect(try #require(photo.constituentOffset).magnitude < .milliseconds(100))
        }
        #expect(await output.becomesReady())
        let photos = try await output.capturePhoto(with: settings()).photos
        #expect(photos.count == 2 && photos.allSatisfy { $0.error == nil || $0.error?.code == .captureFailed })
        await session.stopRunning()
    }

    /// The progress of a capture counts the frames of all cameras.
    @Test func theProgressIsThatOfAllCameras() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(device(), output)
        try await session.startRunning()
        #expect(await output.becomesReady())
        var settings = PhotoSettings(raw: [.proRAW])
        settings.frames = 3
        settings.constituents = Self.both
        let capture = try output.capturePhoto(with: settings)
        let progress = Task {
            var (taken, merged, fused) = ([Int](), [Int](), 0)
            for await step in capture.progress {
                #expect(step.id == settings.uniqueID)
                switch step {
                case .frames(_, let count, let total):
                    taken.append(count)
                    #expect(total == 6)
                case .fusing(_, let count, _): merged.append(count)
                case .fused: fused += 1
                }
            }
            return (taken, merged, fused)
        }
        #expect(try await capture.photos.count == 2)
        let (taken, merged, fused) = await progress.value
        #expect(taken.last == 6 && taken == taken.sorted(), "\(taken)")
        #expect(merged.last == 6 && fused == 2, "\(merged), \(fused)")
        await session.stopRunning()
    }

    @Test func eachRuleHasItsError() throws {
        let output = PhotoOutput()
        let session = try session(device(), output)
        func code(_ change: (inout PhotoSettings) -> Void) -> CaptureError.Code? {
            var settings = settings()
            change(&settings)
            do throws(CaptureError) { try output.validate(settings) } catch { return error.code }
            return nil
        }
        #expect(code { _ in } == nil)
        #expect(code { $0.constituents = ["other"] } == .constituentUnknown)
        #expect(code { $0.constituents = [] } == .bayerRAWOnVirtualDevice)
        #expect(code { $0.bracket = [.bias(-1), .bias(1)] } == .constituentsWithExposure)
        #expect(code { $0.iso = 200 } == .constituentsWithExposure)
        #expect(code { $0.exposureBias = 1 } == .constituentsWithExposure)
        #expect(code { $0.flashMode = .on } == .constituentsWithExposure)
        #expect(
            code { ($0.rawFormats, $0.processedFormats, $0.livePhotoFormat) = ([], [.jpeg], .pair) }
                == .constituentsWithLivePhoto)
        #expect(
            code { ($0.rawFormats, $0.processedFormats, $0.isDeferred) = ([], [.jpeg], true) }
                == .constituentsWithDeferredDelivery)
        session.remove(CaptureDeviceInput(device: try device()))
        try session.add(CaptureDeviceInput(device: .simulated()))
        #expect(code { _ in } == .constituentsNotSupported)
    }

    @Test func camerasThatDoNotFitTogetherAreRefused() throws {
        let constituents = try device().constituents
        func isRefused(_ constituents: [CaptureDevice.Constituent]) -> Bool {
            do throws(CaptureError) {
                _ = try CaptureDevice(uniqueID: "v", localizedName: "V", constituents: constituents)
                return false
            } catch {
                return error.code == .virtualDeviceInvalid
            }
        }
        #expect(!isRefused(constituents.reversed()))
        #expect(isRefused([]) && isRefused([constituents[0]]) && isRefused([constituents[0], constituents[0]]))
        var other = constituents
        other[1].calibration.focalLength.x = 0
        #expect(isRefused(other))
        other = constituents
        other[1].device.isLive = false
        #expect(isRefused(other))
        other[1].device = try device()
        #expect(isRefused(other))
    }

    /// A camera that does not start, or is unplugged, fails its own photos; the session goes on.
    @Test(arguments: [false, true]) func aDeadCameraFailsItsOwnPhotosOnly(isThereFirst: Bool) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "gscap-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        if isThereFirst { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        let output = PhotoOutput()
        let session = try session(device(tele: "device=\(path)"), output)
        try await session.startRunning()
        #expect(await session.delivers(9))
        #expect(session.isRunning)
        if isThereFirst {
            #expect(try await output.capturePhoto(with: settings()).photos.allSatisfy { $0.error == nil })
            let loss = Task { [events = session.events] in
                for await case .warning(let text) in events where text.contains("no more photos") { return true }
                return false
            }
            try FileManager.default.removeItem(atPath: path)
            #expect(await result { await loss.value } == true)
        }
        var (photos, ends): ([Photo], [CaptureError?]) = ([], [])
        for await event in try output.capturePhoto(with: settings()).events {
            if case .photo(let photo) = event { photos.append(photo) }
            if case .finished(_, let error) = event { ends.append(error) }
        }
        #expect(ends.count == 1 && ends.first.flatMap(\.self) != nil)
        #expect(photos.count == 2)
        #expect(photos.allSatisfy { ($0.error == nil) == ($0.sourceDeviceUniqueID == "simulated-wide") })
        // The error names the camera that is lost.
        let errors = photos.compactMap(\.error) + ends.compactMap(\.self)
        #expect(errors.count == 2 && errors.allSatisfy { $0.place.hasPrefix("Simulated Tele Sensor") }, "\(errors)")
        #expect(errors.allSatisfy { $0.concernsOneConstituent })
        #expect(session.isRunning && output.queueDepth == 0)
        await session.stopRunning()
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        try await session.startRunning()
        #expect(await session.delivers(9))
        #expect(try await output.capturePhoto(with: settings()).photos.allSatisfy { $0.error == nil })
        await session.stopRunning()
    }

    /// A camera without frames ends its part of a capture after ten seconds, and that of later captures at once.
    @Test func aCameraWithoutFramesEndsItsPhotos() async throws {
        let output = PhotoOutput()
        let session = try session(device(tele: "! identity drop-probability=1"), output)
        try await session.startRunning()
        for limit in [30, 9] {
            let start = ContinuousClock.now
            let photos = try await output.capturePhoto(with: settings()).photos
            #expect(photos.map { $0.error?.code }.filter { $0 != nil } == [.interrupted])
            #expect(photos.count == 2 && .now - start < .seconds(limit))
        }
        await session.stopRunning()
    }

    /// A stop ends every capture once, with as many photos as were promised.
    @Test func aStopEndsEveryCapture() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(device(), output)
        for _ in 0..<3 {
            try await session.startRunning()
            var captures: [PhotoCapture] = []
            for number in 0..<6 {
                var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
                settings.frames = 4
                settings.constituents = number % 3 == 0 ? ["simulated-tele"] : Self.both
                captures.append(try output.capturePhoto(with: settings))
                await pause(20)
            }
            captures[2].cancel()
            await session.stopRunning()
            for capture in captures {
                var (photos, ends) = (0, 0)
                for await event in capture.events {
                    if case .finished = event { ends += 1 }
                    guard case .photo(let photo) = event else { continue }
                    photos += 1
                    guard let error = photo.error, error.code == .aborted else { continue }
                    #expect(error.concernsOneConstituent == (photo.sourceDeviceUniqueID == "simulated-tele"))
                }
                #expect(photos == capture.resolvedSettings.expectedPhotoCount && ends == 1)
            }
        }
    }

    /// A capture that names no constituents is of the primary camera.
    @Test func photosWithoutConstituentsAreOfTheWidest() async throws {
        let output = PhotoOutput()
        let session = try session(device(), output)
        try await session.startRunning()
        let photos = try await output.capturePhoto(with: PhotoSettings(processed: [.jpeg])).photos
        #expect(photos.count == 1 && photos.first?.sourceDeviceUniqueID == nil)
        #expect(photos.first?.calibration?.focalLength.x == 96)
        await session.stopRunning()
    }
}

extension Photo {
    /// Whether both the receipt and the file state a capture.
    func statesCapture(_ id: UInt64) -> Bool {
        let property = Array("<gscap:capture-id>\(id)</gscap:capture-id>".utf8)
        return receipt?.captureID == id && fileBytes()?.firstRange(of: property) != nil
    }
}

extension Duration {
    var magnitude: Duration { self < .zero ? .zero - self : self }
}
