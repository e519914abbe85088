import Foundation
import TemporaryFolders
import Testing

/// The progress line on a terminal, with `script` as the terminal.
@Suite(.timeLimit(.minutes(10))) struct ProgressTests {
    private static let small = "pipelines/headless.txt --var WIDTH=160 --var HEIGHT=120"

    /// Runs gscap on a terminal of so many columns and returns what it prints there, without the carriage returns of
    /// line ends. `input` is typed.
    private func terminal(_ words: String, columns: Int = 100, input: String = "") throws -> String {
        let program = BuiltCommand.folder.appending(path: "gscap").path
        let inner = "stty cols \(columns); exec '\(program)' \(words)"
        let result = try BuiltCommand(
            ["-c", "printf '\(input)' | script -qec \"$0\" /dev/null", inner], program: "/bin/bash"
        ).wait()
        #expect(result.code == 0, "\(result.output) \(result.errors)")
        return result.output.replacing("\r\n", with: "\n")
    }

    /// The progress lines: what is drawn over.
    private func progress(_ output: String) -> [String] {
        output.split(separator: "\n").flatMap { $0.split(separator: "\r").dropLast() }
            .map(String.init).filter { $0.contains { $0 != " " } }
    }

    @Test func theLineNamesEachPhaseOfAPhoto() throws {
        let folder = try TemporaryFolder()
        let output = try terminal("\(Self.small) --photos 2 --output \(folder.path("out"))")
        let lines = progress(output)
        for phase in ["burst 1/4", "fusing 1/4", "denoising", "developing", "writing"] {
            #expect(lines.contains { $0.contains(phase) }, "\(phase): \(lines)")
        }
        #expect(lines.contains { $0.contains("photo 2 of 2") })
        // Nothing is drawn after the list of the files.
        #expect(output.hasSuffix("\n") && output.contains("photo-0002.jpg"), "\(output.suffix(200))")
    }

    @Test func theLineNamesEachPhaseOfTheOtherCommands() throws {
        let folder = try TemporaryFolder()
        let burst = folder.path("burst")
        let taken = try BuiltCommand.run(
            "--raw", "bayer", "--frames", "4", "--size", "160x120", "--output", burst)
        #expect(taken.code == 0, "\(taken.errors)")
        let fused = folder.path("fused.dng")
        for (words, phases) in [
            ("fuse \(burst) -o \(fused)", ["fusing 2/4", "denoising", "developing", "writing \(fused)"]),
            ("fuse \(burst) -o \(folder.path("all"))/", ["reading", "fusing 2/4", "denoising", "writing"]),
            ("develop \(fused) \(folder.path("a.jpg"))", ["reading", "developing", "writing"]),
            ("develop \(fused) -o \(folder.path("pictures"))/", ["developing", "writing"]),
            ("convert \(fused) \(folder.path("b.dng"))", ["converting", "writing"]),
        ] {
            let output = try terminal(words, columns: 400)
            let lines = progress(output)
            for phase in phases { #expect(lines.contains { $0.contains(phase) }, "\(words), \(phase): \(lines)") }
            #expect(output.hasSuffix("\n"), "\(output.suffix(200))")
        }
    }

    /// A line that wraps cannot be drawn over.
    @Test func theLineIsCutToTheWidthOfTheTerminal() throws {
        let folder = try TemporaryFolder()
        let lines = progress(try terminal("\(Self.small) --output \(folder.path("out"))", columns: 30))
        #expect(lines.contains { $0.hasSuffix("…") } && lines.allSatisfy { $0.count <= 29 }, "\(lines)")
        let name = folder.path("写真" + String(repeating: "真", count: 20)) + ".dng"
        try FileManager.default.moveItem(atPath: folder.path("out/photo-0001.dng"), toPath: name)
        let wide = progress(try terminal("develop '\(name)' \(folder.path("a.jpg"))", columns: 200))
        // A path before the wide characters, which take two columns each.
        #expect(wide.contains { $0.contains("写真真") } && wide.allSatisfy { width($0) <= 199 }, "\(wide)")
        let narrow = progress(try terminal("develop '\(name)' \(folder.path("b.jpg"))", columns: 90))
        #expect(narrow.allSatisfy { width($0) <= 89 } && narrow.contains { $0.hasSuffix("…") }, "\(narrow)")
    }

    private func width(_ text: String) -> Int { text.reduce(0) { $0 + ("写真".contains($1) ? 2 : 1) } }

    /// The fault: the line was drawn again after the names of a movie's files.
    @Test func nothingIsDrawnAfterAMovie() throws {
        let folder = try TemporaryFolder()
        let movie = folder.path("movie.mp4")
        let output = try terminal("record \(movie) --duration 1 --size 64x48 --no-preview")
        #expect(output.contains("\(movie)  ") && output.hasSuffix("\n"), "\(output.suffix(200))")
        #expect(!(output.components(separatedBy: "\(movie)  ").last ?? "").contains("\r"), "\(output.suffix(200))")
    }

    @Test func thePressesOfATerminalAreExplained() throws {
        let folder = try TemporaryFolder()
        let output = try terminal(
            "\(Self.small) --press --photos 1 --output \(folder.path("out"))", input: "\\n")
        #expect(output.contains("gscap: Enter takes a photo, Ctrl-C ends\n"), "\(output)")
        #expect(folder.names(in: "out").count == 2)
        let movie = try terminal(
            "record \(folder.path("movie.mp4")) --press --duration 1 --size 64x48 --no-preview")
        #expect(movie.contains("gscap: Enter pauses or continues the movie, Ctrl-C ends it\n"), "\(movie)")
    }
}
