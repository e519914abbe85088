import Foundation
import Glibc
import TemporaryFolders
import Testing

/// `gscap --live` and `--motion-photo` with the built command.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LivePhotoTests {
    private let camera = ["--size", "320x240", "--rate", "30", "--no-preview", "--json"]

    private func files(_ result: BuiltCommand.Result) throws -> [[String: Any]] {
        try result.events().filter { $0["event"] as? String == "file" }
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func aPairIsStored() throws {
        let folder = try TemporaryFolder()
        let words = ["--live", "--output", folder.path("photos")] + camera
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 0, "\(result.errors)")
        let file = try #require(try files(result).first)
        #expect(try names(folder.path("photos")) == ["photo-0001.jpg", "photo-0001.mov"])
        let (length, still) = (file["movieSeconds"] as? Double ?? 0, file["stillSeconds"] as? Double ?? 0)
        #expect(length > 2.4 && length < 3.1 && still > 1 && still < 2, "\(length), \(still)")
        let identifier = try #require(file["contentIdentifier"] as? String)
        for name in ["photo-0001.jpg", "photo-0001.mov"] {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("photos/\(name)")))
            #expect(data.range(of: Data(identifier.utf8)) != nil, "\(name)")
        }
    }

    @Test func aMotionPhotoIsOneFile() throws {
        let folder = try TemporaryFolder()
        let words = ["--motion-photo", "--output", folder.path("photos")] + camera
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(try names(folder.path("photos")) == ["photo-0001.MP.jpg"])
        let file = try #require(try files(result).first)
        #expect(file["movie"] is NSNull && file["movieFrames"] as? Int ?? 0 > 30)
    }

    /// The fault: a movie that did not fit on the disk lost its still, too, and the error named a hidden file. The
    /// limit on the size of files, in units of 1024 bytes, is above the still's size and below that of a movie of four
    /// frames, which even a busy machine records.
    @Test(arguments: [("--live", "photo-0001.jpg"), ("--motion-photo", "photo-0001.MP.jpg")])
    func aMovieThatDoesNotFitLeavesTheStill(option: String, still: String) throws {
        let folder = try TemporaryFolder()
        let program = BuiltCommand.folder.appending(path: "gscap").path
        let camera = "--size 640x480 --rate 30 --no-preview --json"
        let words = "\(option) \(camera) --quality 5 --output '\(folder.path("photos"))'"
        let result = try BuiltCommand(["-c", "ulimit -f 26; exec '\(program)' \(words)"], program: "/bin/bash").wait()
        #expect(result.code == 74, "\(result.errors)")
        #expect(result.errors.contains("gscap: the still is stored without a movie: "), "\(result.errors)")
        #expect(result.errors.contains("limit on files") && !result.errors.contains(".pair"), "\(result.errors)")
        #expect(try names(folder.path("photos")) == [still])
        let file = try #require(try files(result).first)
        #expect(file["movie"] == nil && file["contentIdentifier"] == nil)
        #expect(try result.reasons().count == 1)
        #expect(try folder.bytes("photos/\(still)").range(of: Data("MotionPhoto".utf8)) == nil)
    }

    /// Ctrl-C before the time before the press is recorded takes no photo, and a message says so.
    @Test func controlCBeforeThePhotoIsReported() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand(["--live", "--output", folder.path("photos")] + camera)
        #expect(command.waitForOutput(#""event":"started""#))
        command.process.interrupt()
        let result = command.wait()
        #expect(result.code == 130)
        // On a busy machine, the photo may be under way.
        let isTaken = !folder.names(in: "photos").isEmpty
        #expect(result.errors.contains("gscap: no photo was taken\n") != isTaken, "\(result.errors)")
    }

    @Test func whatALivePhotoExcludesIsRefused() throws {
        let folder = try TemporaryFolder()
        for words in [
            ["--live", "--motion-photo"], ["--live", "--raw", "proraw"], ["--live", "--format", "png"],
            ["--live", "--deferred"], ["--live", "--pipeline", "pipelines/proraw.txt"],
        ] {
            let result = try BuiltCommand(words + ["--output", folder.path("photos"), "--no-preview"]).wait()
            #expect(result.code == 64, "\(words): \(result.code), \(result.errors)")
        }
    }
}
