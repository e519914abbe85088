import Foundation
import RawImage
import Testing

/// `FusionMode` defines the default burst length, and the texts that show it to people agree with it.
@Suite struct BurstLengthTests {
    private let length = FusionMode.standard.burstLength

    private func text(_ path: String) throws -> String {
        try String(contentsOf: BuiltCommand.project.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ["hdr", "libcamera", "proraw", "rtsp-still", "v4l2"])
    func pipelinesShowTheDefault(name: String) throws {
        let text = try text("pipelines/\(name).txt")
        #expect(text.contains("frames=${FRAMES:-\(length)} "))
        #expect(text.firstMatch(of: /fused into one photo \((\d+)\)/)?.1 == "\(length)")
    }

    @Test(arguments: [("rawshutter", ["frames", "ring-frames"]), ("rawfusion", ["frames"])])
    func inspectGoldensShowTheDefault(element: String, properties: [String]) throws {
        let lines = try text("Tests/Goldens/inspect/\(element).txt").split(separator: "\n")
        for property in properties {
            let start = try #require(lines.firstIndex { $0.hasPrefix("  \(property) ") && $0.contains(" : ") })
            #expect(lines[start + 2].hasSuffix("Default: \(length)"))
        }
    }

    @Test func helpListsTheLengthOfEachMode() throws {
        let lengths = FusionMode.allCases.map { "\($0.burstLength)" }
        let list = lengths.dropLast().joined(separator: ", ") + " or " + (lengths.last ?? "")
        #expect(try BuiltCommand.run("--help", "all").output.contains("bursts of \(list) frames"))
    }
}
