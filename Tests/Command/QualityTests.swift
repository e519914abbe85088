import Foundation
import TemporaryFolders
import Testing

/// Tests of the option `--effort` and of the fusion report of a capture.
@Suite(.timeLimit(.minutes(10))) struct QualityTests {
    @Test func aCaptureReportsItsFusion() throws {
        let folder = try TemporaryFolder()
        let run = try BuiltCommand.run(
            "--pipeline", "pipelines/headless.txt", "--var", "WIDTH=320", "--var", "HEIGHT=240", "--effort",
            "balanced",
            "--json", "--output", folder.path("out"))
        #expect(run.code == 0, "\(run.errors)")
        let events = try run.events()
        let fused = try #require(events.first { $0["event"] as? String == "fused" }?["fusion"] as? [String: Any])
        #expect((fused["frames"] as? [Any])?.count == 8)
        let files = events.filter { $0["event"] as? String == "file" }
        #expect(files.count == 2)
        for file in files {
            let report = try #require(file["fusion"] as? [String: Any])
            #expect(report["framesUsed"] as? Int == fused["framesUsed"] as? Int)
            #expect((report["seconds"] as? [String: Any])?["alignment"] != nil)
        }
    }

    /// The fault: the list of the files had the noise reduction that the frames' agreement lets expect.
    @Test func theListOfFilesHasTheMeasuredNoiseReduction() throws {
        let folder = try TemporaryFolder()
        let run = try BuiltCommand.run(
            "--pipeline", "pipelines/headless.txt", "--var", "WIDTH=640", "--var", "HEIGHT=480", "--set",
            "camera.iso=1600", "--output", folder.path("out"))
        #expect(run.code == 0, "\(run.errors)")
        let file = try BuiltCommand.run("inspect", "--json", folder.path("out/photo-0001.dng")).events().first
        let report = try #require(file?["fusion"] as? [String: Any])
        let measured = try #require(report["measuredNoiseGain"] as? Double)
        #expect(measured != report["expectedNoiseGain"] as? Double)
        let text = "4 of 4 frames, \(String(format: "%.1f", measured)) dB less noise"
        #expect(run.output.contains(text), "\(text): \(run.output)")
    }

    @Test func theEffortIsSpelledInThePlan() throws {
        for (words, expected) in [
            (["pipelines/headless.txt"], "frames=4 "),
            (["pipelines/headless.txt", "--effort", "quality"], "mode=quality"),
            (["pipelines/headless.txt", "--effort", "quality", "--set", "shutter.frames=5"], "frames=5 "),
            (["--effort", "speed"], "mode=speed"),
        ] {
            let run = try BuiltCommand(["plan", "--launch"] + words).wait()
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains(expected), "\(run.output)")
        }
    }

    @Test func invalidOptionsAreRefused() throws {
        #expect(try BuiltCommand.run("plan", "--effort", "best").code == 64)
        #expect(try BuiltCommand.run("--pipeline", "pipelines/headless.txt", "--effort", "best").code == 64)
        let bayer = try BuiltCommand.run("plan", "pipelines/bayer-raw.txt", "--effort", "speed")
        #expect(bayer.code == 65)
        #expect(bayer.errors.contains("rawfusion"))
    }
}
