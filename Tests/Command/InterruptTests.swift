import Foundation
import Glibc
import Testing

/// SIGINT and SIGKILL at every stage leave only complete files in the folder.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InterruptTests {
    /// Starts captures of bursts: about half a second of frames, then the fusion and two files.
    private func start(_ folder: TemporaryFolder, _ more: String...) throws -> BuiltCommand {
        try BuiltCommand(
            [
                "--pipeline", "pipelines/headless.txt", "--json", "--output", folder.path("out"), "--var", "WIDTH=1280",
                "--var", "HEIGHT=960",
            ] + more)
    }

    @Test(arguments: [0, 5, 20, 50, 100, 200])
    func rightAfterTheStart(milliseconds: UInt32) throws {
        let folder = try TemporaryFolder()
        let command = try start(folder, "--photos", "1000")
        usleep(milliseconds * 1000)
        command.process.interrupt()
        let result = command.wait()
        // Until gscap installs its handlers, SIGINT kills the process, which a shell reports as 130 too.
        #expect(result.code == 130 || result.wasKilled && result.code == SIGINT)
        #expect(CompletePictures.faults(in: folder) == [])
    }

    @Test(arguments: [#""event":"frame""#, #""event":"fusing""#, #""event":"file""#])
    func thePhotoUnderWayIsFinished(stage: String) throws {
        let folder = try TemporaryFolder()
        let command = try start(
            folder, "--photos", "1000", "--set", "camera.is-live=true", "--var", "FRAMES=8", "--var", "RATE=20")
        #expect(command.waitForOutput(stage))
        command.process.interrupt()
        let result = command.wait()
        #expect(result.code == 130)
        #expect(!result.wasKilled)
        #expect(result.errors == "gscap: stopping after the current photo; a second Ctrl-C stops at once\n")
        let files = folder.names(in: "out")
        #expect(files.count >= 2 && files.count.isMultiple(of: 2), "\(files)")
        #expect(CompletePictures.faults(in: folder) == [])
        #expect(try result.events().last?["files"] as? Int == files.count)
    }

    @Test func theSecondStopsAtOnce() throws {
        let folder = try TemporaryFolder()
        let command = try start(folder, "--set", "camera.is-live=true", "--var", "FRAMES=64", "--var", "RATE=2")
        #expect(command.waitForOutput("started"))
        usleep(300_000)
        command.process.interrupt()
        usleep(300_000)
        #expect(command.process.isRunning)
        let before = ContinuousClock.now
        command.process.interrupt()
        #expect(command.wait().code == 130)
        #expect(ContinuousClock.now - before < .seconds(5))
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func aPreviewEndsByCtrlC() throws {
        let command = try BuiltCommand([
            "--pipeline", "pipelines/preview.txt", "--json", "--var", "WIDTH=1280", "--var", "HEIGHT=960",
        ])
        #expect(command.waitForOutput("started"))
        command.process.interrupt()
        let result = command.wait()
        #expect(result.code == 130)
        #expect(!result.wasKilled)
    }

    @Test(arguments: 0..<15)
    func killedAtAnyMoment(run: UInt32) throws {
        let folder = try TemporaryFolder()
        let command = try start(folder, "--photos", "1000", "--var", "FRAMES=1")
        #expect(command.waitForOutput("started"))
        usleep(run * 37_000 + UInt32.random(in: 0..<37_000))
        kill(command.process.processIdentifier, SIGKILL)
        #expect(command.wait().wasKilled)
        // A file system without O_TMPFILE may be left with a hidden temporary file, but never with an incomplete photo.
        let hidden = folder.hasNamelessFiles ? [] : CompletePictures.faults(in: folder).filter { $0.hasPrefix(".") }
        #expect(CompletePictures.faults(in: folder).filter { !hidden.contains($0) } == [])
    }
}

extension TemporaryFolder {
    /// Whether its file system supports unnamed files (O_TMPFILE, whose macro Swift cannot import from Glibc).
    fileprivate var hasNamelessFiles: Bool {
        let descriptor = unsafe open(url.path, 0o20_000_000 | O_DIRECTORY | O_WRONLY, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
