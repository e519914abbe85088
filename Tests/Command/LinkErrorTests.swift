import Foundation
import TemporaryFolders
import Testing

/// Pipelines that GStreamer cannot link, or in which its stack would overflow.
@Suite(.timeLimit(.minutes(10))) struct LinkErrorTests {
    private func run(_ text: String, _ more: String...) throws -> BuiltCommand.Result {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "p.txt")
        return try BuiltCommand([file, "--timeout", "20", "--output", folder.path("out")] + more).wait()
    }

    @Test(arguments: [
        "identity name=a ! identity name=b ! a.",
        "gscapsensorsrc num-buffers=2 ! funnel name=f ! tee name=t t. ! queue ! f. t. ! queue ! fakesink",
        "fakesrc num-buffers=1 ! tee name=t ! t.",
        "( identity name=a ! identity name=b ) b. ! a.",
    ])
    func cycles(text: String) throws {
        let result = try run(text)
        #expect(result.code == 65 && !result.wasKilled)
        #expect(result.errors.contains("p.txt:1:") && result.errors.contains("form a cycle"), "\(result.errors)")
    }

    @Test func pathsThatMeetAgainAreNoCycle() throws {
        let text = """
            fakesrc num-buffers=2 ! tee name=t  t. ! queue ! f.  t. ! queue ! f.  funnel name=f ! multiqueue name=m
            m. ! identity ! m.  m. ! fakesink
            """
        let file = try TemporaryFolder()
        #expect(try BuiltCommand.run("plan", try file.write(text, to: "p.txt")).code == 0)
    }

    @Test func linksNameBothSides() throws {
        let result = try run("videotestsrc num-buffers=2\n  ! audioconvert ! fakesink")
        #expect(result.code == 65)
        for part in [
            "p.txt:2:3: videotestsrc cannot be linked to audioconvert", "videotestsrc gives video/x-raw",
            "audioconvert takes audio/x-raw", "^",
        ] {
            #expect(result.errors.contains(part), "\(result.errors)")
        }
        let filtered = try run("videotestsrc ! video/x-bayer,format=rggb ! rawunpack ! audio/x-raw ! fakesink")
        #expect(filtered.errors.contains("the text asks for audio/x-raw"), "\(filtered.errors)")
    }

    /// Words of the pipeline that are also names of settings stay as they are.
    @Test func excerptsAreAsWritten() throws {
        let folder = try TemporaryFolder()
        let text = "fakesrc num-buffers=1 ! filesink location=\(try folder.write("old", to: "location.bin"))"
        let result = try BuiltCommand.run(try folder.write(text, to: "p.txt"), "--timeout", "20")
        #expect(result.code == 73 && result.errors.contains(text), "\(result.errors)")
    }

    /// A few mutated pipelines; `Tools/checks/fuzz-pipelines 3000` runs many.
    @Test func mutatedPipelines() throws {
        let script = BuiltCommand.project.appending(path: "Tools/checks/fuzz-pipelines").path
        let program = BuiltCommand.folder.appending(path: "gscap").path
        let result = try BuiltCommand(
            [script, "--seed", "7", "--jobs", "1", "--gscap", program, "8"], program: "/usr/bin/python3"
        ).wait()
        #expect(result.code == 0, "\(result.output)")
    }
}
