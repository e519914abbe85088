import FrameStream
import GStreamer
import GscapElements
import Testing

/// When the shutter reports that the first exposure of a capture begins.
@Suite(.timeLimit(.minutes(10))) struct ExposureBeginTests {
    init() throws { try GscapPlugin.register() }

    private let complete = ["begun", "exposing", "frame", "frame", "exposed", "taken", "done"]

    @Test func withZeroShutterLagItBeginsAtThePress() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push()
        // One of its two frames is in the ring.
        #expect(try camera.press(["frames": 2, "id": .uint64(1)]) == 1)
        #expect(camera.events(of: 1) == ["begun", "exposing"])
        try camera.push(2)
        #expect(camera.waitForResult(of: 1) == .succeeded)
        #expect(camera.events(of: 1) == complete)
    }

    /// The fault: it began at the press.
    @Test func withoutZeroShutterLagItBeginsWithTheFirstFrame() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 2, "zero-shutter-lag": false, "id": .uint64(2)]) == 2)
        #expect(camera.events(of: 2) == ["begun"])
        try camera.push()
        #expect(camera.events(of: 2) == ["begun", "exposing"])
        try camera.push()
        #expect(camera.waitForResult(of: 2) == .succeeded)
        #expect(camera.events(of: 2) == complete)
    }

    @Test func ofAPressBeforeTheFirstFrameItBeginsWithThatFrame() throws {
        let camera = try TestCamera()
        try camera.start()
        #expect(try camera.press(["frames": 2, "id": .uint64(3)]) == 3)
        #expect(camera.events(of: 3) == ["begun"])
        try camera.push()
        #expect(camera.events(of: 3) == ["begun", "exposing"])
        try camera.push()
        #expect(camera.waitForResult(of: 3) == .succeeded)
        #expect(camera.events(of: 3) == complete)
    }

    /// An exposure begins when the sensor is asked for it, which is when the captures before it have had theirs.
    @Test func ofAnotherExposureItBeginsWithTheRequestToTheSensor() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 2, "iso": 800.0, "id": .uint64(4)]) == 4)
        #expect(camera.requestedISOs == [800] && camera.events(of: 4) == ["begun", "exposing"])
        #expect(try camera.press(["frames": 2, "iso": 400.0, "id": .uint64(5)]) == 5)
        #expect(camera.events(of: 5) == ["begun"])
        camera.iso = 800
        try camera.push(2)
        #expect(camera.waitForResult(of: 4) == .succeeded)
        #expect(camera.requestedISOs == [800, 400] && camera.events(of: 5) == ["begun", "exposing"])
        camera.iso = 400
        try camera.push(2)
        #expect(camera.waitForResult(of: 5) == .succeeded)
        #expect(camera.events(of: 5) == ["begun", "exposing", "exposed", "frame", "frame", "taken", "done"])
    }

    /// A stream that is not live gives a capture its next frames.
    @Test func inAStreamThatIsNotLiveItBeginsWithTheFirstFrame() throws {
        let camera = try TestCamera(isLive: false)
        try camera.start()
        try camera.push()
        #expect(try camera.press(["frames": 2, "id": .uint64(6)]) == 6)
        #expect(camera.events(of: 6) == ["begun"])
        try camera.push()
        #expect(camera.events(of: 6) == ["begun", "exposing"])
        try camera.push()
        #expect(camera.waitForResult(of: 6) == .succeeded)
        #expect(camera.events(of: 6) == complete)
    }
}
