import Foundation
import Glibc
import TemporaryFolders
import Testing

/// Tests of captures from streams that end early, stall or reach the time limit.
@Suite(.timeLimit(.minutes(10))) struct EndingTests {
    private func run(
        _ source: String, _ shutter: String, _ folder: TemporaryFolder, _ more: String..., branch: String = ""
    ) throws -> BuiltCommand.Result {
        let text = """
            gscapsensorsrc \(source) ! video/x-bayer,format=rggb12le,width=320,height=240,framerate=${RATE:-30/1}
              ! rawunpack ! tee name=raw
            raw. ! queue ! rawshutter name=shutter \(shutter) ! tee name=burst
            burst. ! queue ! rawfusion ! dngenc ! filesink location=photo.dng
            \(branch)
            """
        let file = try folder.write(text, to: "pipeline.txt")
        return try BuiltCommand(["--pipeline", file, "--json", "--output", folder.path("out")] + more).wait()
    }

    @Test func aSourceThatEndsInTheBurst() throws {
        let folder = try TemporaryFolder()
        let result = try run("is-live=false num-buffers=3", "frames=8", folder)
        #expect(result.code == 74)
        #expect(result.errors.contains("ended"), "\(result.errors)")
        // The error is printed once, though the shutter warns of it and each branch reports it.
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(try result.events().contains { $0["event"] as? String == "failed" })
        #expect(folder.names(in: "out").isEmpty)
    }

    /// The fault: the photo after the end was tried before the pipeline had ended, and its message was a second one.
    @Test(arguments: ["", "raw. ! queue ! identity sleep-time=1500000 ! fakesink sync=false async=false"])
    func aSourceThatEndsBetweenPhotos(branch: String) throws {
        let folder = try TemporaryFolder()
        let result = try run("is-live=false num-buffers=2", "frames=2", folder, "--photos", "5", branch: branch)
        #expect(result.code == 74)
        #expect(result.errors.contains("ended"), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(folder.names(in: "out") == ["photo-0001.dng"])
        #expect(CompletePictures.faults(in: folder) == [])
    }

    @Test func aSourceThatGivesNothing() throws {
        let folder = try TemporaryFolder()
        let before = ContinuousClock.now
        let result = try run("", "frames=2", folder, "--var", "RATE=1/1000", "--timeout", "1")
        #expect(result.code == 75)
        #expect(result.errors.contains("--timeout"), "\(result.errors)")
        #expect(ContinuousClock.now - before < .seconds(20))
        #expect(folder.names(in: "out").isEmpty)
        #expect(try result.reasons().count { $0.contains("--timeout") } == 1)
    }

    /// The fault: the reason was on standard error alone.
    @Test func aPhotoThatIsNotFinishedInTimeIsAnEvent() throws {
        let folder = try TemporaryFolder()
        let result = try run("", "frames=64", folder, "--timeout", "1", "--photos", "3")
        #expect(result.code == 75)
        let reasons = try result.reasons()
        #expect(reasons.count == 1 && reasons[0].contains("--timeout"), "\(reasons)")
        #expect(result.errors == "gscap: \(reasons.joined())\n")
    }

    /// The session and the photo that it ends have the same message.
    @Test func aCameraWithoutFramesIsReportedOnce() throws {
        let folder = try TemporaryFolder()
        let text = """
            appsrc is-live=true do-timestamp=true
              caps=video/x-bayer,format=rggb12le,width=64,height=64,framerate=10/1
              ! rawunpack ! rawshutter ! dngenc ! filesink location=photo.dng
            """
        let file = try folder.write(text, to: "pipeline.txt")
        let result = try BuiltCommand.run("--pipeline", file, "--output", folder.path("out"))
        #expect(result.code == 74)
        #expect(result.errors == "gscap: the camera delivers no frames\n")
    }

    @Test func aSourceThatNeverStarts() throws {
        let folder = try TemporaryFolder()
        // Opening a FIFO without a writer blocks forever.
        #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let text = """
            filesrc location=\(folder.path("pipe")) ! video/x-bayer,format=rggb12le,width=64,height=64,framerate=10/1
              ! rawunpack ! rawshutter ! dngenc ! filesink location=photo.dng
            """
        let file = try folder.write(text, to: "pipeline.txt")
        let result = try BuiltCommand.run(
            "--pipeline", file, "--timeout", "1", "--json", "--output", folder.path("out"))
        #expect(result.code == 75)
        let reason = "the pipeline did not start within the time given by --timeout"
        #expect(result.errors == "gscap: \(reason)\n")
        #expect(try result.reasons() == [reason])
        #expect(folder.names(in: "out").isEmpty)
    }

    /// The fault: the exit code was 0. A read of a FIFO in which nobody writes blocks until the process ends.
    @Test func aPipelineThatDoesNotStopIsAFailure() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let writer = unsafe open(folder.path("pipe"), O_RDWR)
        defer { close(writer) }
        let text = """

            gscapsensorsrc ! video/x-bayer,format=rggb12le,width=64,height=64,framerate=10/1
              ! rawunpack ! rawshutter frames=1 ! dngenc ! filesink location=photo.dng
            filesrc location=\(folder.path("pipe")) ! fakesink async=false
            """

        let file = try folder.write(text, to: "pipeline.txt")
        let result = try BuiltCommand.run("--pipeline", file, "--output", folder.path("out"))
        #expect(result.code == 74)
        #expect(result.errors == "gscap: the pipeline did not stop in time, so it was abandoned\n")
        #expect(folder.names(in: "out") == ["photo-0001.dng"])
    }

    @Test func aPipelineWithoutShutterEndsWithItsSource() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "gscapsensorsrc num-buffers=3 ! video/x-bayer,width=64,height=64 ! fakesink", to: "a")
        let result = try BuiltCommand.run("--pipeline", file, "--timeout", "30")
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
    }
}
