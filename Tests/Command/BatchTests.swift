import Foundation
import TemporaryFolders
import Testing

/// Commands over many files and folders, their errors, and names of outputs.
@Suite(.timeLimit(.minutes(10))) struct BatchTests {
    /// Stores DNGs of bursts in a folder: `photo-0001.dng` to `photo-000N.dng`.
    private func photos(_ count: Int, in folder: TemporaryFolder, _ name: String = "card") throws {
        let result = try BuiltCommand.run(
            "pipelines/headless.txt", "--photos", "\(count)", "--output", folder.path(name), "--var", "WIDTH=64",
            "--var", "HEIGHT=48", "--var", "FRAMES=1")
        try #require(result.code == 0, "\(result.errors)")
    }

    @Test func missingInputIsAnEvent() throws {
        for words in [
            ["verify", "no.dng"], ["inspect", "no.dng"], ["convert", "no.dng", "b.dng"], ["no/pipeline.txt"],
        ] {
            let result = try BuiltCommand(words + ["--json"]).wait()
            #expect(result.code == 66, "\(words)")
            let event = try #require(try result.events().first)
            #expect(event["event"] as? String == "failed" && event["exitCode"] as? Int == 66)
            #expect(event["file"] as? String == words.first { $0.hasPrefix("no") }, "\(words)")
        }
    }

    @Test func aFileThatFailsDoesNotStopTheOthers() throws {
        let folder = try TemporaryFolder()
        try photos(2, in: folder)
        try FileManager.default.moveItem(atPath: folder.path("card"), toPath: folder.path("100"))
        try folder.write(bytes: Array("no DNG".utf8), to: "card/DCIM/bad.dng")
        try FileManager.default.moveItem(atPath: folder.path("100"), toPath: folder.path("card/DCIM/100"))
        let (card, missing) = (folder.path("card"), folder.path("missing.dng"))
        for (command, event) in [("verify", "verified"), ("inspect", "dng")] {
            let result = try BuiltCommand.run(command, missing, card, "--json")
            #expect(result.code == 66, "\(result.errors)")
            #expect(try result.events().filter { $0["event"] as? String == event }.count >= 2)
        }
        for (command, ending) in [("convert", "dng"), ("develop", "jpg")] {
            let out = folder.path(command)
            let result = try BuiltCommand.run(command, missing, card, "-o", out + "/", "--json")
            #expect(result.code == 66, "\(result.errors)")
            #expect(folder.names(in: command) == ["photo-0001.\(ending)", "photo-0002.\(ending)"])
            #expect(try result.events().last?["failed"] as? Int == 2)
            // A second run keeps the files; with --overwrite it replaces them.
            let kept = try BuiltCommand.run(command, card + "/DCIM/100", "-o", out, "--json")
            #expect(try kept.code == 0 && kept.events().last?["kept"] as? Int == 2)
            let again = try BuiltCommand.run(command, card + "/DCIM/100", "-o", out, "--overwrite")
            #expect(again.code == 0 && again.output.contains("2 photos "), "\(again.output)")
        }
        let one = try BuiltCommand.run("convert", card + "/DCIM/100/photo-0001.dng", "-o", folder.path("one") + "/")
        #expect(one.output.contains("1 photo converted"), "\(one.output)")
    }

    @Test func anExistingFileIsReplacedIfAsked() throws {
        let folder = try TemporaryFolder()
        try photos(1, in: folder)
        let (photo, copy) = (folder.path("card/photo-0001.dng"), folder.path("copy.dng"))
        for words in [["convert", photo, copy], ["develop", photo, folder.path("copy.jpg")]] {
            #expect(try BuiltCommand(words).wait().code == 0)
            #expect(try BuiltCommand(words).wait().code == 73)
            #expect(try BuiltCommand(words + ["--overwrite"]).wait().code == 0)
        }
        // In place: the file is read before it is replaced.
        #expect(try BuiltCommand.run("convert", photo, photo, "--overwrite").code == 0)
        #expect(try BuiltCommand.run("verify", photo).code == 0)
    }

    /// --overwrite replaces no photo by what is made from it, also not through a link.
    @Test func noPhotoIsReplacedByItsPicture() throws {
        let folder = try TemporaryFolder()
        let (photo, link) = (try folder.write(TestFrame(), to: "photo.dng"), folder.path("link.png"))
        let before = try folder.bytes("photo.dng")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: photo)
        for words in [
            ["develop", photo, link], ["develop", photo, photo, "--format", "jpeg"],
            ["develop", photo, link, "--histogram"], ["inspect", photo, "--extract", "preview", "-o", photo],
        ] {
            let run = try BuiltCommand(words + ["--overwrite"]).wait()
            #expect(run.code == 73 && run.errors.contains("name another output"), "\(words): \(run.errors)")
        }
        #expect(try folder.bytes("photo.dng") == before)
    }

    /// In a run over many photos none replaces another one.
    @Test func noOtherPhotoIsReplaced() throws {
        let folder = try TemporaryFolder()
        let one = try folder.write(TestFrame(), to: "one.dng")
        let two = try folder.write(TestFrame(), to: "two.dng")
        let before = try folder.bytes("two.dng")
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.path("out/one.dng"), withDestinationPath: two)
        let run = try BuiltCommand.run("convert", one, two, "-o", folder.path("out/"), "--overwrite")
        #expect(run.code == 73 && run.errors.contains("the same file as the input \(two)"), "\(run.errors)")
        #expect(try folder.bytes("two.dng") == before && folder.names(in: "out") == ["one.dng", "two.dng"])
    }

    @Test func noEmptyFolderIsLeft() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path("missing.dng")
        #expect(try BuiltCommand.run("develop", missing, "-o", folder.path("a/b") + "/").code == 66)
        #expect(try BuiltCommand.run("convert", missing, "-o", folder.path("a/b") + "/").code == 66)
        #expect(try BuiltCommand.run("fuse", missing, missing, "-o", folder.path("a/b") + "/").code == 66)
        let text = "gscapsensorsrc num-buffers=1 ! video/x-bayer,width=64,height=48 ! rawunpack ! rawshutter frames=2"
        let file = try folder.write(text + " ! rawfusion ! dngenc ! filesink location=a.dng", to: "p.txt")
        #expect(try BuiltCommand.run(file, "--output", folder.path("a/b")).code == 74)
        #expect(folder.names == ["p.txt"])
    }

    @Test func outputsOfAnotherFormatAreUsageErrors() throws {
        let folder = try TemporaryFolder()
        for words in [
            ["convert", "a.dng", folder.path("x.jpg")], ["fuse", "a.dng", "b.dng", "-o", folder.path("x.jpg")],
            ["fuse", folder.url.path, "-o", folder.path("x.heic")],
            ["pipelines/headless.txt", "--output", folder.path("x.jpg")],
        ] {
            let result = try BuiltCommand(words).wait()
            #expect(result.code == 64)
            #expect(result.errors.contains("x.") && !result.errors.contains("no such file"), "\(result.errors)")
        }
        #expect(folder.names == [])
    }

    @Test(arguments: [
        (["verfy"], "verify"), (["--pipelin", "a"], "--pipeline"), (["plan", "--fromat", "jpeg"], "--format"),
        (["convert", "a", "b.dng", "--compression", "lossles"], "lossless"), (["plan", "--format", "jepg"], "jpeg"),
        (["fuse", "a", "-o", "b.dng", "--effort", "quallity"], "quality"), (["help", "develp"], "develop"),
        (["pipelines/headless.txt", "--name", "{nn}"], "n"),
    ])
    func mistypedWords(words: [String], meant: String) throws {
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 64)
        #expect(result.errors.contains("did you mean \(meant)?"), "\(result.errors)")
    }

    @Test func integersAreIntegers() throws {
        let folder = try TemporaryFolder()
        try photos(1, in: folder)
        let result = try BuiltCommand.run("inspect", folder.path("card/photo-0001.dng"), "--json")
        for part in [#""orientation":1,"#, #""framesUsed":1,"#, #""size":[64,48]"#] {
            #expect(result.output.contains(part), "\(result.output)")
        }
    }
}
