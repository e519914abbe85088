import DNG
import Foundation
import GSCapture
import GStreamer
import RandomSequences
import RawImage
import TestClocks
import Testing

/// Tests of the zoom factor: photos are cropped, and of the camera of a virtual device that the factor selects.
@Suite(.timeLimit(.minutes(10)), .serialized) struct ZoomTests {
    /// A wide and a tele camera, whose pictures have different shapes; the tele is active from a factor of 2.
    private func device(_ teleProperties: String = "") throws -> CaptureDevice {
        var constituents = try CaptureDevice.simulatedWideAndTele(width: 128, height: 96, framesPerSecond: 50)
            .constituents
        let other = CaptureDevice.simulated(width: 160, height: 96, framesPerSecond: 50)
        (constituents[1].device.formats, constituents[1].device.activeFormat) = (other.formats, other.activeFormat)
        constituents[1].device.source += " \(teleProperties)"
        return try CaptureDevice(uniqueID: "both", localizedName: "Both", constituents: constituents)
    }

    private func session(
        _ device: CaptureDevice, _ output: PhotoOutput, _ preview: PreviewOutput? = nil
    ) async throws -> CaptureSession {
        let session = CaptureSession()
        (output.isProRAWEnabled, output.processedFormats) = (true, [.png])
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        if let preview { try session.add(preview) }
        try await session.startRunning()
        #expect(await output.becomesReady())
        return session
    }

    private func settings() -> PhotoSettings {
        var settings = PhotoSettings(raw: [.proRAW], processed: [.png])
        settings.frames = 1
        return settings
    }

    /// Of two cameras with one field of view, as those of a stereo rig, the primary one takes the photos.
    @Test func camerasOfOneViewAreNotSwitched() async throws {
        var constituents = try device().constituents
        constituents[1].calibration = constituents[0].calibration
        let device = try CaptureDevice(uniqueID: "stereo", localizedName: "Stereo", constituents: constituents)
        #expect(device.virtualDeviceSwitchOverVideoZoomFactors == [1])
        let output = PhotoOutput()
        output.isLivePhotoCaptureEnabled = true
        output.processedFormats = [.jpeg]
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        try await session.startRunning()
        #expect(await output.becomesReady())
        var settings = PhotoSettings(processed: [.jpeg])
        settings.livePhotoFormat = .pair
        settings.frames = 1
        let capture = try output.capturePhoto(with: settings)
        #expect(capture.resolvedSettings.constituents.isEmpty)
        let movies = await result {
            var movies = 0
            for await event in capture.events { if case .livePhotoMovie = event { movies += 1 } }
            return movies
        }
        #expect(movies == 1)
        await session.stopRunning()
    }

    /// Returns the size of a PNG from its first chunk.
    private func size(ofPNG bytes: [UInt8]) -> PhotoDimensions {
        func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 + Int($1) } }
        return bytes.count < 24
            ? PhotoDimensions(width: 0, height: 0)
            : PhotoDimensions(width: number(16), height: number(20))
    }

    @Test func photosAreOfTheActiveCameraAndCropped() async throws {
        let output = PhotoOutput()
        let session = try await session(device(), output)
        let cases: [(factor: Double, camera: String?, width: Int, height: Int, crop: Double)] = [
            (1, nil, 128, 96, 1), (1.5, nil, 86, 64, 1.5), (2, "simulated-tele", 160, 96, 1),
            (4, "simulated-tele", 80, 48, 2), (1, nil, 128, 96, 1),
        ]
        for (factor, camera, width, height, crop) in cases {
            try session.setVideoZoomFactor(factor)
            #expect(session.videoZoomFactor == factor)
            let capture = try output.capturePhoto(with: settings())
            let resolved = capture.resolvedSettings
            let expected = PhotoDimensions(width: width, height: height)
            #expect(resolved.cropFactor == crop && resolved.constituents == (camera.map { [$0] } ?? []))
            #expect(resolved.dimensions[.raw(.proRAW)] == expected && resolved.dimensions[.processed(.png)] == expected)
            let photos = try await capture.photos
            #expect(photos.count == 2 && photos.allSatisfy { $0.error == nil && $0.sourceDeviceUniqueID == camera })
            // The tele camera's lens is twice as long.
            let focalLength = (camera == nil ? 26 : 52) * crop
            for photo in photos {
                let details = try #require(photo.metadata).details
                #expect(details.focalLengthIn35mm == focalLength && details.digitalZoomRatio == crop)
                let bytes = photo.fileBytes() ?? []
                guard photo.format == .raw(.proRAW) else {
                    #expect(size(ofPNG: bytes) == expected)
                    // The part has the lens of the whole picture, and an optical axis in its own pixels.
                    let calibration = try #require(photo.calibration)
                    #expect((calibration.width, calibration.height) == (width, height))
                    #expect(abs(calibration.principalPoint.x - Double(width) / 2) <= 1.5)
                    continue
                }
                let file = try DNGFile(bytes: bytes)
                #expect(file.metadata.details.focalLengthIn35mm == focalLength)
                #expect(abs(file.metadata.details.digitalZoomRatio - crop) < 1e-6)
                let area = try #require(file.main?.defaultCrop)
                #expect((area.width, area.height) == (width, height))
                let preview = try #require(resolved.thumbnailDimensions[.proRAW])
                #expect(preview.width <= width && preview.height <= height)
            }
        }
        await session.stopRunning()
    }

    @Test func aSingleCameraIsCropped() async throws {
        var device = CaptureDevice.simulated(width: 128, height: 96, framesPerSecond: 50)
        device.videoZoomFactor = 2
        #expect(device.maxAvailableVideoZoomFactor == 8)
        let output = PhotoOutput()
        let session = try await session(device, output)
        let photo = try #require(
            try await output.capturePhoto(with: PhotoSettings(processed: [.png])).photos.first)
        #expect(size(ofPNG: photo.fileBytes() ?? []) == PhotoDimensions(width: 64, height: 48))
        await session.stopRunning()
    }

    @Test func factorsOutOfRangeAreRefused() async throws {
        let session = CaptureSession()
        #expect(throws: CaptureError.self) { try session.setVideoZoomFactor(1) }
        try session.add(CaptureDeviceInput(device: device()))
        for factor in [0, 0.99, 16.1, -1, .nan, .infinity] {
            #expect(throws: CaptureError.self) { try session.setVideoZoomFactor(factor) }
        }
        try session.setVideoZoomFactor(16)
        #expect(session.videoZoomFactor == 16)
        var device = try device()
        device.videoZoomFactor = 17
        #expect(throws: CaptureError.self) { try CaptureSession().add(CaptureDeviceInput(device: device)) }
    }

    @Test func livePhotosAndDeferredPhotosAreNotZoomed() throws {
        var device = CaptureDevice.simulated()
        device.videoZoomFactor = 2
        let session = CaptureSession()
        let output = PhotoOutput()
        output.isLivePhotoCaptureEnabled = true
        output.deferredFolder = FileManager.default.temporaryDirectory.path
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        func code(_ change: (inout PhotoSettings) -> Void) -> CaptureError.Code? {
            var settings = PhotoSettings(processed: [.jpeg])
            change(&settings)
            do throws(CaptureError) { try output.validate(settings) } catch { return error.code }
            return nil
        }
        #expect(code { _ in } == nil)
        #expect(code { $0.livePhotoFormat = .pair } == .zoomNotSupported)
        #expect(code { $0.isDeferred = true } == .zoomNotSupported)
    }

    /// The preview follows the zoom from camera to camera and keeps its rate. When the active camera fails, it shows
    /// the other one.
    @Test func thePreviewShowsTheActiveCamera() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gscap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let node = folder.appending(path: "tele")
        _ = FileManager.default.createFile(atPath: node.path, contents: nil)
        let preview = PreviewOutput(
            sink: "pngenc compression-level=0 ! multifilesink location=\(folder.path)/%05d.png", width: 640, height: 480
        )
        let output = PhotoOutput()
        let session = try await session(device("device=\(node.path)"), output, preview)
        func newest() throws -> PhotoDimensions {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("png") }
            // The newest file may not be complete yet.
            guard let name = names.sorted().dropLast().last else { return PhotoDimensions(width: 0, height: 0) }
            return size(ofPNG: Array(try Data(contentsOf: folder.appending(path: name))))
        }
        let (wide, tele) = (PhotoDimensions(width: 128, height: 96), PhotoDimensions(width: 160, height: 96))
        for (factor, expected) in [(1.0, wide), (1.9, wide), (2, tele), (7, tele), (1.2, wide), (3, tele)] {
            try session.setVideoZoomFactor(factor)
            #expect(try await reached { try newest() == expected })
        }
        try FileManager.default.removeItem(at: node)
        #expect(try await reached { try newest() == wide })
        #expect(session.isRunning)
        await session.stopRunning()
    }

    /// Random zoom factors, presses, stops and starts: each capture ends once, and its photos have the resolved size.
    @Test(arguments: 0..<6) func randomZooms(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let output = PhotoOutput()
        let session = try await session(
            device(), output, PreviewOutput(sink: "fakesink", width: 64, height: 48))
        var captures: [PhotoCapture] = []
        for _ in 0..<25 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4: try session.setVideoZoomFactor(Double.random(in: 1...16, using: &random))
            case 4..<7: if let capture = try? output.capturePhoto(with: settings()) { captures.append(capture) }
            default:
                await session.stopRunning()
                try await session.startRunning()
            }
            await pause(Int.random(in: 0..<40, using: &random))
        }
        for capture in captures {
            let resolved = capture.resolvedSettings
            var ends = 0
            for await event in capture.events {
                if case .finished = event { ends += 1 }
                guard case .photo(let photo) = event, photo.error == nil, photo.format == .processed(.png) else {
                    continue
                }
                #expect(size(ofPNG: photo.fileBytes() ?? []) == resolved.dimensions[.processed(.png)])
            }
            #expect(ends == 1)
        }
        await session.stopRunning()
    }
}
