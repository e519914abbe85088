import Foundation
import TemporaryFolders
import Testing

/// What `gscap plan` states of the photos, and the line that it prints for gst-launch-1.0.
@Suite(.timeLimit(.minutes(10))) struct PlanTests {
    /// The fault: the plan of a file had the quality `speed` and the number of files of one photo.
    @Test(arguments: [
        (["pipelines/proraw.txt"], ["effort: balanced", "frames: 8", "photos: 1", "files: 2"]),
        (
            ["pipelines/proraw.txt", "--effort", "quality", "--var", "PHOTOS=3"],
            ["effort: quality", "frames: 12", "photos: 3", "files: 6"]
        ),
        (
            ["pipelines/headless.txt", "--set", "fusion.mode=speed", "--bracket", "-1,1"],
            ["effort: speed", "frames: 4", "photos: 1", "files: 4"]
        ),
        (["pipelines/bayer-raw.txt", "--frames", "5"], ["frames: 5", "photos: 1", "files: 5"]),
        (["--size", "64x48", "--effort", "speed"], ["effort: speed", "frames: 4", "photos: 1", "files: 2"]),
    ])
    func thePlanStatesTheQualityAndTheNumberOfPhotos(words: [String], lines: [String]) throws {
        let result = try BuiltCommand(["plan"] + words).wait()
        #expect(result.code == 0, "\(result.errors)")
        for line in lines { #expect(result.output.contains("# \(line)\n"), "\(result.output)") }
    }

    @Test func thePlanOfATextWithoutAShutterTakesNoPhotos() throws {
        let result = try BuiltCommand.run("plan", "pipelines/preview.txt", "--json")
        let settings = try result.events().first?["settings"] as? [String: String]
        #expect(settings == ["photos": "0"])
    }

    /// Runs the line in an empty folder; returns the names of the files.
    private func launch(_ words: [String]) throws -> [String] {
        let plan = try BuiltCommand(["plan", "--launch"] + words).wait()
        #expect(plan.code == 0, "\(plan.errors)")
        let folder = try TemporaryFolder()
        let launched = try BuiltCommand(
            ["-c", "eval timeout 200 gst-launch-1.0 -q \"$0\"", plan.output], program: "/bin/sh",
            environment: ["GST_REGISTRY": folder.path("registry")], folder: folder.url
        ).wait()
        #expect(launched.code == 0, "\(launched.errors)")
        return folder.names.filter { $0 != "registry" }
    }

    /// The faults: the line of photo settings took no photo and never ended, and DNGs of both kinds had one name.
    @Test func theLineEndsAndStoresEachBranch() throws {
        let words = ["--raw", "bayer,proraw", "--format", "jpeg,png,png16", "--size", "160x120", "--rate", "30"]
        let files = try launch(words + ["--effort", "speed", "--no-preview"])
        #expect(
            files.filter { !$0.hasSuffix("-bayer.dng") } == [
                "photo-00000-png.png", "photo-00000-png16.png", "photo-00000-proraw.dng", "photo-00000.jpg",
            ])
        #expect(files.contains("photo-00000-bayer.dng"))
    }

    /// A file's text without a number of captures is run once, as gscap runs it, and without its preview if asked.
    @Test func theLineOfAFileEnds() throws {
        let folder = try TemporaryFolder()
        let text = """
            gscapsensorsrc is-live=false ! video/x-bayer,format=rggb12le,width=64,height=48 ! rawunpack ! tee name=raw
            raw. ! queue ! rawdevelop quality=preview ! videoconvert ! autovideosink
            raw. ! queue ! rawshutter frames=1 ! tee name=burst
            burst. ! queue ! dngenc ! multifilesink location=a.b/x.dng name=one
            burst. ! queue ! dngenc compression=none ! multifilesink location=a.b/x.dng name=two
            burst. ! queue ! dngenc ! multifilesink
            burst. ! queue ! dngenc ! multifilesink
            """
        let file = try folder.write(text, to: "p.txt")
        let line = try BuiltCommand.run("plan", "--launch", "--no-preview", file).output
        for part in [
            "location=a.b/x-one.dng", "location=a.b/x-two.dng", "'%05d-multifilesink0'", "'%05d-multifilesink1'",
            "captures=1",
        ] {
            #expect(line.contains(part.replacing("'", with: "")), "\(part): \(line)")
        }
        #expect(!line.contains("autovideosink") && line.contains("fakesink"))
    }
}
