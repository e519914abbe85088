import Foundation
import Glibc
import RandomSequences
import TemporaryFolders
import Testing

/// Several commands store photos in one folder: no photo is lost, and no number has files of two photos.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SharedFolderTests {
    /// The number of commands and of the photos of each; `GSCAP_EXHAUSTIVE=1` makes it 200 photos of ten commands.
    private static let commands = TestExtent.isExhaustive ? 10 : 3
    private static let photos = TestExtent.isExhaustive ? 20 : 3

    private func start(_ folder: TemporaryFolder, _ more: String...) throws -> BuiltCommand {
        try BuiltCommand(
            [
                "pipelines/headless.txt", "--json", "--output", folder.path("out"), "--var", "WIDTH=64", "--var",
                "HEIGHT=48", "--var", "FRAMES=1",
            ] + more)
    }

    /// The numbers of the photos of one command, each with its files: those of one capture have one number.
    private func numbers(_ result: BuiltCommand.Result) throws -> [String] {
        let files = try result.events().filter { $0["event"] as? String == "file" }
        let captures = Dictionary(grouping: files) { $0["capture"] as? Int ?? 0 }
        return try captures.values.flatMap { files -> Set<String> in
            let names = files.compactMap { $0["file"] as? String }.map { URL(fileURLWithPath: $0).lastPathComponent }
            let numbers = Set(names.map { String($0.prefix { $0 != "." }) })
            try #require(numbers.count == 1, "the files of one photo have several numbers: \(names)")
            return numbers
        }
    }

    @Test func everyPhotoIsStored() throws {
        let folder = try TemporaryFolder()
        let commands = try (0..<Self.commands).map { _ in try start(folder, "--photos", "\(Self.photos)") }
        var all: [String] = []
        for command in commands {
            let result = command.wait()
            #expect(result.code == 0, "\(result.errors)")
            all += try numbers(result)
        }
        #expect(all.count == Self.commands * Self.photos)
        #expect(Set(all).count == all.count, "a number has files of two photos")
        let names = folder.names(in: "out")
        #expect(names.sorted() == all.flatMap { [$0 + ".dng", $0 + ".jpg"] }.sorted())
        #expect(CompletePictures.faults(in: folder) == [])
    }

    /// One command is killed while others store photos: the others lose nothing, no number has files of two photos, and
    /// the next command deletes the claims that the killed one left.
    @Test func aKilledCommandTakesNoPhotoAway() throws {
        let folder = try TemporaryFolder()
        let killed = try (0..<max(1, Self.commands / 2)).map { _ in try start(folder, "--photos", "100000") }
        let commands = try (0..<Self.commands).map { _ in try start(folder, "--photos", "\(Self.photos)") }
        for command in killed {
            #expect(command.waitForOutput(#""event":"file""#, count: 3))
            kill(command.process.processIdentifier, SIGKILL)
        }
        var all: [String] = []
        for command in commands {
            let result = command.wait()
            #expect(result.code == 0, "\(result.errors)")
            all += try numbers(result)
        }
        #expect(all.count == Self.commands * Self.photos)
        for command in killed {
            let result = command.wait()
            #expect(result.wasKilled)
            // The last line may be incomplete, and the last photo without its second file.
            let lines = result.output.split(separator: "\n").filter { $0.hasSuffix("}") }
            let complete = BuiltCommand.Result(code: 0, output: lines.joined(separator: "\n"), errors: "")
            all += try numbers(complete)
        }
        #expect(Set(all).count == all.count, "a number has files of two photos")
        let result = try start(folder, "--photos", "1").wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.names(in: "out").filter { $0.hasPrefix(".") && $0.hasSuffix(".gscap") } == [])
    }

    /// A claim of a killed process does not use up its number.
    @Test func aRemnantIsDeleted() throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: [], to: "out/.photo-0001.gscap")
        try folder.write(bytes: [], to: "out/.photo-0009.gscap")
        #expect(try start(folder).wait().code == 0)
        #expect(folder.names(in: "out") == ["photo-0001.dng", "photo-0001.jpg"])
    }

    /// The second Ctrl-C ends the process at once, and leaves neither a claim nor an empty folder.
    @Test func nothingIsLeftByTheSecondSignal() throws {
        let folder = try TemporaryFolder()
        let command = try start(
            folder, "--set", "camera.is-live=true", "--set", "shutter.frames=64", "--var", "RATE=20")
        #expect(command.waitForOutput(#""event":"frame""#))
        command.process.interrupt()
        #expect(command.waitForErrors("stopping after the current photo"))
        command.process.interrupt()
        #expect(command.wait().code == 130)
        #expect(folder.names == [])
    }

    @Test func existingFilesAreReplacedIfAsked() throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: [1], to: "out/photo-0001.dng")
        #expect(try start(folder, "--overwrite", "--photos", "2").wait().code == 0)
        #expect(folder.names(in: "out") == ["photo-0001.dng", "photo-0001.jpg", "photo-0002.dng", "photo-0002.jpg"])
        #expect(CompletePictures.faults(in: folder) == [])
        #expect(try start(folder, "--overwrite", "--name", "latest", "--photos", "2").wait().code == 0)
        #expect(folder.names(in: "out").filter { $0.hasPrefix("latest") } == ["latest.dng", "latest.jpg"])
    }

    @Test func namesHaveTheDate() throws {
        let folder = try TemporaryFolder()
        #expect(try start(folder, "--name", "%Y-%m-%d_{n}_100%%").wait().code == 0)
        let pattern = try Regex("20[0-9]{2}-[0-9]{2}-[0-9]{2}_0001_100%\\.(dng|jpg)")
        #expect(folder.names(in: "out").count { $0.wholeMatch(of: pattern) != nil } == 2)
        for name in ["%D", "%", "%Q", String(repeating: "a", count: 250)] {
            #expect(try start(folder, "--name", name).wait().code == 64)
        }
    }

    /// The command of --after gets the files of each photo, in the order of the photos.
    @Test func aCommandRunsAfterEachPhoto() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("log")
        let result = try start(
            folder, "--photos", "2", "--after", "echo \"$#\" >> '\(log)'; printf '%s\\n' >> '\(log)'"
        )
        .wait()
        #expect(result.code == 0, "\(result.errors)")
        let lines = String(decoding: try folder.bytes("log"), as: UTF8.self).split(separator: "\n")
        let names = lines.map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(names.filter { $0 == "2" }.count == 2)
        #expect(Set(names).subtracting(["2"]).count == 4, "\(lines)")
        #expect(try result.events().filter { $0["event"] as? String == "after" }.count == 2)
        let failed = try start(folder, "--after", "exit 3; true").wait()
        #expect(failed.code == 74)
        #expect(failed.errors.contains("exit code 3"), "\(failed.errors)")
    }
}
