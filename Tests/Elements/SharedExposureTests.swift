import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// Ordinary captures beside captures that change the camera's exposure or fire its flash.
@Suite(.timeLimit(.minutes(10))) struct SharedExposureTests {
    init() throws { try GscapPlugin.register() }

    /// The fault: an ordinary press took frames that were exposed for another capture, or waited for more of them.
    @Test func anOrdinaryCaptureHasTheCamerasOwnExposure() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 2, "iso": 800.0, "id": .uint64(30)]) == 30)
        camera.iso = 800
        try camera.push()
        // The newest frame with ISO 100 is the third.
        #expect(try camera.press(["frames": 1, "id": .uint64(31)]) == 31)
        #expect(camera.waitForResult(of: 31) == .succeeded)
        #expect(camera.references(of: 31..<32) == [3])
        // Only three frames have ISO 100, so this capture takes its turn after the first.
        #expect(try camera.press(["frames": 4, "id": .uint64(32)]) == 32)
        try camera.push()
        #expect(camera.waitForResult(of: 30) == .succeeded)
        #expect(camera.requestedISOs == [800, 100])
        camera.iso = 100
        try camera.push(4)
        #expect(camera.waitForResult(of: 32) == .succeeded)
        #expect(camera.references(of: 32..<33) == [6])
    }

    /// A camera that shows no requested exposure delays no ordinary capture.
    @Test func aCameraThatDoesNotObeyServesOrdinaryCaptures() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 1, "iso": 800.0, "id": .uint64(33)]) == 33)
        camera.iso = 200
        try camera.push(2)
        #expect(try camera.press(["frames": 2, "id": .uint64(34)]) == 34)
        try camera.push()
        #expect(camera.waitForResult(of: 34) == .succeeded)
    }

    @Test func theFlashOfOneCaptureLightsNoOther() throws {
        let camera = try SimulatedCamera()
        #expect(try camera.press(["id": .uint64(35), "frames": 2, "flash": "on"]) == 35)
        #expect(camera.frames(2).map(\.flashFired) == [true, true])
        #expect(try camera.press(["id": .uint64(36), "frames": 2]) == 36)
        #expect(camera.frames(2).allSatisfy { $0.flashFired != true })
        #expect(camera.waitForResult(of: 36) == .succeeded)
    }

    /// The light of the flash is not the light of the scene, by which the automatic flash decides.
    @Test func theAutomaticFlashFiresAgainInTheDark() throws {
        let camera = try SimulatedCamera("exposure-time=0.0001")
        for id in 37...39 as ClosedRange<UInt64> {
            #expect(try camera.press(["id": .uint64(id), "frames": 1, "flash": "auto"]) == id)
            #expect(camera.frames(1).map(\.flashFired) == [true])
        }
        for id in 37...39 as ClosedRange<UInt64> { #expect(camera.waitForResult(of: id) == .succeeded) }
    }

    private func frame(_ number: UInt64, iso: Double) throws -> Buffer {
        var buffer = try Buffer(size: 16)
        var metadata = FrameMetadata(bitDepth: 12)
        (metadata.frameNumber, metadata.iso) = (number, iso)
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = number * 100_000_000
        return buffer
    }

    private func push(_ isos: [Double], to harness: Harness) throws -> [UInt64] {
        harness.send(caps: "video/x-bayer,format=rggb12le,width=4,height=2,framerate=10/1")
        for (number, iso) in isos.enumerated() { #expect(harness.push(try frame(UInt64(number), iso: iso)) == 0) }
        var found: [UInt64] = []
        while let buffer = harness.pull() {
            if let metadata = buffer.frameMetadata { found.append(metadata.frameNumber) }
        }
        return found
    }

    /// The fault: in a stream that is not live, a burst after a bracket began with a late frame of the bracket's
    /// exposure, found no more of them, and failed after 64 frames.
    @Test func aBurstAfterARecordedBracketIsOfOneExposure() throws {
        let harness = try Harness(factory: "rawshutter")
        let exposures = [100.0, 800].map { Value.structure(Structure("exposure", ["iso": .double($0)])) }
        _ = try harness.element.emit("capture", Structure("capture", ["frames": 1, "bracket": .array(exposures)]))
        _ = try harness.element.emit("capture", Structure("capture", ["frames": 3]))
        #expect(try push([100, 800, 800, 100, 100, 100], to: harness) == [0, 1, 3, 4, 5])
    }

    /// The fault: in a stream that is not live, the exposure of one capture was never restored.
    @Test func theExposureIsRestoredInAStreamThatIsNotLive() throws {
        let harness = try Harness(factory: "rawshutter")
        let requested = Isos()
        let probe = harness.element.pad("sink")?.addEventProbe(.upstream) { event in
            if let iso = event.structure?["iso"]?.number { requested.add(iso) }
            return .pass
        }
        defer { probe?.remove() }
        _ = try harness.element.emit("capture", Structure("capture", ["frames": 2, "iso": 800.0]))
        #expect(try push([100, 100, 800, 800, 800], to: harness) == [2, 3])
        #expect(requested.all == [800, 100])
    }
}

/// The ISO numbers of control events.
private final class Isos: Sendable {
    private let values = Mutex<[Double]>([])

    func add(_ iso: Double) { values.withLock { $0.append(iso) } }

    var all: [Double] { values.withLock { $0 } }
}
