import Foundation
import Glibc
import TemporaryFolders
import Testing

/// The words that complete a command line, and the shells that ask for them.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
    /// Returns what completes the last word: the first line, which names other completions, and the words.
    private func complete(
        _ words: String..., folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> (others: String, words: [String]) {
        let command = try BuiltCommand(
            ["completion", "words", "--"] + words, environment: environment, folder: folder)
        let result = command.wait()
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        return (lines.first ?? "", lines.dropFirst().map { String($0.prefix { $0 != "\t" }) })
    }

    @Test func subcommandsAndPipelinesComeFirst() throws {
        let (others, words) = try complete("")
        #expect(others == "files txt" && words.contains("develop") && words.contains("help"))
        #expect(try complete("de").words == ["develop", "devices"])
        #expect(try complete("help", "ve").words == ["verify"])
    }

    @Test func optionsAreThoseOfTheSubcommand() throws {
        #expect(try complete("develop", "--de").words == ["--denoise"])
        #expect(try complete("verify", "-").words == ["--against", "--json", "--verbose", "--help"])
        #expect(try complete("--ef").words == ["--effort"])
        #expect(try complete("record", "--ef").words.isEmpty)
    }

    @Test func valuesAreWordsAndLists() throws {
        #expect(try complete("--effort", "").words == ["speed", "balanced", "quality"])
        #expect(try complete("--effort=s").words == ["--effort=speed"])
        #expect(try complete("develop", "--wb", "t").words == ["tungsten"])
        #expect(try complete("plan", "--format", "jpeg,ti").words == ["jpeg,tiff", "jpeg,tiff16"])
        #expect(try !complete("plan", "--format", "jpeg,").words.contains("jpeg,jpeg"))
        #expect(try complete("fuse", "--merge", "o").words == ["on", "off"])
        #expect(try complete("completion", "z").words == ["zsh"])
    }

    @Test func filesHaveTheEndingsThatTheCommandReads() throws {
        let photos = try complete("develop", "").others.split(separator: " ")
        #expect(photos.first == "files" && photos.contains("dng") && photos.contains("NEF"))
        #expect(try complete("develop", "--icc", "").others == "files icc icm")
        #expect(try complete("record", "").others == "files mp4 mov")
        #expect(try complete("--output", "").others == "folders")
        #expect(try complete("--after", "").others == "programs")
    }

    @Test func devicesPresetsAndVariablesAreThoseThatExist() throws {
        let devices = try complete("--device", "simulated")
        #expect(devices.others == "files ini" && devices.words.contains("simulated-wide-and-tele"))
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "gscap/presets"), withIntermediateDirectories: true)
        _ = try folder.write("ev = 1\n", to: "gscap/presets/bright.preset")
        let presets = try complete("develop", "--preset", "", environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(presets.words == ["bright"])
        let text = try folder.write("gscapsensorsrc num-buffers=${COUNT:-1} ! fakesink name=${NAME:-a}\n", to: "p.txt")
        #expect(try Set(complete(text, "--var", "").words) == ["COUNT=", "NAME="])
        #expect(try complete("--pipeline", text, "--var", "CO").words == ["COUNT="])
    }

    // MARK: Shells

    private static func hasShell(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
    }

    /// Runs a script with the build folder in PATH, in a folder with the files a.dng, a.jpg and a.txt.
    private func run(_ shell: String, _ script: String) throws -> Set<String> {
        let folder = try TemporaryFolder()
        for name in ["a.dng", "a.jpg", "a.txt"] { _ = try folder.write("", to: name) }
        let path = "\(BuiltCommand.folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let result = try BuiltCommand(
            ["-c", script], program: "/usr/bin/\(shell)", environment: ["PATH": path, "HOME": folder.url.path],
            folder: folder.url
        ).wait()
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        return Set(result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
    }

    private static let lines: [(line: [String], words: Set<String>)] = [
        (["gscap", "dev"], ["develop", "devices"]), (["gscap", "develop", "a"], ["a.dng"]),
        (["gscap", "develop", "--de"], ["--denoise"]), (["gscap", "--effort", "s"], ["speed"]),
        (["gscap", "plan", "--format", "jpeg,j"], ["jpeg,jxl"]), (["gscap", "a"], ["a.txt"]),
    ]

    @Test func bashCompletes() throws {
        for (words, expected) in Self.lines {
            let found = try run(
                "bash",
                """
                eval "$(gscap completion bash)"
                COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
                _gscap
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(found == expected, "\(words)")
        }
        // Readline has split the word at the equals sign, and replaces the part behind it.
        let value = "eval \"$(gscap completion bash)\"; COMP_WORDS=(gscap --effort = b) COMP_CWORD=3; _gscap; "
        #expect(try run("bash", value + "printf '%s\\n' \"${COMPREPLY[@]}\"") == ["balanced"])
    }

    @Test(.enabled(if: hasShell("fish"), "fish is not installed")) func fishCompletes() throws {
        for (words, expected) in Self.lines {
            let line = words.joined(separator: " ")
            let found = try run("fish", "gscap completion fish | source; complete -C '\(line)'")
            #expect(found == expected, "\(words)")
        }
    }

    /// The functions of zsh's completion system print what they are asked for.
    @Test(.enabled(if: hasShell("zsh"), "zsh is not installed")) func zshCompletes() throws {
        for (line, expected) in Self.lines {
            let found = try run(
                "zsh",
                """
                compdef() { }
                compset() { }
                _describe() { print -l -- "${(@)candidates%%:*}" }
                _files() { print -l -- ${words[CURRENT]}*${~${2#\\*}}(N) }
                eval "$(gscap completion zsh)"
                words=(\(line.joined(separator: " "))) CURRENT=\(line.count) PREFIX=\(line.last ?? "")
                _gscap
                """)
            #expect(found == expected, "\(line)")
        }
    }
}
