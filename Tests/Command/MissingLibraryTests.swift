import PictureCodecs
import PictureFiles
import TemporaryFolders
import Testing

/// If a library that only some formats need is missing, these formats fail with a message and all else works.
@Suite(.timeLimit(.minutes(10))) struct MissingLibraryTests {
    /// Runs gscap as if a library were not installed: LD_LIBRARY_PATH finds empty files with the names of all its
    /// versions first.
    private func run(
        without library: [String], _ folder: TemporaryFolder, program: String? = nil, _ words: String...
    ) throws -> BuiltCommand.Result {
        for file in library { try folder.write(bytes: [], to: "broken/\(file)") }
        return try BuiltCommand(
            words, program: program, environment: ["LD_LIBRARY_PATH": folder.path("broken")]
        ).wait()
    }

    /// Returns whether an error message names all Debian packages that may contain a library.
    private func names(_ library: [String], _ errors: String) -> Bool {
        library.allSatisfy { errors.contains($0.split(separator: ".so.").joined()) }
    }

    /// WebP is not among them: Debian's libtiff, which gscap links, needs libwebp itself.
    @Test(arguments: [("heic", HEIFLibrary.files), ("avif", AVIFLibrary.files), ("jxl", JXLLibrary.files)])
    func aFormatFailsWithoutItsLibrary(_ ending: String, _ library: [String]) throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let failed = try run(without: library, folder, "develop", photo, folder.path("picture.\(ending)"))
        #expect(failed.code == 69)
        #expect(names(library, failed.errors), "\(failed.errors)")
        let done = try run(without: library, folder, "develop", photo, folder.path("picture.jpg"))
        #expect(done.code == 0, "\(done.errors)")
        #expect(folder.names == ["broken", "photo.dng", "picture.jpg"])
    }

    @Test func photosInJPEGXLAreNeitherWrittenNorRead() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let small = folder.path("small.dng")
        let unwritten = try run(
            without: JXLLibrary.files, folder, "convert", photo, small, "--compression", "jpeg-xl")
        #expect(unwritten.code == 69 && names(JXLLibrary.files, unwritten.errors), "\(unwritten.errors)")
        #expect(try BuiltCommand.run("convert", photo, small, "--compression", "jpeg-xl").code == 0)
        let unread = try run(without: JXLLibrary.files, folder, "develop", small, folder.path("picture.png"))
        #expect(unread.code == 69 && names(JXLLibrary.files, unread.errors), "\(unread.errors)")
        // The missing library is reported, rather than damage of the file.
        let unproven = try run(without: JXLLibrary.files, folder, "verify", small)
        #expect(unproven.code == 69 && names(JXLLibrary.files, unproven.errors), "\(unproven.errors)")
        let uncompared = try run(without: JXLLibrary.files, folder, "verify", photo, "--against", small)
        #expect(uncompared.code == 69 && names(JXLLibrary.files, uncompared.errors), "\(uncompared.errors)")
        #expect(folder.names == ["broken", "photo.dng", "small.dng"])
    }

    @Test(arguments: ["dngenc compression=jpeg-xl", "rawdevelop ! jxlenc"])
    func noPhotoIsTakenThatCannotBeStored(_ encoder: String) throws {
        let folder = try TemporaryFolder()
        let text = "gscapsensorsrc num-buffers=1 ! rawunpack ! \(encoder) ! fakesink"
        try folder.write(bytes: Array(text.utf8), to: "plan.txt")
        let failed = try run(
            without: JXLLibrary.files, folder, "--pipeline", folder.path("plan.txt"), "--no-preview")
        #expect(failed.code == 69 && names(JXLLibrary.files, failed.errors), "\(failed.errors)")
    }

    @Test func anElementFailsBeforeItsPipelineRuns() throws {
        let folder = try TemporaryFolder()
        let failed = try run(
            without: HEIFLibrary.files, folder, program: "/usr/bin/gst-launch-1.0",
            "-q", "videotestsrc", "num-buffers=1", "!", "video/x-raw,format=RGB", "!", "heifenc", "!", "fakesink")
        #expect(!failed.wasKilled && failed.code != 0)
        #expect(failed.errors.contains("ERROR") && names(HEIFLibrary.files, failed.errors), "\(failed.errors)")
    }
}
