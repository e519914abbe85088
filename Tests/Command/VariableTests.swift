import Foundation
import TemporaryFolders
import Testing

/// The variables of pipeline texts: those of `--var`, and those of the environment with the prefix `GSCAP_`.
@Suite(.timeLimit(.minutes(10))) struct VariableTests {
    private func plan(_ words: String..., environment: [String: String]) throws -> BuiltCommand.Result {
        try BuiltCommand(["plan"] + words, environment: environment).wait()
    }

    /// The faults: `WIDTH=80` in a shell made photos of 80 pixels, and `make run PHOTOS=holiday` failed, because make
    /// passes its variables on and `holiday` is no number of photos.
    @Test func variablesOfOtherProgramsDoNotCount() throws {
        let result = try plan(
            "pipelines/proraw.txt", environment: ["WIDTH": "80", "PHOTOS": "holiday", "FRAMES": "3"])
        #expect(result.code == 0, "\(result.errors)")
        for part in ["width=4032", "captures=1", "frames=8"] { #expect(result.output.contains(part)) }
    }

    @Test func thePrefixMakesAVariableOfThePipeline() throws {
        let variables = ["GSCAP_WIDTH": "80", "GSCAP_HEIGHT": "60", "GSCAP_": "x", "GSCAP_OTHER": "1"]
        let result = try plan("pipelines/proraw.txt", "--var", "HEIGHT=64", environment: variables)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("width=80,height=64"), "\(result.output)")
    }

    @Test func aVariableWithoutAValueSaysWhereToSetIt() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("fakesrc num-buffers=${COUNT} ! fakesink", to: "p.txt")
        let result = try plan(file, environment: ["COUNT": "3"])
        let advice = "pass --var COUNT=VALUE, set GSCAP_COUNT in the environment"
        #expect(result.code == 65 && result.errors.contains(advice), "\(result.errors)")
        #expect(try plan(file, environment: ["GSCAP_COUNT": "3"]).output.contains("num-buffers=3"))
    }

    /// The fault: a mistyped variable was ignored, and the photo had the default's size.
    @Test(arguments: [
        ("WIDHT", "--var WIDHT: pipelines/headless.txt has no variable of that name; did you mean WIDTH?"),
        (
            "ISO",
            "--var ISO: pipelines/headless.txt has no variable of that name; its variables are FRAMES, HEIGHT, PHOTOS, "
                + "RATE, WIDTH"
        ),
    ])
    func anUnknownVariableIsAnError(name: String, message: String) throws {
        for words in [[], ["plan"], ["inspect"]] {
            let result = try BuiltCommand(words + ["pipelines/headless.txt", "--var", "\(name)=640"]).wait()
            #expect(result.code == 64 && result.errors == "gscap: \(message)\n", "\(result.errors)")
        }
    }

    /// The tasks of the repository have variables with the prefix, too, such as GSCAP_MODULE. They are no variables of
    /// the pipelines.
    @Test func noTaskSetsAVariableOfAPipeline() throws {
        let root = BuiltCommand.project
        func text(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
        func files(_ folder: String) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
        }
        let pipelines = try files("pipelines").map(text).joined()
        let names = Set(pipelines.matches(of: /\$\{([A-Z_]+)/).map { "GSCAP_" + $0.1 })
        #expect(names.contains("GSCAP_WIDTH"))
        let tools = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Tools").path)
        for task in ["Makefile", "Package.swift"] + tools.map({ "Tools/" + $0 }) {
            let used = Set(text(root.appending(path: task)).matches(of: /GSCAP_[A-Z_]+/).map { String($0.0) })
            #expect(used.isDisjoint(with: names), "\(task)")
        }
    }
}
