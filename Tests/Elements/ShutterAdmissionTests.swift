import FrameStream
import GStreamer
import GscapElements
import RandomSequences
import Testing

/// The shutter's answer to `admission`, and a ring that changes its size while the stream runs.
@Suite(.timeLimit(.minutes(10))) struct ShutterAdmissionTests {
    init() throws { try GscapPlugin.register() }

    private func admission(_ camera: TestCamera, frames: Int32, expected: Int32 = 0) throws -> CaptureAdmission {
        let request = Structure("admission", ["frames": .int(frames), "expected": .int(expected)])
        return try #require(try camera.shutter.query("admission", request).flatMap(CaptureAdmission.init))
    }

    @Test func theAnswerSurvivesItsStructure() throws {
        let camera = try TestCamera(width: 64, height: 2)
        try camera.start()
        try camera.push(3)
        let answer = try admission(camera, frames: 2)
        #expect(answer.verdict == .accepted)
        #expect(answer.frameBytes == 64 * 2 * 2)
        #expect(answer.ringFrames == 3)
        #expect(CaptureAdmission(answer.structure) == answer)
        #expect(CaptureAdmission(Structure("other")) == nil)
    }

    @Test func aStreamThatDoesNotRunIsClosed() throws {
        let camera = try TestCamera()
        #expect(try admission(camera, frames: 1).verdict == .closed)
        try camera.start()
        try camera.push()
        #expect(try admission(camera, frames: 1).verdict == .accepted)
        camera.source.endOfStream()
        camera.waitForEnd()
        #expect(try admission(camera, frames: 1).verdict == .closed)
    }

    @Test func aFullBudgetHasATimeToWait() throws {
        let camera = try TestCamera(width: 1024, height: 512)
        try camera.start()
        try camera.shutter.set("max-queued", 4)
        try camera.push(4)
        #expect(try admission(camera, frames: 5).verdict == .tooLarge)
        #expect(try admission(camera, frames: 3).verdict == .accepted)
        #expect(try admission(camera, frames: 3, expected: 2).verdict == .tooLarge)
        camera.blocksOutput = true
        #expect(try camera.press(["frames": 3, "id": .uint64(500_041)]) == 500_041)
        let full = try admission(camera, frames: 3)
        #expect(full.verdict == .full)
        #expect(full.retryAfter ?? 0 > 0)
        #expect(full.queuedBytes == 3 << 20)
        camera.blocksOutput = false
        #expect(camera.waitForResult(of: 500_041) == .succeeded)
        #expect(try admission(camera, frames: 3).verdict == .accepted)
    }

    /// The answer and the fate of the press agree, whatever was pressed before.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func thePressIsAsTheAnswer(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let camera = try TestCamera(width: 1024, height: 512)
        try camera.start()
        try camera.shutter.set("max-queued", 6)
        try camera.push(4)
        for step in 0..<30 as Range<UInt64> {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try camera.push()
            case 1: camera.blocksOutput.toggle()
            case 2:
                try camera.stop()
                #expect(try admission(camera, frames: 1).verdict == .closed)
                try camera.start()
                try camera.shutter.set("max-queued", 6)
                try camera.push(2)
            default:
                let frames = Int32.random(in: 1...7, using: &random)
                let answer = try admission(camera, frames: frames)
                let id = try camera.press(["frames": .int(frames), "id": .uint64(1000 * seed + step + 50)])
                // Memory may become free between the answer and the press, but never less.
                if answer.verdict == .accepted { #expect(id != 0, "step \(step)") }
                if answer.verdict == .tooLarge { #expect(id == 0, "step \(step)") }
            }
        }
        try camera.stop()
    }

    @Test func aLargerRingHoldsTheFramesOfALongBurst() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(20)
        #expect(try admission(camera, frames: 1).ringFrames == 8)
        try camera.shutter.set("ring-frames", 12)
        #expect(try admission(camera, frames: 1).ringFrames == 8)
        try camera.push(10)
        #expect(try admission(camera, frames: 1).ringFrames == 12)
        #expect(try camera.press(["frames": 12, "id": .uint64(500_060)]) == 500_060)
        // All frames are from before the press: none is pushed after it.
        #expect(camera.waitForResult(of: 500_060) == .succeeded)
        try camera.shutter.set("ring-frames", 8)
        #expect(try admission(camera, frames: 1).ringFrames == 8)
    }

    /// Captures that wait for frames get them, although the ring shrinks and grows meanwhile.
    @Test func aChangeOfTheRingLosesNoCapture() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(4)
        for id in 500_070..<500_076 as Range<UInt64> {
            #expect(try camera.press(["frames": .int(Int32(id) - 500_060), "id": .uint64(id)]) == id)
            try camera.shutter.set("ring-frames", .uint(id % 2 == 0 ? 1 : 64))
            try camera.push()
        }
        for size in [1, 40, 2, 9] as [UInt32] {
            try camera.shutter.set("ring-frames", .uint(size))
            try camera.push(4)
        }
        for id in 500_070..<500_076 as Range<UInt64> { #expect(camera.waitForResult(of: id) == .succeeded) }
    }
}
