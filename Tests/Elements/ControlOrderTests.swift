import Dispatch
import GStreamer
import GscapElements
import Synchronization
import TestClocks
import Testing

/// The order of the shutter's requests to the sensor when several threads cause them.
@Suite(.timeLimit(.minutes(10))) struct ControlOrderTests {
    init() throws { try GscapPlugin.register() }

    /// The ISO numbers that the source's pad has received, for the test to wait for.
    private final class Requests: Sendable {
        private let isos = Mutex<[Double]>([])
        let isOnItsWay = DispatchSemaphore(value: 0)
        let mayArrive = DispatchSemaphore(value: 0)
        let hasReturned = DispatchSemaphore(value: 0)

        func add(_ iso: Double) { isos.withLock { $0.append(iso) } }

        var received: [Double] { isos.withLock { $0 } }
    }

    /// The fault: a capture was cancelled while another thread was sending its exposure. The restored exposure overtook
    /// that one, and the camera kept the exposure of the capture.
    @Test func theRestoredExposureOvertakesNoRequest() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        let requests = Requests()
        let delay = try #require(camera.shutter.pad("sink")).addEventProbe(.upstream) { event in
            guard event.structure?["iso"]?.number == 800 else { return .pass }
            requests.isOnItsWay.signal()
            _ = requests.mayArrive.isSignalled()
            return .pass
        }
        let record = try #require(camera.source.pad("src")).addEventProbe(.upstream) { event in
            if let iso = event.structure?["iso"]?.number { requests.add(iso) }
            return .pass
        }
        defer {
            delay.remove()
            record.remove()
        }
        DispatchQueue.global().async {
            _ = try? camera.press(["frames": 1, "iso": 800.0, "id": .uint64(50)])
            requests.hasReturned.signal()
        }
        #expect(requests.isOnItsWay.isSignalled())
        #expect(try camera.cancel(50))
        requests.mayArrive.signal()
        #expect(requests.hasReturned.isSignalled())
        #expect(requests.received == [800, 100])
    }
}
