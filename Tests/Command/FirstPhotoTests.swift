import Foundation
import TemporaryFolders
import Testing

/// The first photo: without a pipeline file, the command takes photos with the default camera in any folder.
@Suite(.timeLimit(.minutes(10))) struct FirstPhotoTests {
    /// The providers of real cameras, hidden from the tests.
    private static let noCameras = [
        "GST_PLUGIN_FEATURE_RANK": "v4l2deviceprovider:NONE,libcameraprovider:NONE,pipewiredeviceprovider:NONE"
    ]

    private func run(_ words: [String], in folder: TemporaryFolder) throws -> BuiltCommand.Result {
        try BuiltCommand(words, environment: Self.noCameras, folder: folder.url).wait()
    }

    /// The fault: without a word, the command printed how to name a pipeline file. The twelve megapixels of the
    /// simulated camera take a busy machine long, so the press is what is waited for: it claims the photo's name.
    @Test func theCommandAloneTakesAPhoto() throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand([], environment: Self.noCameras, folder: folder.url)
        #expect(command.waitForState { _ in !folder.names(in: "photos").isEmpty })
        command.process.terminate()
        let result = command.wait()
        #expect(result.code != 64 && !result.errors.contains("--help"), "\(result.errors)")
    }

    @Test func photosAreTakenWithoutAPipelineFile() throws {
        let folder = try TemporaryFolder()
        let result = try run(["--photos", "3", "--size", "160x120", "--rate", "30"], in: folder)
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(folder.names == ["photos"])
        #expect(
            folder.names(in: "photos")
                == (1...3).flatMap { ["photo-000\($0).dng", "photo-000\($0).jpg"] })
    }

    /// The program needs no file of its repository or its installation but its library.
    @Test func aCopyOfTheProgramTakesPhotos() throws {
        let folder = try TemporaryFolder()
        let program = try BuiltCommand.copy(to: folder.url)
        let words = ["--effort", "quality", "--size", "160x120", "--rate", "30", "--json"]
        let result = try BuiltCommand(words, program: program, folder: folder.url).wait()
        #expect(result.code == 0 && folder.names(in: "photos").count == 2, "\(result.errors)")
        #expect(try fusedFrames(result) == 12)
    }

    private func fusedFrames(_ result: BuiltCommand.Result) throws -> Int? {
        let fused = try result.events().first { $0["event"] as? String == "fused" }?["fusion"] as? [String: Any]
        return (fused?["frames"] as? [Any])?.count
    }

    /// `--frames` counts more than `--effort` and the file, and less than `--set`.
    @Test(arguments: [
        (["--size", "160x120", "--rate", "30", "--frames", "3"], 3),
        (["--size", "160x120", "--rate", "30", "--effort", "quality", "--frames", "2"], 2),
        (["headless.txt", "--frames", "5"], 5),
        (["headless.txt", "--frames", "5", "--set", "shutter.frames=6"], 6),
    ])
    func aBurstHasTheFramesOfItsOption(words: [String], frames: Int) throws {
        let folder = try TemporaryFolder()
        let text = try String(
            contentsOf: BuiltCommand.project.appending(path: "pipelines/headless.txt"), encoding: .utf8)
        _ = try folder.write(text, to: "headless.txt")
        let variables = ["GSCAP_WIDTH": "160", "GSCAP_HEIGHT": "120"].merging(Self.noCameras) { $1 }
        let result = try BuiltCommand(words + ["--json"], environment: variables, folder: folder.url).wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(try fusedFrames(result) == frames)
    }

    @Test func framesThatAreNotFusedAreAllStored() throws {
        let folder = try TemporaryFolder()
        let result = try run(["--raw", "bayer", "--frames", "3", "--size", "160x120", "--rate", "30"], in: folder)
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.names(in: "photos") == (1...3).map { "photo-0001-\($0).dng" })
    }

    // MARK: The default camera

    /// Builds a plugin with cameras that do not exist, and returns the plan of a photo with the default camera.
    private func plan(_ words: String..., environment: [String: String] = [:]) throws -> BuiltCommand.Result {
        let folder = try TemporaryFolder()
        let source = BuiltCommand.project.appending(path: "Tests/Support/Cameras/cameras.c").path
        let build =
            "${CC:-clang} -shared -fPIC -o \"$0\" \"$1\" $(pkg-config --cflags --libs gstreamer-1.0)"
        let built = try BuiltCommand(
            ["-c", build, folder.path("libgsttestcameras.so"), source], program: "/bin/sh"
        ).wait()
        #expect(built.code == 0, "\(built.errors)")
        let variables = ["GST_PLUGIN_PATH": folder.url.path, "GST_REGISTRY": folder.path("registry")]
        return try BuiltCommand(
            ["plan"] + words,
            environment: Self.noCameras.merging(variables) { $1 }.merging(environment) { $1 }, folder: folder.url
        ).wait()
    }

    @Test func aWebcamWithoutRawFramesIsNamedAndPassedOver() throws {
        let result = try plan()
        #expect(result.code == 0 && result.output.contains("gscapsensorsrc name=camera"), "\(result.output)")
        #expect(
            result.errors == """
                gscap: the camera "HD Webcam" delivers no raw frames and is passed over
                gscap: the simulated camera is used; `gscap devices` lists the cameras

                """)
    }

    @Test func theFirstCameraWithRawFramesIsTheDefault() throws {
        let result = try plan(environment: ["RAW_CAMERA": "1"])
        #expect(result.code == 0 && result.output.contains("fakesrc name=camera"), "\(result.output)")
        #expect(result.errors.contains("the camera \"Test Sensor\" is used"), "\(result.errors)")
    }

    /// A camera whose formats are not known cannot have a size, so the simulated one takes its place.
    @Test func aSizeThatTheCameraLacksSelectsTheSimulatedOne() throws {
        let result = try plan("--size", "64x48", environment: ["RAW_CAMERA": "1"])
        #expect(result.code == 0 && result.output.contains("gscapsensorsrc name=camera"), "\(result.output)")
        #expect(result.errors.contains("the camera \"Test Sensor\" has no such format"), "\(result.errors)")
    }
}
