import Foundation
import TemporaryFolders
import Testing

/// What the elements write in GStreamer's debug log.
@Suite struct DebugLogTests {
    /// Takes a photo with the pipeline `headless` and returns the lines of the log.
    private static func log(_ levels: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand.run(
            "--pipeline", "pipelines/headless.txt", "--var", "WIDTH=320", "--var", "HEIGHT=240", "--output",
            folder.path("photos"),
            environment: [
                "GST_DEBUG": levels, "GST_DEBUG_NO_COLOR": "1", "GST_DEBUG_FILE": folder.path("log"),
            ])
        #expect(result.code == 0, "\(result.errors)")
        let text = try String(contentsOf: URL(fileURLWithPath: folder.path("log")), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    /// The fault: GST_DEBUG=gscap:9 printed nothing.
    @Test func thePressSaysWhichFramesItGets() throws {
        let lines = try Self.log("rawshutter:5")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(" rawshutter ") })
        #expect(lines.contains { $0.contains("asks for 4 frames") })
        #expect(lines.contains { $0.contains("as the reference and") }, "\(lines)")
        #expect(lines.contains { $0.contains("changes from ready to paused") })
        #expect(lines.contains { $0.contains("posts ") && $0.contains("done") })
    }

    @Test func eachElementHasACategory() throws {
        let names = [
            "gscapsensorsrc", "rawunpack", "rawshutter", "rawfusion", "rawdevelop", "dngenc", "gscapjpegenc",
        ]
        let lines = try Self.log(names.map { "\($0):6" }.joined(separator: ","))
        for name in names {
            let own = lines.filter { $0.contains(" \(name) ") }
            #expect(own.contains { $0.contains("INFO") && $0.contains("changes from null to ready") }, "\(name)")
            #expect(own.contains { $0.contains("LOG") }, "\(name) logs each buffer")
        }
    }
}
