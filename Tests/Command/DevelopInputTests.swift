import Foundation
import TemporaryFolders
import Testing

/// Tests of qualities in percent, standard streams, presets and sidecars of `gscap develop`.
@Suite(.timeLimit(.minutes(10))) struct DevelopInputTests {
    private func develop(_ words: [String], environment: [String: String] = [:]) throws -> BuiltCommand.Result {
        try BuiltCommand(["develop"] + words, environment: environment).wait()
    }

    @Test func qualityIsAPercentageOrAFraction() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        for (name, quality) in [("a", "95"), ("b", "0.95"), ("c", "95%"), ("d", "1"), ("e", "100")] {
            #expect(try develop([photo, folder.path(name + ".jpg"), "--quality", quality]).code == 0)
        }
        let files = try ["a", "b", "c", "d", "e"].map { try folder.bytes($0 + ".jpg") }
        #expect(files[0] == files[1] && files[0] == files[2] && files[3] == files[4] && files[0] != files[3])
        for quality in ["1.5", "101", "-1", "x"] {
            #expect(try develop([photo, folder.path("f.jpg"), "--quality", quality]).code == 64)
        }
    }

    @Test func filesPassThroughStandardStreams() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let gscap = BuiltCommand.folder.appending(path: "gscap").path
        let script = "\"$0\" convert - -o - < \"$1\" | \"$0\" develop - -o - --format png > \"$2\""
        let run = try BuiltCommand(
            ["-c", script, gscap, photo, folder.path("piped.png")], program: "/bin/sh"
        ).wait()
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try folder.bytes("piped.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try develop([photo, "-o", "-", "--json"]).code == 64)
        #expect(try develop(["-", folder.path("none.png")]).code == 66)
    }

    /// Options without an effect are usage errors, except those that come from a preset.
    @Test func optionsWithoutEffectAreUsageErrors() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        for words in [
            ["a.jpg", "--hdr-amount", "0.5"], ["a.png", "--quality", "90"], ["a.tif", "--quality", "90"],
            ["a.jpg", "--look", "auto", "--look", "none"], ["a.dng"], ["a.jpg", "--histogram"],
        ] {
            let run = try develop([photo, folder.path(words[0])] + words.dropFirst())
            #expect(run.code == 64, "\(words): \(run.errors)")
        }
        #expect(folder.names == ["photo.dng"])
        let preset = folder.path("web.preset")
        #expect(try develop(["--save-preset", preset, "--quality", "90", "--hdr-amount", "0.5"]).code == 0)
        #expect(try develop([photo, folder.path("a.png"), "--preset", preset]).code == 0)
        #expect(try develop([photo, folder.path("a.jpg"), "--format", "png"]).code == 0)
    }

    @Test func aPresetHoldsTheOptions() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let variables = ["XDG_CONFIG_HOME": folder.path("config")]
        let options = ["--ev", "0.5", "--white", "4000", "--no-gamut-mapping"]
        #expect(try develop(["--save-preset", "warm"] + options, environment: variables).code == 0)
        #expect(try develop([photo, folder.path("a.png"), "--preset", "warm"], environment: variables).code == 0)
        #expect(try develop([photo, folder.path("b.png")] + options).code == 0)
        #expect(try folder.bytes("a.png") == folder.bytes("b.png"))
        let unknown = try develop([photo, folder.path("c.png"), "--preset", "warn"], environment: variables)
        #expect(unknown.code == 64 && unknown.errors.contains("did you mean warm?"))
        let bad = try folder.write("# comment\nresise = 1\n", to: "bad.preset")
        let failed = try develop([photo, folder.path("c.png"), "--preset", bad])
        #expect(failed.code == 65 && failed.errors.contains("line 2") && failed.errors.contains("resize"))
    }

    @Test func aSidecarHoldsTheSettings() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let options = ["--ev", "0.5", "--white", "4000,5", "--boost", "0.5", "--crop", "4,6,20x10"]
        #expect(try develop([photo, folder.path("a.png"), "--write-sidecar"] + options).code == 0)
        #expect(try develop([photo, folder.path("b.png")]).code == 0)
        #expect(try folder.bytes("a.png") == folder.bytes("b.png"))
        #expect(try develop([photo, folder.path("c.png"), "--no-sidecar"]).code == 0)
        #expect(try folder.bytes("a.png") != folder.bytes("c.png"))
        #expect(try develop([photo, "--write-sidecar"]).code == 73)
        #expect(try develop([photo, "--write-sidecar", "--overwrite", "--ev", "1"]).code == 0)
    }

    /// A sidecar in Latin-1 is not applied, and not replaced by one with other characters.
    @Test func aSidecarThatIsNotUTF8IsRefused() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        #expect(try develop([photo, "--write-sidecar", "--ev", "1"]).code == 0)
        var sidecar = try folder.bytes("photo.xmp")
        sidecar += Array("<!-- K".utf8)
        sidecar.append(0xE4)
        sidecar += Array("se -->".utf8)
        try folder.write(bytes: Array(sidecar), to: "photo.xmp")
        let ignoring = try develop([photo, folder.path("a.png")])
        #expect(ignoring.code == 0 && ignoring.errors.contains("not UTF-8"), "\(ignoring.errors)")
        let updating = try develop([photo, "--write-sidecar", "--overwrite", "--ev", "2"])
        #expect(updating.code == 65 && updating.errors.contains("not UTF-8"), "\(updating.errors)")
        #expect(try folder.bytes("photo.xmp") == sidecar)
    }
}
