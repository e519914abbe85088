import CameraRaw
import Foundation
import TemporaryFolders
import Testing

/// Tests of the command with cameras' own raw files, which LibRaw reads.
@Suite(.timeLimit(.minutes(10))) struct CameraRawTests {
    @Test func aCameraRawBecomesADNGOfTheSamePicture() throws {
        let folder = try TemporaryFolder()
        let raw = try folder.write(TestCameraRaw(), to: "DSC00001.ARW")
        let dng = folder.path("photo.dng")
        let converted = try BuiltCommand.run("convert", raw, dng, "--embed-original")
        #expect(converted.code == 0, "\(converted.errors)")
        let verified = try BuiltCommand.run("verify", dng)
        #expect(verified.code == 0 && verified.output.contains("sound"), "\(verified.output)")
        for (source, picture) in [(raw, "a.png"), (dng, "b.png")] {
            let run = try BuiltCommand.run("develop", source, folder.path(picture))
            #expect(run.code == 0, "\(run.errors)")
        }
        #expect(try folder.bytes("a.png") == folder.bytes("b.png"))
        // The original is extracted under its own name, byte for byte.
        let taken = try BuiltCommand.run("inspect", dng, "--extract", "original", "-o", folder.path("again.arw"))
        #expect(taken.code == 0, "\(taken.errors)")
        #expect(try folder.bytes("again.arw") == folder.bytes("DSC00001.ARW"))
        let refused = try BuiltCommand.run("inspect", dng, "--extract", "original")
        #expect(refused.code == 73 && refused.errors.contains("DSC00001.ARW"), "\(refused.errors)")
    }

    @Test func inspectDescribesACameraRaw() throws {
        let folder = try TemporaryFolder()
        let raw = try folder.write(TestCameraRaw(), to: "photo.arw")
        let run = try BuiltCommand.run("inspect", raw)
        #expect(run.code == 0, "\(run.errors)")
        for words in ["ARW, read by LibRaw", "ILCE-7M2", "1/100 s", "128×96", "rggb"] {
            #expect(run.output.contains(words), "\(words): \(run.output)")
        }
        #expect(!run.output.contains("DNG"), "\(run.output)")
    }

    @Test func aFileThatLibRawCannotReadIsNoPipeline() throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: Array("FUJIFILMCCD-RAW 0201FF".utf8) + [0, 0, 1], to: "a.raf")
        try folder.write(bytes: [1, 2, 3, 255], to: "a.nef")
        for name in ["a.raf", "a.nef"] {
            for words in [["inspect", name], ["develop", name, "a.png"], ["convert", name, "a.dng"]] {
                let paths = [words[0]] + words.dropFirst().map(folder.path)
                let run = try BuiltCommand(paths).wait()
                #expect(run.code == 65, "\(words): \(run.errors)")
                #expect(run.errors.contains(name) && !run.errors.contains("pipeline"), "\(words): \(run.errors)")
            }
        }
        #expect(folder.names == ["a.nef", "a.raf"])
    }

    @Test func verifyRefusesACameraRaw() throws {
        let folder = try TemporaryFolder()
        let raw = try folder.write(TestCameraRaw(), to: "photo.arw")
        let run = try BuiltCommand.run("verify", raw)
        #expect(run.code == 65 && (run.output + run.errors).contains("gscap convert"), "\(run.output)\(run.errors)")
    }

    @Test func aCardsFolderIsDeveloped() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("DCIM/100MSDCF"), withIntermediateDirectories: true)
        for number in 1...2 {
            try folder.write(TestCameraRaw(), to: "DCIM/100MSDCF/DSC0000\(number).ARW", seed: number)
            try folder.write(bytes: [0xFF, 0xD8, 0xFF, 0xD9], to: "DCIM/100MSDCF/DSC0000\(number).JPG")
        }
        let run = try BuiltCommand.run("develop", folder.path("DCIM"), "-o", folder.path("web") + "/", "--resize", "64")
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names(in: "web") == ["DSC00001.jpg", "DSC00002.jpg"])
    }

    @Test func aBurstOfCameraRawsIsFused() throws {
        let folder = try TemporaryFolder()
        for number in 1...3 {
            try folder.write(
                TestCameraRaw(time: Double(number) / 4), to: "card/DSC0000\(number).ARW", seed: number)
        }
        let run = try BuiltCommand.run("fuse", folder.path("card"), "-o", folder.path("fused/"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names(in: "fused") == ["DSC00001-fused.dng"])
        let shown = try BuiltCommand.run("inspect", folder.path("fused/DSC00001-fused.dng"))
        #expect(shown.output.contains("ILCE-7M2"), "\(shown.output)")
    }

    @Test func aCameraRawIsNotReplaced() throws {
        let folder = try TemporaryFolder()
        let raw = try folder.write(TestCameraRaw(), to: "photo.arw")
        let before = try folder.bytes("photo.arw")
        let run = try BuiltCommand.run("convert", raw, raw, "--overwrite")
        #expect(run.code == 73 && run.errors.contains("name another output"), "\(run.errors)")
        #expect(try folder.bytes("photo.arw") == before)
    }

    @Test func withoutLibRawThePackagesAreNamed() throws {
        let folder = try TemporaryFolder()
        for number in [20, 23, 25] { try folder.write(bytes: [], to: "broken/libraw_r.so.\(number)") }
        let raw = try folder.write(TestCameraRaw(), to: "photo.arw")
        let (png, dng) = (folder.path("a.png"), folder.path("a.dng"))
        for words in [["develop", raw, png], ["inspect", raw], ["convert", raw, dng]] {
            let run = try BuiltCommand(words, environment: ["LD_LIBRARY_PATH": folder.path("broken")]).wait()
            #expect(run.code == 69, "\(words): \(run.errors)")
            #expect(CameraRawProgram.packages.allSatisfy(run.errors.contains), "\(words): \(run.errors)")
            #expect(run.errors.contains("photo.arw"), "\(words): \(run.errors)")
        }
    }

    /// Files on which LibRaw crashes, hangs, or takes hundreds of megabytes.
    @Test(arguments: ["inspect", "develop", "convert"])
    func aFileThatLibRawCannotSurviveDoesNotStopTheOthers(command: String) throws {
        let folder = try TemporaryFolder()
        let bad = try CraftedRaws.all.map { raw in
            try folder.write(bytes: raw.bytes, to: "card/" + raw.name)
            return raw.name
        }
        for name in ["A.ARW", "Z.ARW"] { try folder.write(TestCameraRaw(), to: "card/" + name) }
        let target = command == "inspect" ? [] : ["-o", folder.path("out") + "/"]
        let run = try BuiltCommand([command, folder.path("card")] + target).wait()
        #expect(!run.wasKilled && run.code == 65, "\(run.code) \(run.errors)")
        for name in bad { #expect(run.errors.contains(name), "\(name): \(run.errors)") }
        switch command {
        case "inspect": #expect(["A.ARW", "Z.ARW"].allSatisfy(run.output.contains), "\(run.output)")
        case "develop": #expect(folder.names(in: "out") == ["A.jpg", "Z.jpg"])
        default: #expect(folder.names(in: "out") == ["A.dng", "Z.dng"])
        }
    }

    /// A camera's file of a few kilobytes may state any size.
    @Test func aSmallFileTakesLittleMemory() throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: CraftedRaws.huge, to: "huge.arw")
        // Python reports the largest memory of its children and theirs.
        let script = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], stdout=sys.stderr)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let command = BuiltCommand.folder.appending(path: "gscap").path
        let run = try BuiltCommand(
            ["-c", script, command, "inspect", folder.path("huge.arw")], program: "/usr/bin/python3"
        ).wait()
        #expect(run.errors.contains("30000×30000 pixels"), "\(run.errors)")
        let kilobytes = Int(run.output.split(separator: "\n").last ?? "")
        #expect(try #require(kilobytes) < 150_000, "\(run.output)")
    }

    @Test func theLargestJPEGOfACameraIsExtracted() throws {
        let folder = try TemporaryFolder()
        let (small, large) = (try CraftedRaws.jpeg(160, 120), try CraftedRaws.jpeg(1616, 1080))
        let raw = CraftedRaws.raw(withPreviews: [small, large])
        try folder.write(bytes: raw, to: "DSC1.ARW")
        let run = try BuiltCommand.run("inspect", folder.path("DSC1.ARW"), "--extract", "preview")
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names == ["DSC1-preview.jpg", "DSC1.ARW"])
        #expect(try Array(folder.bytes("DSC1-preview.jpg")) == large)
    }

    @Test func aFileThatIsCutOffIsAnError() throws {
        let folder = try TemporaryFolder()
        let bytes = try TestCameraRaw().bytes()
        try folder.write(bytes: Array(bytes[..<(bytes.count * 3 / 4)]), to: "cut.arw")
        let run = try BuiltCommand.run("convert", folder.path("cut.arw"), folder.path("a.dng"))
        #expect(run.code == 65 && run.errors.contains("cut.arw: "), "\(run.errors)")
        #expect(folder.names == ["cut.arw"])
    }
}
