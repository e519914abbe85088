import Testing

/// Without a library that only some formats need, these fail and say so, and all else works.
@Suite(.timeLimit(.minutes(10))) struct MissingLibraryTests {
    /// Runs a program for which a library is broken: an empty file stands before it.
    private func run(
        without library: String, _ folder: TemporaryFolder, program: String? = nil, _ words: String...
    ) throws -> BuiltCommand.Result {
        try folder.write(bytes: [], to: "broken/\(library)")
        return try BuiltCommand(
            words, program: program, environment: ["LD_LIBRARY_PATH": folder.path("broken")]
        ).wait()
    }

    @Test(arguments: [
        ("heic", "libheif.so.1", "libheif1"), ("avif", "libavif.so.15", "libavif15"),
        ("jxl", "libjxl.so.0.7", "libjxl0.7"),
    ])
    func itsFormatFails(_ ending: String, _ library: String, _ package: String) throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let failed = try run(without: library, folder, "develop", photo, folder.path("picture.\(ending)"))
        #expect(failed.code == 69)
        #expect(failed.errors.contains(library) && failed.errors.contains(package), "\(failed.errors)")
        let done = try run(without: library, folder, "develop", photo, folder.path("picture.jpg"))
        #expect(done.code == 0, "\(done.errors)")
        #expect(folder.names == ["broken", "photo.dng", "picture.jpg"])
    }

    @Test func photosInJPEGXLAreNeitherWrittenNorRead() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let small = folder.path("small.dng")
        let unwritten = try run(
            without: "libjxl.so.0.7", folder, "convert", photo, small, "--compression", "jpeg-xl")
        #expect(unwritten.code == 69 && unwritten.errors.contains("libjxl0.7"), "\(unwritten.errors)")
        #expect(try BuiltCommand.run("convert", photo, small, "--compression", "jpeg-xl").code == 0)
        let unread = try run(without: "libjxl.so.0.7", folder, "develop", small, folder.path("picture.png"))
        #expect(unread.code == 69 && unread.errors.contains("libjxl0.7"), "\(unread.errors)")
        #expect(folder.names == ["broken", "photo.dng", "small.dng"])
    }

    @Test func anElementTellsBeforeItsPipelineRuns() throws {
        let folder = try TemporaryFolder()
        let failed = try run(
            without: "libheif.so.1", folder, program: "/usr/bin/gst-launch-1.0",
            "-q", "videotestsrc", "num-buffers=1", "!", "video/x-raw,format=RGB", "!", "heifenc", "!", "fakesink")
        #expect(!failed.wasKilled && failed.code != 0)
        #expect(failed.errors.contains("ERROR") && failed.errors.contains("libheif1"), "\(failed.errors)")
    }
}
