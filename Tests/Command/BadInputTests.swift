import Foundation
import TemporaryFolders
import Testing

/// Invalid input is reported with a clear message and the right exit code, and leaves no incomplete file.
@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    private static let small =
        "gscapsensorsrc is-live=false ! video/x-bayer,format=rggb12le,width=320,height=240 ! rawunpack ! tee name=raw "
        + "raw. ! queue ! rawshutter name=shutter frames=2 ! tee name=burst burst. ! queue ! dngenc ! "

    private func run(_ text: String, _ folder: TemporaryFolder, _ more: String...) throws -> BuiltCommand.Result {
        let file = try folder.write(text, to: "pipeline.txt")
        return try BuiltCommand(["--pipeline", file, "--output", folder.path("out")] + more).wait()
    }

    @Test func missingFile() throws {
        let result = try BuiltCommand.run("--pipeline", "no/such/file.txt")
        #expect(result.code == 66)
        #expect(result.errors.contains("no/such/file.txt"))
    }

    @Test func directoryAsFile() throws {
        let result = try BuiltCommand.run("--pipeline", "pipelines")
        #expect(result.code == 66)
        #expect(result.errors.contains("folder"))
    }

    /// Without a pipeline file there is nothing that these options could change.
    @Test(arguments: ["--set", "--var"]) func optionsOfAPipelineFileWithoutOne(option: String) throws {
        let result = try BuiltCommand.run("--raw", "bayer", option, "camera.iso=6400")
        #expect(result.code == 64 && result.errors.contains("\(option) changes a pipeline file"), "\(result.errors)")
    }

    @Test(arguments: ["", "# only words\n", "   \n\n"])
    func emptyText(text: String) throws {
        let result = try run(text, TemporaryFolder())
        #expect(result.code == 65)
        #expect(result.errors.contains("empty"))
    }

    @Test func unknownElementIsLocated() throws {
        let folder = try TemporaryFolder()
        let result = try run("gscapsensorsrc\n  ! dngencc ! fakesink\n", folder)
        #expect(result.code == 69)
        #expect(result.errors.contains(":2:5: "))
        #expect(result.errors.contains("did you mean dngenc?"))
        #expect(result.errors.contains("^"))
        #expect(!folder.names.contains("out"))
    }

    @Test func unknownProperty() throws {
        let result = try run("gscapsensorsrc isoo=5 ! fakesink", TemporaryFolder())
        #expect(result.code == 65)
        #expect(result.errors.contains("isoo"))
        #expect(result.errors.contains("iso"))
    }

    @Test func propertyOutOfRange() throws {
        let result = try run("gscapsensorsrc iso=5000000 ! fakesink", TemporaryFolder())
        #expect(result.code == 65)
        #expect(result.errors.contains("iso"))
        #expect(result.errors.contains("from 25.0 to 102400.0"))
    }

    /// A photo with a preview succeeds without a display, with a note: DISPLAY is empty, or names a missing local
    /// display or a host that does not exist.
    @Test(arguments: ["", ":12345", "nowhere.invalid:0"]) func noDisplay(display: String) throws {
        let folder = try TemporaryFolder()
        let arguments = ["--pipeline", "pipelines/proraw.txt", "--var", "WIDTH=1280", "--var", "HEIGHT=960"]
        let result = try BuiltCommand(
            arguments + ["--preview", "--output", folder.path("out")], environment: ["DISPLAY": display]
        ).wait()
        #expect(result.code == 0)
        #expect(result.errors == "gscap: there is no display, so the preview runs unseen\n")
        #expect(folder.names(in: "out") == ["photo-0001.dng", "photo-0001.jpg"])
    }

    /// Without a display nobody expects a preview, so it is reported only if it is asked for; a display that refuses
    /// connections is reported always.
    @Test(arguments: [("", [], false), ("", ["--verbose"], true), (":12345", [], true)] as [(String, [String], Bool)])
    func anUnseenPreviewIsReportedIfExpected(display: String, words: [String], isReported: Bool) throws {
        let folder = try TemporaryFolder()
        let camera = ["--size", "320x240", "--rate", "30", "--format", "jpeg", "--output", folder.path("out")]
        let result = try BuiltCommand(camera + words, environment: ["DISPLAY": display]).wait()
        #expect(result.code == 0)
        #expect(result.errors.contains("the preview runs unseen") == isReported, "\(result.errors)")
    }

    @Test func badCaps() throws {
        let result = try run("gscapsensorsrc ! video/x-bayer,width=(int ! fakesink", TemporaryFolder())
        #expect(result.code == 65)
    }

    @Test func impossibleCaps() throws {
        let result = try run(
            "gscapsensorsrc ! video/x-bayer,width=5,height=5 ! rawshutter name=shutter ! dngenc "
                + "! filesink location=a.dng",
            TemporaryFolder())
        #expect(result.code != 0)
        #expect(!result.errors.isEmpty)
    }

    @Test func unknownVariable() throws {
        let result = try run("gscapsensorsrc ! filesink location=${NOWHERE}", TemporaryFolder())
        #expect(result.code == 65)
        #expect(result.errors.contains("NOWHERE"))
    }

    @Test func unsettableProperty() throws {
        let folder = try TemporaryFolder()
        let result = try run(Self.small + "filesink location=a.dng", folder, "--set", "nobody.iso=3")
        #expect(result.code == 65)
        #expect(result.errors.contains("nobody"))
    }

    @Test func noCamera() throws {
        let result = try BuiltCommand.run(
            "--pipeline", "pipelines/v4l2.txt", "--var", "DEVICE=/dev/video99", "--no-preview", "--timeout", "20")
        #expect(result.code == 69)
        #expect(result.errors.contains("video99"))
    }

    @Test func unwritableFolder() throws {
        let folder = try TemporaryFolder()
        let blocked = try folder.write("a file, no folder", to: "blocked")
        let file = try folder.write(Self.small + "filesink location=a.dng", to: "pipeline.txt")
        let result = try BuiltCommand.run("--pipeline", file, "--output", blocked)
        #expect(result.code == 73)
        #expect(result.errors.contains("--output"))
    }

    @Test func existingFilesAreKept() throws {
        let folder = try TemporaryFolder()
        for _ in 1...2 {
            let result = try run(Self.small + "filesink location=a.dng", folder)
            #expect(result.code == 0, "\(result.errors)")
        }
        #expect(
            folder.names(in: "out") == [
                "photo-0001-1.dng", "photo-0001-2.dng", "photo-0002-1.dng", "photo-0002-2.dng",
            ])
    }
}
