import Foundation
import Glibc
import TemporaryFolders
import Testing

/// SIGINT and SIGKILL at every stage leave only complete files in the folder.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InterruptTests {
    /// Starts gscap capturing bursts: each takes about half a second of frames, then the fusion and two files.
    private func start(_ folder: TemporaryFolder, _ more: String...) throws -> BuiltCommand {
        try BuiltCommand(
            [
                "--pipeline", "pipelines/headless.txt", "--json", "--output", folder.path("out"), "--var", "WIDTH=1280",
                "--var", "HEIGHT=960",
            ] + more)
    }

    /// A moment during gscap's start at which a signal is sent.
    enum StartMoment: CaseIterable, Sendable {
        case processStarted, runtimeLoaded, handlersInstalled, pluginsLoaded, started

        /// Waits for this moment of the command's start; returns false if it never comes.
        func wait(for command: BuiltCommand) -> Bool {
            switch self {
            case .processStarted: true
            case .runtimeLoaded: command.waitForState { $0.maps("libswiftCore.so") }
            case .handlersInstalled: command.waitForState { $0.catches(SIGINT) }
            case .pluginsLoaded: command.waitForState { $0.maps("libgstcoreelements.so") }
            case .started: command.waitForOutput(#""event":"started""#)
            }
        }
    }

    @Test(arguments: StartMoment.allCases)
    func rightAfterTheStart(moment: StartMoment) throws {
        let folder = try TemporaryFolder()
        let command = try start(folder, "--photos", "1000")
        #expect(moment.wait(for: command))
        command.process.interrupt()
        let result = command.wait()
        // Until gscap installs its handlers, SIGINT kills the process, which a shell reports as 130 too.
        let mayBeKilled = [.processStarted, .runtimeLoaded].contains(moment)
        #expect(result.code == 130 && !result.wasKilled || mayBeKilled && result.wasKilled && result.code == SIGINT)
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
        let command = try start(folder, "--set", "camera.is-live=true", "--var", "FRAMES=64", "--var", "RATE=20")
        #expect(command.waitForOutput(#""event":"frame""#))
        command.process.interrupt()
        #expect(command.waitForErrors("stopping after the current photo"))
        // The fusion of 64 frames takes seconds: after the first signal gscap would go on until it is complete.
        #expect(command.process.isRunning)
        command.process.interrupt()
        let result = command.wait()
        #expect(result.code == 130)
        let frames = try result.events().filter { $0["event"] as? String == "frame" }
        #expect(frames.count < 64)
        #expect(folder.names(in: "out").isEmpty)
    }

    /// A camera whose thread blocks, as a driver may. The fault: gscap was still alive ten minutes after SIGTERM.
    @Test func aBlockedCameraDoesNotKeepGscapAlive() throws {
        let folder = try TemporaryFolder()
        let text = """
            gscapsensorsrc ! video/x-bayer,format=rggb12le,width=320,height=240,framerate=30/1
              ! identity sleep-time=600000000 ! rawunpack ! rawshutter name=shutter frames=2 ! dngenc
              ! filesink location=a.dng
            """
        try text.write(toFile: folder.path("blocked.txt"), atomically: true, encoding: .utf8)
        let command = try BuiltCommand([
            "--pipeline", folder.path("blocked.txt"), "--photos", "100", "--json", "--output", folder.path("out"),
        ])
        #expect(command.waitForOutput(#""event":"started""#))
        command.process.terminate()
        let result = command.wait()
        #expect(!result.wasKilled)
        #expect(result.code != 0)
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

    /// Kills gscap during the burst, the fusion, the encoding, the writing of a file and between two files.
    @Test(arguments: ["frame", "fusing", "fused", "open file", "file"], 1...3)
    func killedAtAnyMoment(moment: String, photo: Int) throws {
        let folder = try TemporaryFolder()
        let command = try start(folder, "--photos", "1000", "--var", "FRAMES=1")
        if moment == "open file" {
            let out = URL(fileURLWithPath: folder.path("out")).resolvingSymlinksInPath().path
            #expect(command.waitForOutput(#""event":"frame""#, count: photo))
            #expect(command.waitForState { $0.hasOpenFile(in: out) })
        } else {
            #expect(command.waitForOutput(#""event":"\#(moment)""#, count: photo))
        }
        kill(command.process.processIdentifier, SIGKILL)
        #expect(command.wait().wasKilled)
        // The claim on the photo's name may be left; a file system without O_TMPFILE may also be left with a hidden
        // temporary file, but never with an incomplete photo.
        let hidden = CompletePictures.faults(in: folder).filter {
            $0.hasPrefix(".") && ($0.contains(".gscap") || !folder.hasNamelessFiles)
        }
        #expect(CompletePictures.faults(in: folder).filter { !hidden.contains($0) } == [])
    }
}

/// The state of a process, read from its folder in /proc.
extension URL {
    /// Whether the process has mapped a library with this file name.
    fileprivate func maps(_ library: String) -> Bool {
        // The file is read by a FileHandle, since String(contentsOf:) reads only its first page.
        let maps = FileHandle(forReadingAtPath: appending(path: "maps").path)?.readDataToEndOfFile() ?? Data()
        return maps.range(of: Data("/\(library)".utf8)) != nil
    }

    /// Whether the process has a handler for a signal.
    func catches(_ signal: Int32) -> Bool {
        let status = (try? String(contentsOf: appending(path: "status"), encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
        return mask & (1 << UInt64(signal - 1)) != 0
    }

    /// Whether the process has a file in this folder open, with or without a name.
    fileprivate func hasOpenFile(in folder: String) -> Bool {
        let manager = FileManager.default
        let descriptors = (try? manager.contentsOfDirectory(atPath: appending(path: "fd").path)) ?? []
        return descriptors.contains { name in
            let target = try? manager.destinationOfSymbolicLink(atPath: appending(path: "fd").path + "/" + name)
            return target?.hasPrefix(folder + "/") == true
        }
    }
}

extension TemporaryFolder {
    /// Whether the folder's file system supports unnamed files (O_TMPFILE, whose macro Swift cannot import from Glibc).
    fileprivate var hasNamelessFiles: Bool {
        let descriptor = unsafe open(url.path, 0o20_000_000 | O_DIRECTORY | O_WRONLY, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
