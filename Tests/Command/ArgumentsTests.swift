import Foundation
import Testing

/// Tests of command-line arguments: help, version and usage errors.
@Suite struct ArgumentsTests {
    @Test func helpDescribesTheCommand() throws {
        let result = try BuiltCommand.run("--help", "all")
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        for word in ["--pipeline", "--photos", "--set", "--var", "--json", "gscap plan", "gscap inspect", "Ctrl-C"] {
            #expect(result.output.contains(word))
        }
        for topic in ["plan", "inspect", "devices"] {
            #expect(try BuiltCommand.run(topic, "--help", "all").output.hasPrefix("usage: gscap \(topic)"))
        }
    }

    @Test func versionIsOneLine() throws {
        let result = try BuiltCommand.run("--version")
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("gscap "))
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ["--nonsense"], ["--pipeline"], ["--frames", "65"],
        ["--pipeline", "pipelines/headless.txt", "--photos", "many"],
        ["--pipeline", "pipelines/headless.txt", "--timeout", "-1"], ["--pipeline", "pipelines/headless.txt", "extra"],
        ["--pipeline", "pipelines/headless.txt", "--var", "novalue"],
        ["--pipeline", "pipelines/headless.txt", "--name", "a/b"],
        ["--pipeline", "pipelines/headless.txt", "--name", "{what}"],
        ["plan", "--raw", "jpeg"], ["plan", "one.txt", "two.txt"], ["devices", "one"],
    ])
    func invalidArgumentsAreUsageErrors(words: [String]) throws {
        let result = try BuiltCommand(words).wait()
        #expect(result.code == 64)
        #expect(result.errors.hasPrefix("gscap: "))
        #expect(result.output.isEmpty)
    }

    @Test func devicesListTheSimulatedOne() throws {
        let result = try BuiltCommand.run("devices")
        #expect(result.code == 0)
        #expect(result.output.contains("simulated  "))
        let lines = try BuiltCommand.run("devices", "--json").output.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
}
