import Foundation
import TemporaryFolders
import Testing

/// Tests of the repository's pipeline files, run by the built command and by gst-launch-1.0.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PipelineTests {
    private static let kinds = [
        "bayer": "dng", "proRAW": "dng", "jpeg": "jpg", "heif-hlg": "heic", "avif-pq": "avif", "exr": "exr",
    ]

    @Test(arguments: [
        ("headless", "640", "480", ["jpeg", "proRAW"]), ("proraw", "1280", "960", ["jpeg", "proRAW"]),
        ("bayer-raw", "1280", "960", ["bayer"]), ("rtsp-still", "1280", "960", ["jpeg", "proRAW"]),
        ("hdr", "640", "480", ["avif-pq", "exr", "heif-hlg", "proRAW"]),
    ])
    func photosAreTaken(name: String, width: String, height: String, kinds: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand.run(
            "--pipeline", "pipelines/\(name).txt", "--photos", "2", "--json", "--output", folder.path("out"), "--var",
            "WIDTH=\(width)", "--var", "HEIGHT=\(height)", "--var", "RATE=30", "--timeout", "60", "--no-preview")
        #expect(result.code == 0)
        #expect(result.errors.isEmpty, "\(result.errors)")
        let events = try result.events()
        #expect(events.first?["event"] as? String == "started")
        #expect(events.last?["event"] as? String == "done")
        #expect(events.last?["files"] as? Int == 2 * kinds.count)
        let files = events.filter { $0["event"] as? String == "file" }
        #expect(files.compactMap { $0["kind"] as? String }.sorted() == (kinds + kinds).sorted())
        for file in files {
            let path = try #require(file["file"] as? String)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == file["bytes"] as? Int)
            #expect(file["width"] as? Int == Int(width) && file["height"] as? Int == Int(height))
        }
        #expect(folder.names(in: "out").count == 2 * kinds.count)
        #expect(CompletePictures.faults(in: folder) == [])
    }

    @Test func burstOfBayerFrames() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand.run(
            "--pipeline", "pipelines/bayer-raw.txt", "--output", folder.path("out"), "--var", "WIDTH=1280", "--var",
            "HEIGHT=960", "--var", "RATE=30", "--var", "FRAMES=3")
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.names(in: "out") == ["photo-0001-1.dng", "photo-0001-2.dng", "photo-0001-3.dng"])
        #expect(CompletePictures.faults(in: folder) == [])
    }

    @Test func installedPipelinesAreFoundByName() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        for name in ["bin", "share/gscap/pipelines"] {
            try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        let program = try BuiltCommand.copy(to: folder.url.appending(path: "bin"))
        _ = try folder.write("gscapsensorsrc ! fakesink", to: "share/gscap/pipelines/own.txt")
        let found = try BuiltCommand(["inspect", "own.txt"], program: program, folder: folder.url).wait()
        #expect(found.code == 0, "\(found.errors)")
        #expect(found.output.hasPrefix("own.txt: a pipeline"))
        for name in ["other.txt", "nowhere/own.txt"] {
            #expect(try BuiltCommand(["inspect", name], program: program, folder: folder.url).wait().code == 66)
        }
    }

    @Test func missingLibcameraIsNamed() throws {
        // An empty plugin folder hides a libcamera plugin that the machine may have.
        let folder = try TemporaryFolder()
        let result = try BuiltCommand.run(
            "--pipeline", "pipelines/libcamera.txt",
            environment: [
                "GST_PLUGIN_SYSTEM_PATH_1_0": folder.url.path, "GST_REGISTRY": folder.path("registry"),
            ])
        #expect(result.code == 69)
        #expect(result.errors.contains("gstreamer1.0-libcamera"), "\(result.errors)")
    }

    @Test(arguments: ["v4l2", "headless", "preview", "bayer-raw", "proraw", "rtsp-still", "hdr"])
    func shippedPipelinesAreParsed(name: String) throws {
        let result = try BuiltCommand.run("plan", "pipelines/\(name).txt")
        #expect(result.code == 0, "\(result.errors)")
        #expect(try BuiltCommand.run("inspect", "pipelines/\(name).txt", "--json").events().count == 1)
    }

    @Test(arguments: [
        ("headless", ["photo-00000.dng", "photo-00000.jpg"]), ("proraw", ["photo-00000.dng", "photo-00000.jpg"]),
        ("bayer-raw", ["photo-00000.dng"]),
    ])
    func gstLaunchTakesTheSameText(name: String, files: [String]) throws {
        let folder = try TemporaryFolder()
        let plan = try BuiltCommand.run(
            "plan", "--launch", "pipelines/\(name).txt", "--var", "WIDTH=1280", "--var", "HEIGHT=960", "--var",
            "RATE=30")
        #expect(plan.code == 0)
        // autovideosink needs a display, which the test machine may lack.
        let words = plan.output.replacingOccurrences(of: "autovideosink", with: "fakesink")
        let launched = try BuiltCommand(
            ["-c", "eval timeout 60 gst-launch-1.0 -q \"$0\"", words], program: "/bin/sh",
            environment: ["GST_REGISTRY": folder.path("registry")], folder: folder.url
        ).wait()
        #expect(launched.code == 0)
        #expect(launched.errors.isEmpty, "\(launched.errors)")
        #expect(folder.names.filter { $0 != "registry" } == files)
        #expect(try !folder.bytes(files[0]).isEmpty)
        try FileManager.default.removeItem(atPath: folder.path("registry"))
        #expect(CompletePictures.faults(in: folder, "") == [])
    }
}
