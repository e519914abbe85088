import GSCapture
import TestClocks
import Testing

/// Tests of a virtual device of three lenses, which zoom by two from one to the next.
@Suite(.timeLimit(.minutes(10)), .serialized) struct ThreeLensTests {
    private static let period = Duration.milliseconds(40)

    private func device() throws -> CaptureDevice {
        let two = try CaptureDevice.simulatedWideAndTele(width: 128, height: 96, framesPerSecond: 25).constituents
        let four = try CaptureDevice.simulatedWideAndTele(width: 128, height: 96, framesPerSecond: 25, zoom: 4)
        var far = four.constituents[1]
        (far.device.uniqueID, far.device.localizedName) = ("simulated-far", "Simulated Far Sensor")
        return try CaptureDevice(uniqueID: "three", localizedName: "Three", constituents: [two[1], far, two[0]])
    }

    private func session(_ output: PhotoOutput) async throws -> CaptureSession {
        let session = CaptureSession()
        output.processedFormats = [.png]
        try session.add(CaptureDeviceInput(device: device()))
        try session.add(output)
        try await session.startRunning()
        #expect(await output.becomesReady())
        return session
    }

    /// The lenses are in the order of their fields of view, whatever the order in which they were named.
    @Test func eachZoomFactorHasItsLens() async throws {
        let device = try device()
        #expect(device.constituents.map(\.device.uniqueID) == ["simulated-wide", "simulated-tele", "simulated-far"])
        #expect(device.virtualDeviceSwitchOverVideoZoomFactors == [2, 4])
        let output = PhotoOutput()
        let session = try await session(output)
        let cases: [(factor: Double, camera: String?, crop: Double)] = [
            (1, nil, 1), (1.9, nil, 1.9), (2, "simulated-tele", 1), (3, "simulated-tele", 1.5),
            (4, "simulated-far", 1), (8, "simulated-far", 2),
        ]
        for (factor, camera, crop) in cases {
            try session.setVideoZoomFactor(factor)
            let capture = try output.capturePhoto(with: PhotoSettings(processed: [.png]))
            #expect(capture.resolvedSettings.cropFactor == crop, "\(factor)")
            let photo = try #require(try await capture.photos.first)
            #expect(photo.error == nil && photo.sourceDeviceUniqueID == camera, "\(factor)")
            // The plan of a capture is what the session does.
            var zoomed = device
            zoomed.videoZoomFactor = factor
            let planned = PipelinePlan.Circumstances(device: zoomed).resolved(PhotoSettings(processed: [.png]))
            #expect(planned.cropFactor == crop && planned.constituents == capture.resolvedSettings.constituents)
            #expect(planned.dimensions == capture.resolvedSettings.dimensions, "\(factor)")
        }
        await session.stopRunning()
    }

    @Test func onePressGivesPhotosOfAllLenses() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        // On a busy machine the nearest frame of a camera is missing now and then.
        var (near, total) = (0, 0)
        while near < 5, total < 60 {
            var settings = PhotoSettings(raw: [.bayer])
            settings.constituents = ["simulated-wide", "simulated-tele", "simulated-far"]
            let planned = try PipelinePlan.Circumstances(device: device()).resolved(settings)
            let photos = try await output.capturePhoto(with: settings).photos
            #expect(photos.count == 3 && planned.expectedPhotoCount == 3)
            #expect(Set(photos.map(\.sourceDeviceUniqueID)) == settings.constituents as Set<String?>)
            #expect(photos.allSatisfy { $0.error == nil })
            let (offsets, instants) = (photos.compactMap(\.constituentOffset?.magnitude), photos.compactMap(\.instant))
            try #require(offsets.count == 3 && instants.count == 3)
            total += 1
            let spread = try #require(instants.max()) - #require(instants.min())
            if offsets.allSatisfy({ $0 <= Self.period / 2 }), spread <= Self.period { near += 1 }
            await pause(Int.random(in: 0...50))
        }
        #expect(near == 5, "of \(total) presses")
        await session.stopRunning()
    }

    /// The photo has twice the size at every zoom factor at which a longer lens sees a part of the scene.
    @Test func fusionUsesTheNextLens() async throws {
        let output = PhotoOutput()
        let session = try await session(output)
        var settings = PhotoSettings(processed: [.png])
        (settings.frames, settings.fusesConstituents) = (2, true)
        let capture = try output.capturePhoto(with: settings)
        let photo = try #require(try await capture.photos.first)
        #expect(photo.error == nil)
        #expect(capture.resolvedSettings.dimensions[.processed(.png)] == PhotoDimensions(width: 256, height: 192))
        let planned = PipelinePlan.Circumstances(device: try device()).resolved(settings)
        #expect(planned.dimensions == capture.resolvedSettings.dimensions)
        #expect(planned.fusedConstituents == capture.resolvedSettings.fusedConstituents)
        #expect(planned.fusedConstituents == ["simulated-wide", "simulated-tele"])
        await session.stopRunning()
    }
}
