import PipelineText
import Testing

@Suite struct LintTests {
    /// A pipeline without warnings; each test introduces one mistake.
    private static let good = """
        gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024 ! rawunpack ! tee name=raw
        raw. ! queue leaky=downstream max-size-bytes=0 ! rawdevelop quality=preview ! fakesink
        raw. ! queue max-size-bytes=0 ! rawshutter ! tee name=burst
        burst. ! queue max-size-bytes=0 ! rawfusion ! tee name=photo
        photo. ! queue max-size-bytes=0 ! dngenc ! multifilesink location=photo-%05d.dng
        photo. ! queue max-size-bytes=0 ! rawdevelop ! jpegenc ! multifilesink location=photo-%05d.jpg
        """

    private func warnings(_ text: String) throws -> [PipelineWarning] { try Description(parsing: text).warnings }

    private func warnings(replacing part: String, by other: String) throws -> [PipelineWarning] {
        try #require(Self.good.contains(part))
        return try warnings(Self.good.replacing(part, with: other, maxReplacements: 1))
    }

    @Test func aGoodPipelineHasNoWarnings() throws {
        #expect(try warnings(Self.good) == [])
    }

    @Test(
        arguments: [
            ("photo. ! queue max-size-bytes=0 ! dngenc", "photo. ! dngenc", .teeBranchWithoutQueue, 5, 10),
            ("burst. ! queue max-size-bytes=0", "burst. ! queue", .queueTooSmall, 4, 10),
            ("burst. ! queue max-size-bytes=0", "burst. ! queue max-size-bytes=24000000", .queueTooSmall, 4, 10),
            ("photo. ! queue max-size-bytes=0", "photo. ! queue max-size-bytes=90000000", .queueTooSmall, 5, 10),
            ("preview ! fakesink", "preview ! autovideosink", .sinkNeedsDisplay, 2, 79),
            ("! rawshutter ! tee name=burst\nburst.", "! rawshutter ! tee name=b\nb.", .missingRole, 3, 33),
            ("! tee name=photo", "! queue max-size-bytes=0 name=photo", .missingRole, 4, 47),
            ("rawshutter ! tee", "valve ! tee", .stillWithoutShutter, 4, 35),
            ("leaky=downstream ", "", .previewNotLeaky, 2, 8),
            ("multifilesink location=photo-%05d.dng", "filesink location=photo.dng", .photosInOneFile, 5, 44),
            ("multifilesink location=photo-%05d.dng", "multifilesink location=photo.dng", .photosInOneFile, 5, 44),
        ] as [(String, String, PipelineWarning.Code, Int, Int)])
    func eachRule(part: String, other: String, code: PipelineWarning.Code, line: Int, column: Int) throws {
        let found = try warnings(replacing: part, by: other)
        let warning = try #require(found.first)
        #expect(found.count == 1, "\(found)")
        #expect(warning.code == code)
        #expect(warning.excerpt?.location.line == line, "\(warning)")
        #expect(warning.excerpt?.location.column == column, "\(warning)")
    }

    /// Frames without caps have the simulated sensor's default size; frames smaller than the queue's limit give no
    /// warning.
    @Test func queuesAreComparedWithTheFrameSize() throws {
        let tail = "! rawunpack ! tee name=raw raw. ! queue ! fakesink"
        #expect(try warnings("gscapsensorsrc \(tail)").map(\.code) == [.queueTooSmall])
        #expect(try warnings("gscapsensorsrc ! video/x-bayer,width=640,height=480 \(tail)") == [])
        #expect(try warnings("othersrc \(tail)") == [])
        #expect(try warnings("a ! capsfilter caps=video/x-bayer,width=9999,height=9999 \(tail)").count == 1)
        let huge = "video/x-raw,format=RGBA64_LE,width=2147483647,height=2147483647"
        #expect(try warnings("gscapsensorsrc ! \(huge) ! queue ! b").map(\.code) == [.missingRole])
    }

    @Test func describesItself() throws {
        let warning = try #require(try Description(parsing: "a ! kmssink", file: "f.txt").warnings.last)
        #expect(
            warning.description == """
                f.txt:1:5: warning: kmssink needs a display; without one, gscap replaces it with a fakesink
                  a ! kmssink
                      ^~~~~~~
                """)
    }
}
