import DNG
import Foundation
import TemporaryFolders
import Testing

@testable import GscapCommand

/// On the command line one word has one meaning, and an earlier spelling is refused with the word of today.
@Suite(.timeLimit(.minutes(10))) struct WordsTests {
    @Test(arguments: [
        (["--file-quality", "90"], "--file-quality is now --quality"),
        (["--processed", "jpeg"], "--processed is now --format"),
        (["--quality", "balanced"], "--quality balanced is now --effort balanced"),
        (["plan", "--file-quality=90"], "--file-quality is now --quality"),
        (["plan", "--processed", "jpeg"], "--processed is now --format"),
        (["plan", "--quality=speed"], "--quality speed is now --effort speed"),
        (["fuse", "a", "-o", "b", "--mode", "speed"], "--mode is now --effort"),
        (["fuse", "a", "-o", "b", "--bracket", "on"], "--bracket on is now --merge on"),
        (
            ["fuse", "a", "-o", "b", "--denoise", "2"],
            "--denoise is now from 0 to 1, where 0.5 is the usual: 2 of the earlier scale is 0.71"
        ),
        (["develop", "a", "--space", "p3"], "--space is now --color"),
        (["develop", "a", "--exposure", "1"], "--exposure is now --ev"),
        (["develop", "a", "--size", "64"], "--size is now --resize"),
        (["develop", "a", "--no-lens"], "--no-lens is now --lens-correction off"),
        (["develop", "a", "--lens-correction", "none"], "--lens-correction none is now --lens-correction off"),
        (["convert", "a", "b.dng", "--preview", "keep"], "--preview is now --thumbnail"),
        (["inspect", "a", "--preview"], "--preview is now --extract preview"),
        (["inspect", "a", "--mattes"], "--mattes is now --extract mattes"),
        (["inspect", "a", "--depth"], "--depth is now --extract depth"),
        (["inspect", "a", "--original"], "--original is now --extract original"),
    ])
    func earlierSpellingsAreRefused(words: [String], sentence: String) throws {
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors == "gscap: \(sentence)\n")
    }

    /// Each spelling in the table is refused by each of its commands, and its replacement is an option of them.
    @Test func theTableOfEarlierSpellingsNamesOptions() throws {
        for earlier in EarlierSpelling.all {
            for command in earlier.commands {
                let words = earlier.new.split(separator: " ").map(String.init)
                let option = try #require(CommandOption.of(command).first { $0.name == words[0] }, "\(earlier.new)")
                if words.count > 1 { #expect(option.words.contains(words[1]), "\(earlier.new)") }
                let old = earlier.old.split(separator: " ").map(String.init)
                let failure = #expect(throws: Failure.self) {
                    _ = try Options(old.count == 1 ? old + ["x"] : old, of: command)
                }
                #expect(failure?.exitCode == .usage && failure?.message == "\(earlier.old) is now \(earlier.new)")
            }
        }
    }

    /// Options of one name are alike in all commands: flags, or options with a value, or with one that may be omitted.
    @Test func anOptionHasOneForm() {
        for options in Dictionary(grouping: CommandOption.all, by: \.name).values {
            #expect(Set(options.map(\.needsValue)).count == 1, "\(options[0].name)")
            #expect(Set(options.map(\.acceptsValue)).count == 1, "\(options[0].name)")
            #expect(Set(options.map(\.others)).count == 1, "\(options[0].name)")
        }
        for command in CommandName.allCases {
            let names = CommandOption.of(command).flatMap { [$0.name] + $0.others }
            #expect(Set(names).count == names.count, "\(command): \(names)")
        }
    }

    @Test(arguments: CommandName.allCases) func theShortHelpIsShort(command: CommandName) throws {
        let words = command == .capture ? [] : [command.rawValue]
        let short = try BuiltCommand(words + ["--help"]).wait()
        let lines = short.output.split(separator: "\n")
        #expect(short.code == 0 && lines.count <= 14, "\(short.output)")
        #expect(lines.last?.contains("\(command.text) --help all") == true)
        let full = try BuiltCommand(words + ["--help", "all"]).wait().output
        for option in CommandOption.of(command) { #expect(full.contains("  \(option.label)"), "\(option.label)") }
        for line in (full + short.output).split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        #expect(try BuiltCommand(["help"] + words + ["all"]).wait().output == full)
    }

    @Test(arguments: [
        (["develop", "a", "--fromat", "png"], "unknown option --fromat; did you mean --format?"),
        (["fuse", "a", "--iso", "100"], "unknown option --iso, which is one of gscap, gscap plan"),
        (["verify", "--nonsense"], "unknown option --nonsense; see gscap verify --help all"),
    ])
    func unknownOptionsGetAdvice(words: [String], sentence: String) throws {
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 64 && result.errors == "gscap: \(sentence)\n")
    }

    // MARK: Understood words

    @Test(arguments: [
        ("1/100", 0.01), ("1/100s", 0.01), ("0.01s", 0.01), ("0.01", 0.01), ("10ms", 0.01), ("500us", 0.0005),
    ])
    func exposureTimes(text: String, seconds: Double) throws {
        #expect(abs(try ExposureTimeText.seconds(text, "--shutter") / seconds - 1) < 1e-9)
        #expect(try BuiltCommand.run("plan", "--shutter", text).code == 0)
    }

    @Test(arguments: ["", "s", "1/0", "1/2/3", "-1", "1min", "ms"]) func noExposureTimes(text: String) {
        #expect(throws: Failure.self) { _ = try ExposureTimeText.seconds(text, "--shutter") }
    }

    @Test(arguments: [
        ("--white", "daylight", "5500"), ("--wb", "Tungsten", "2850"), ("--white", "5000K", "5000"),
        ("--wb", "5000k,10", "5000"), ("--white", "fluorescent", "3800"), ("--white", "5000", "5000"),
    ])
    func lightsWhenTaking(option: String, light: String, kelvin: String) throws {
        let result = try BuiltCommand.run("plan", option, light)
        let line = result.output.split(separator: "\n").first { $0.hasPrefix("# white: ") }
        #expect(line?.contains(kelvin) == true, "\(result.output) \(result.errors)")
    }

    @Test func unknownLightsAreRefused() throws {
        let mistyped = try BuiltCommand.run("plan", "--white", "dailight")
        #expect(mistyped.code == 64 && mistyped.errors.contains("did you mean daylight?"), "\(mistyped.errors)")
        let automatic = try BuiltCommand.run("plan", "--white", "auto")
        #expect(automatic.code == 64 && automatic.errors.contains("gscap develop"), "\(automatic.errors)")
    }

    @Test func formatsHaveSeveralSpellings() throws {
        let words = ["--raw", "bayer", "--size", "64x48", "--launch", "--no-preview"]
        let plans = try ["jpeg,tiff16,heif,heif-pq", "jpg,tif16,heic,heic-pq"].map {
            try BuiltCommand(["plan", "--format", $0] + words).wait()
        }
        #expect(plans[0].code == 0 && plans[0].output == plans[1].output, "\(plans[1].errors)")
    }

    @Test func developHasTheSameWords() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        func develop(_ words: String...) throws -> BuiltCommand.Result {
            try BuiltCommand(["develop", photo] + words).wait()
        }
        // A picture beside the photo, which is not replaced unasked.
        let first = try develop()
        #expect(first.code == 0 && folder.names.contains("photo.jpg"), "\(first.errors)")
        let again = try develop()
        #expect(again.code == 73 && again.errors.contains("--overwrite"), "\(again.errors)")
        for (word, ending) in [("tiff", "tif"), ("png", "png")] {
            let run = try develop("--format", word)
            #expect(run.code == 0 && folder.names.contains("photo." + ending), "\(run.errors)")
        }
        for (one, other) in [
            (["--white", "5500K,10"], ["--wb", "daylight"]), (["--color", "p3"], ["--color", "display-p3"]),
            (["--format", "tif"], ["--format", "tiff"]), (["--format", "jpg"], ["--format", "jpeg"]),
        ] {
            let runs = try [(one, "a.png"), (other, "b.png")].map { words, name in
                try BuiltCommand(["develop", photo, "-o", folder.path(name), "--overwrite"] + words).wait()
            }
            #expect(runs.map(\.code) == [0, 0], "\(runs.map(\.errors))")
            #expect(try folder.bytes("a.png") == folder.bytes("b.png"), "\(one), \(other)")
        }
        let piped = try BuiltCommand.run("develop", "-")
        #expect(piped.code == 64, "\(piped.errors)")
    }

    /// A preset of an earlier version is understood: it is a file that the command itself has written.
    @Test func presetsMayHaveEarlierWords() throws {
        let folder = try TemporaryFolder()
        let earlier = "exposure = 0.5\nspace = p3\nsize = 64\nno-lens = yes\n"
        let today = "ev = 0.5\ncolor = p3\nresize = 64\nlens-correction = off\n"
        for (name, text) in [
            ("a", earlier), ("b", today), ("c", earlier.replacing("no-lens = yes", with: "lens-correction = none")),
        ] {
            let preset = try folder.write(text, to: "\(name).preset")
            let run = try BuiltCommand.run(
                "develop", "--preset", preset, "--save-preset", folder.path("\(name)-new.preset"))
            #expect(run.code == 0, "\(run.errors)")
            #expect(try folder.bytes("\(name)-new.preset") == folder.bytes("a-new.preset"))
        }
        let saved = String(decoding: try folder.bytes("a-new.preset"), as: UTF8.self)
        for line in today.split(separator: "\n") { #expect(saved.contains(line), "\(saved)") }
    }

    @Test func finishedPhotosHaveTheQuality() throws {
        let folder = try TemporaryFolder()
        let camera = ["--format", "jpeg", "--deferred", "--size", "160x120", "--rate", "30", "--no-preview"]
        let taken = try BuiltCommand(camera + ["-o", folder.path("photos")]).wait()
        #expect(taken.code == 0, "\(taken.errors)")
        let sizes = try [("low", "5"), ("high", "95")].map { name, quality in
            let run = try BuiltCommand.run(
                "finish", folder.path("photos"), "--keep", "-o", folder.path(name), "--quality", quality)
            #expect(run.code == 0, "\(run.errors)")
            return try folder.bytes("\(name)/photo-0001.jpg").count
        }
        #expect(sizes[0] < sizes[1])
    }

    // MARK: Standard output

    @Test func aPhotoGoesToStandardOutput() throws {
        let folder = try TemporaryFolder()
        let line = "\"$0\" --size 64x48 --rate 30 --effort speed --no-preview --format jpg -o - > photo.jpg"
        let run = try BuiltCommand(
            ["-c", line, BuiltCommand.folder.appending(path: "gscap").path], program: "/bin/sh", folder: folder.url
        ).wait()
        #expect(run.code == 0 && folder.names == ["photo.jpg"], "\(run.errors)")
        let bytes = try folder.bytes("photo.jpg")
        #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == [0xFF, 0xD9])
    }

    @Test(arguments: [
        ([], "this capture makes 2"), (["--format", "jpeg", "--photos", "2"], "this capture makes 2"),
        (["--format", "jpeg", "--bracket", "-1,1"], "this capture makes 2"),
        (["--format", "jpeg", "--live"], "excludes --live"), (["--format", "jpeg", "--json"], "--json"),
    ])
    func otherPhotosDoNotGoToStandardOutput(words: [String], reason: String) throws {
        let folder = try TemporaryFolder()
        let camera = ["--size", "64x48", "--rate", "30", "--no-preview", "-o", "-"]
        let run = try BuiltCommand(camera + words, folder: folder.url).wait()
        #expect(run.code == 64 && run.errors.contains(reason), "\(run.errors)")
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: [["record", "-"], ["finish", "photos", "-o", "-"]])
    func commandsOfSeveralFilesRefuseStandardOutput(words: [String]) throws {
        let run = try BuiltCommand(words).wait()
        #expect(run.code == 64 && run.errors.contains("name a f"), "\(run.errors)")
    }
}
