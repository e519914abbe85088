import Foundation
import Glibc
import TemporaryFolders
import Testing

/// Files that are pipes, streams without an end, and names that are not text.
@Suite(.timeLimit(.minutes(10))) struct StrangeFileTests {
    private static let gscap = BuiltCommand.folder.appending(path: "gscap").path

    private func shell(_ script: String, in folder: TemporaryFolder) throws -> BuiltCommand.Result {
        try BuiltCommand(["-c", script, Self.gscap], program: "/bin/bash", folder: folder.url).wait()
    }

    /// Opening a pipe that no program writes into must not wait for one.
    @Test(arguments: [
        "inspect pipe.dng", "verify pipe.dng", "develop pipe.dng out.png", "convert pipe.dng out.dng",
        "fuse pipe.dng photo.dng -o out.dng", "inspect pipe.nef", "verify photo.dng --against pipe.dng",
    ]) func aPipeIsNoPhoto(words: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(TestFrame(), to: "photo.dng")
        for name in ["pipe.dng", "pipe.nef"] { #expect(unsafe mkfifo(folder.path(name), 0o600) == 0) }
        let run = try shell("\"$0\" \(words)", in: folder)
        #expect(run.code == 66 && run.errors.contains("is a pipe"), "\(run.code): \(run.errors)")
        #expect(!folder.names.contains("out.dng"))
    }

    @Test func pipesInFoldersAndBesidePhotosAreLeftOut() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        _ = try folder.write(TestFrame(), to: "in/photo.dng")
        for name in ["in/pipe.dng", "in/photo.xmp"] { #expect(unsafe mkfifo(folder.path(name), 0o600) == 0) }
        for words in ["inspect in", "verify in", "convert in -o dng/", "develop in -o png/ --format png"] {
            let run = try shell("\"$0\" \(words)", in: folder)
            #expect(run.code == 0, "\(words): \(run.errors)")
            #expect(run.errors.contains("is a pipe") == words.hasPrefix("develop"), "\(words): \(run.errors)")
        }
        #expect(folder.names(in: "dng") == ["photo.dng"])
    }

    /// The first bytes of standard input show that it is no photo; the rest of an endless stream is not read.
    @Test(arguments: [
        ("inspect - < /dev/zero", "larger than 1000000 bytes"), ("verify - < /dev/zero", "neither II nor MM"),
        ("develop - out.png < /dev/zero", "neither II nor MM"), ("convert - out.dng < /dev/zero", "neither II nor MM"),
        ("verify - < <(yes)", "neither II nor MM"), ("develop - out.png < /dev/null", "is empty"),
    ]) func endlessStandardInput(words: String, reason: String) throws {
        let run = try shell("\"$0\" \(words)", in: try TemporaryFolder())
        #expect([65, 66].contains(run.code), "\(run.code): \(run.errors)")
        #expect((run.errors + run.output).contains(reason), "\(run.errors)\(run.output)")
    }

    /// Names in Latin-1, as older systems wrote them, are opened from folders and from the command line, and outputs
    /// are named after them.
    @Test func namesThatAreNotUTF8() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(TestFrame(), to: "photo.dng")
        let name = #"in/$'caf\xe9.dng'"#
        #expect(try shell("mkdir in; mv photo.dng \(name)", in: folder).code == 0)
        for words in ["inspect in", "verify in", "inspect \(name)", "convert in -o out/"] {
            let run = try shell("\"$0\" \(words)", in: folder)
            #expect(run.code == 0 && run.output.contains(#"caf\xE9.dng"#), "\(words): \(run.errors)\(run.output)")
        }
        #expect(try shell(#"test -s out/$'caf\xe9.dng'"#, in: folder).code == 0)
        let events = try shell("\"$0\" inspect in --json", in: folder).events()
        #expect(events.first?["file"] as? String == #"in/caf\xE9.dng"#)
    }

    /// A terminal obeys none of the control characters in names and metadata. JSON has the names unchanged.
    @Test func controlCharactersAreNotPrinted() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(TestFrame(), to: "photo.dng")
        let name = #"in/$'a\e[31m\nb\xc2\x9b.dng'"#
        #expect(try shell("mkdir in; mv photo.dng \(name)", in: folder).code == 0)
        for words in ["inspect in", "verify in", #"inspect in/$'none\e[31m.dng'"#] {
            let run = try shell("\"$0\" \(words)", in: folder)
            let text = run.output + run.errors
            #expect(text.contains(#"\x1B[31m"#), "\(words): \(text)")
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        }
        let events = try shell("\"$0\" verify in --json", in: folder).events()
        #expect((events.first?["file"] as? String)?.hasPrefix("in/a\u{1B}[31m\nb") == true)
    }

    /// A result that cannot be printed is an error.
    @Test(arguments: ["inspect photo.dng", "verify photo.dng", "inspect photo.dng --json", "devices", "--help", "help"])
    func aClosedStandardOutputTakesNoResult(words: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(TestFrame(), to: "photo.dng")
        let run = try shell("\"$0\" \(words) >&-", in: folder)
        #expect(run.code == 74 && run.errors.contains("standard output is closed"), "\(run.code): \(run.errors)")
        #expect(try shell("\"$0\" \(words) > /dev/null", in: folder).code == 0)
    }
}
