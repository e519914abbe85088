import Foundation
import GSCapture
import TestClocks
import Testing

/// A camera that is disconnected and connected again.
@Suite(.timeLimit(.minutes(10)), .serialized) struct DeviceRecoveryTests {
    /// A camera whose device node is a file of the test.
    private final class Unpluggable: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "gscap-\(UUID().uuidString)").path

        init() { plugIn() }

        deinit { unplug() }

        func plugIn() { _ = FileManager.default.createFile(atPath: path, contents: nil) }

        func unplug() { try? FileManager.default.removeItem(atPath: path) }

        var device: CaptureDevice {
            var device = CaptureDevice.simulated(width: 160, height: 120, framesPerSecond: 30)
            device.source = "gscapsensorsrc name=camera device=\(path)"
            return device
        }
    }

    private func running(_ camera: Unpluggable, _ output: PhotoOutput) async throws -> CaptureSession {
        let session = CaptureSession()
        session.recoveryWaits = RecoveryWaits(first: .milliseconds(10), longest: .milliseconds(40))
        try session.add(CaptureDeviceInput(device: camera.device))
        try session.add(output)
        try await session.startRunning()
        return session
    }

    @Test func theSessionGoesOnWhenTheCameraIsBack() async throws {
        let (camera, output) = (Unpluggable(), PhotoOutput())
        let session = try await running(camera, output)
        var events = session.events.makeAsyncIterator()
        for _ in 0..<2 {
            var settings = PhotoSettings(raw: [.bayer])
            settings.frames = 60
            settings.momentTolerance = .seconds(60)
            let capture = try output.capturePhoto(with: settings)
            camera.unplug()
            let code = await interruption(&events)
            #expect(code == .noDevice)
            #expect(session.state == .interrupted)
            var end: CaptureError?
            for await event in capture.events { if case .finished(_, let error) = event { end = error } }
            #expect(end?.code == .noDevice)
            let refusal = #expect(throws: CaptureError.self) {
                try output.capturePhoto(with: PhotoSettings(raw: [.bayer]))
            }
            #expect(refusal?.code == .noDevice)
            camera.plugIn()
            var isBack = false
            while !isBack, let event = await events.next() { if case .resumed = event { isBack = true } }
            #expect(isBack)
            // Returns when the operation that started the pipeline is over.
            try await session.startRunning()
            #expect(session.isRunning)
            #expect(try await output.capturePhoto(with: PhotoSettings(raw: [.bayer])).photos.count == 1)
        }
        await session.stopRunning()
    }

    /// A change whose new pipeline finds no camera is kept, and takes effect when the camera is back.
    @Test func aChangeDuringALossTakesEffectLater() async throws {
        let (camera, output) = (Unpluggable(), PhotoOutput())
        let session = CaptureSession()
        session.recoveryWaits = RecoveryWaits(first: .milliseconds(10), longest: .milliseconds(40))
        // At one frame in ten seconds, the running pipeline does not notice the loss before the change.
        var device = camera.device
        device.activeFormat = CaptureDevice.simulated(width: 160, height: 120, framesPerSecond: 1).activeFormat
        device.activeFormat?.mediaCaps.replace("framerate=1/1", with: "framerate=1/10")
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
        try await session.startRunning()
        camera.unplug()
        session.beginConfiguration()
        session.remove(output)
        try session.add(output)
        output.processedFormats = [.jpeg, .png]
        try await session.commitConfiguration()
        #expect(session.state == .interrupted)
        camera.plugIn()
        #expect(await reached { session.isRunning })
        #expect(output.availableProcessedFormats == [.jpeg, .png])
        await session.stopRunning()
    }

    /// Each wait between attempts is twice as long as the one before, up to the longest.
    @Test func theWaitsDouble() async throws {
        let manual = ManualClock()
        try await manual.drive {
            let (camera, output) = (Unpluggable(), PhotoOutput())
            let session = CaptureSession()
            session.recoveryWaits = RecoveryWaits(first: .seconds(1), longest: .seconds(3))
            try session.add(CaptureDeviceInput(device: camera.device))
            try session.add(output)
            try await session.startRunning()
            var events = session.events.makeAsyncIterator()
            camera.unplug()
            #expect(await interruption(&events) == .noDevice)
            for seconds in [1, 2, 3, 3] {
                #expect(session.state == .interrupted)
                #expect(await manual.isAwaited(in: .seconds(seconds)), "\(seconds) s")
                await manual.advance(by: .seconds(seconds))
            }
            #expect(await manual.isAwaited(in: .seconds(3)))
            camera.plugIn()
            await manual.advance(by: .seconds(3))
            #expect(await reached { session.isRunning })
            await session.stopRunning()
        }
    }

    @Test func stopEndsTheRecovery() async throws {
        let (camera, output) = (Unpluggable(), PhotoOutput())
        let session = try await running(camera, output)
        var events = session.events.makeAsyncIterator()
        camera.unplug()
        _ = await interruption(&events)
        await session.stopRunning()
        #expect(session.state == .stopped)
        await #expect(throws: CaptureError.self) { try await session.startRunning() }
        #expect(session.state == .failed)
        camera.plugIn()
        try await session.startRunning()
        #expect(session.isRunning)
        await session.stopRunning()
        #expect(session.state == .stopped)
    }

    /// A change during the recovery belongs to the pipeline that starts when the camera is back.
    @Test func aCommitDuringTheRecoveryIsRecorded() async throws {
        let (camera, output) = (Unpluggable(), PhotoOutput())
        let session = try await running(camera, output)
        var events = session.events.makeAsyncIterator()
        camera.unplug()
        _ = await interruption(&events)
        session.beginConfiguration()
        output.isProRAWEnabled = true
        try await session.commitConfiguration()
        camera.plugIn()
        while let event = await events.next() { if case .resumed = event { break } }
        try await session.startRunning()
        #expect(output.availableRAWFormats == [.bayer, .proRAW])
        await session.stopRunning()
    }

    @Test func aSessionWithoutRecoveryFails() async throws {
        let (camera, output) = (Unpluggable(), PhotoOutput())
        let session = try await running(camera, output)
        session.recoversFromDeviceLoss = false
        let events = session.events
        camera.unplug()
        var code: CaptureError.Code?
        for await event in events {
            guard case .failed(let error) = event else { continue }
            code = error.code
            break
        }
        #expect(code == .noDevice)
        #expect(session.state == .failed)
        await session.stopRunning()
    }

    /// Returns the code of the next interruption; nil if the events end.
    private func interruption(_ events: inout AsyncStream<SessionEvent>.Iterator) async -> CaptureError.Code? {
        while let event = await events.next() { if case .interrupted(let error) = event { return error.code } }
        return nil
    }
}
