import DNG
import Foundation
import GSCapture
import RawImage
import TestClocks
import Testing

/// Tests of captures whose photo is fused from those of a wide and a tele camera.
@Suite(.timeLimit(.minutes(10)), .serialized) struct FusedConstituentTests {
    private func device(tele properties: String = "") throws -> CaptureDevice {
        var constituents = try CaptureDevice.simulatedWideAndTele(width: 640, height: 480, framesPerSecond: 20)
            .constituents
        // Without shake and motion, photos of different moments show the same.
        for index in 0...1 { constituents[index].device.source += " shake=0 motion=false" }
        constituents[1].device.source += " \(properties)"
        return try CaptureDevice(uniqueID: "both", localizedName: "Both", constituents: constituents)
    }

    private func session(
        _ device: CaptureDevice, _ output: PhotoOutput, starts: Bool = true
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        (output.isProRAWEnabled, output.processedFormats) = (true, [.jpeg])
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        if starts { try await session.startRunning() }
        return session
    }

    private func settings(fused: Bool = true) -> PhotoSettings {
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg])
        settings.frames = 8
        settings.fusesConstituents = fused
        return settings
    }

    /// Returns the colours in the middle of a linear photo of 1280×960 pixels; a smaller one is enlarged.
    private func middle(_ photo: Photo) throws -> [SIMD3<Double>] {
        let image = try DNGFile(bytes: try #require(photo.fileBytes())).linearImage()
        let scale = 1280 / image.format.width
        return (330..<630).flatMap { row in
            (440..<840).map { column in
                let index = row / scale * image.format.stride + 4 * (column / scale)
                return SIMD3(
                    Double(image.values[index]), Double(image.values[index + 1]), Double(image.values[index + 2]))
            }
        }
    }

    private func error(_ colors: [SIMD3<Double>], _ truth: [SIMD3<Double>]) -> Double {
        zip(colors, truth).reduce(0) { sum, pair in
            let difference = pair.0 - pair.1
            return sum + (difference * difference).sum()
        }
    }

    /// Returns the wide camera's view without noise, from a sensor of twice the size.
    private func truth() async throws -> [SIMD3<Double>] {
        var wide = try CaptureDevice.simulatedWideAndTele(width: 1280, height: 960, framesPerSecond: 20).constituents[0]
        wide.device.source += " truth=true"
        let output = PhotoOutput()
        let session = try await session(wide.device, output)
        var settings = PhotoSettings(raw: [.proRAW])
        settings.frames = 1
        let photo = try #require(try await output.capturePhoto(with: settings).photos.first)
        await session.stopRunning()
        return try middle(photo)
    }

    @Test func thePhotoHasTheDetailOfTheTele() async throws {
        let output = PhotoOutput()
        let session = try await session(device(), output)
        #expect(await output.becomesReady())
        let capture = try output.capturePhoto(with: settings())
        #expect(capture.resolvedSettings.fusedConstituents == ["simulated-wide", "simulated-tele"])
        #expect(capture.resolvedSettings.constituents.isEmpty && capture.resolvedSettings.expectedPhotoCount == 2)
        let photos = try await capture.photos
        #expect(photos.count == 2 && photos.allSatisfy { $0.error == nil })
        let size = PhotoDimensions(width: 1280, height: 960)
        #expect(capture.resolvedSettings.dimensions[.raw(.proRAW)] == size)
        #expect(capture.resolvedSettings.dimensions[.processed(.jpeg)] == size)
        let fused = try #require(photos.first { $0.format == .raw(.proRAW) })
        // The receipt names the frames of both cameras.
        #expect(fused.metadata?.sensorDigests.count == 16)
        // The report of the photo and its files state that the tele camera was used, in a quarter of it at most.
        let used = try #require(fused.metadata?.fusion?.teleUsedFraction)
        #expect(used > 0.02 && used < 0.3 && fused.metadata?.fusion?.teleEnlargement == 2)
        for photo in photos {
            let bytes = try #require(photo.fileBytes())
            #expect(photo.statesCapture(capture.uniqueID), "\(photo.format.name)")
            for name in ["gscap:FusionTeleUsedFraction", "gscap:FusionTeleEnlargement"] {
                #expect(bytes.firstRange(of: Array(name.utf8)) != nil, "\(photo.format.name): \(name)")
            }
        }
        let alone = try await output.capturePhoto(with: settings(fused: false)).photos
        let wide = try #require(alone.first { $0.format == .raw(.proRAW) })
        #expect(wide.metadata?.sensorDigests.count == 8 && wide.metadata?.fusion?.teleUsedFraction == nil)
        await session.stopRunning()
        let truth = try await truth()
        let errors = try (fused: error(middle(fused), truth), wide: error(middle(wide), truth))
        #expect(errors.fused < 0.63 * errors.wide, "2 dB less: \(errors)")
    }

    /// The session reports the progress of both cameras as that of the one capture.
    @Test func theSessionReportsTheProgressOfTheCapture() async throws {
        let output = PhotoOutput()
        var session: CaptureSession? = try await session(device(), output)
        #expect(await output.becomesReady())
        let events = try #require(session?.events)
        let steps = Task {
            var steps: [CaptureProgress] = []
            for await event in events { if case .progress(let step) = event { steps.append(step) } }
            return steps
        }
        let capture = try output.capturePhoto(with: settings())
        _ = try await capture.photos
        await session?.stopRunning()
        session = nil
        let reported = await steps.value
        #expect(Set(reported.map(\.id)) == [capture.resolvedSettings.uniqueID])
        #expect(reported.contains(.frames(id: capture.resolvedSettings.uniqueID, taken: 16, of: 16)))
        let reports = reported.filter { if case .fused = $0 { true } else { false } }
        #expect(reports.count == 1, "the tele camera's own photo is not delivered")
    }

    /// Without a photo of the tele camera, the photo is of the wide camera, and has the tele camera's error.
    @Test func withoutTheTeleThePhotoIsOfTheWide() async throws {
        let output = PhotoOutput()
        // The tele's frames stop before its shutter.
        let session = try await session(device(tele: "! identity error-after=40"), output, starts: false)
        let warnings = Task { [events = session.events] in
            for await event in events {
                if case .warning(let text) = event, text.contains("no more photos") { return true }
            }
            return false
        }
        try await session.startRunning()
        var photos: [Photo] = []
        for _ in 0..<12 {
            photos += try await output.capturePhoto(with: settings()).photos
            #expect(await session.delivers(6))
        }
        #expect(photos.count == 24 && photos.allSatisfy { $0.error == nil })
        let last = try #require(photos.last)
        #expect(last.metadata?.sensorDigests.count == 8 && last.constituentError?.concernsOneConstituent == true)
        for photo in photos {
            let isFused = photo.metadata?.fusion?.teleUsedFraction != nil
            #expect((photo.constituentError == nil) == isFused)
        }
        #expect(await result { await warnings.value } == true)
        await session.stopRunning()
    }

    @Test func eachRuleHasItsError() throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: device()))
        try session.add(output)
        func code(_ change: (inout PhotoSettings) -> Void) -> CaptureError.Code? {
            var settings = PhotoSettings(raw: [.proRAW])
            settings.fusesConstituents = true
            change(&settings)
            do throws(CaptureError) { try output.validate(settings) } catch { return error.code }
            return nil
        }
        #expect(code { _ in } == nil)
        #expect(code { $0.constituents = ["simulated-wide"] } == .constituentsAreFused)
        #expect(code { $0.rawFormats = [.bayer] } == .bayerRAWOnVirtualDevice)
        #expect(code { $0.iso = 200 } == .constituentsWithExposure)
        // The error is of the setting that was made.
        var exposed = PhotoSettings(raw: [.proRAW])
        (exposed.fusesConstituents, exposed.iso) = (true, 200)
        let error = #expect(throws: CaptureError.self) { try output.validate(exposed) }
        #expect(error?.place == "fusesConstituents", "\(error?.place ?? "")")
        session.remove(CaptureDeviceInput(device: try device()))
        try session.add(CaptureDeviceInput(device: .simulated()))
        #expect(code { _ in } == .constituentsNotSupported)
    }

    /// Stops and cancellations end every capture once, with as many photos as were promised.
    @Test func stopsAndCancellationsEndEveryCapture() async throws {
        let output = PhotoOutput()
        let session = try await session(device(), output)
        for round in 0..<4 {
            if round > 0 { try await session.startRunning() }
            var captures: [PhotoCapture] = []
            for number in 0..<6 {
                if let capture = try? output.capturePhoto(with: settings(fused: number % 3 != 2)) {
                    captures.append(capture)
                }
                #expect(await session.delivers(round))
            }
            if captures.count > 1 { captures[1].cancel() }
            await session.stopRunning()
            for capture in captures {
                var (photos, ends) = (0, 0)
                for await event in capture.events {
                    if case .photo = event { photos += 1 }
                    if case .finished = event { ends += 1 }
                }
                #expect(photos == capture.resolvedSettings.expectedPhotoCount && ends == 1)
            }
        }
    }
}
