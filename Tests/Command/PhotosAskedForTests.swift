import Foundation
import TemporaryFolders
import Testing

/// Exit code 0 means that every photo that was asked for is stored, and no file is replaced unasked.
@Suite(.timeLimit(.minutes(10))) struct PhotosAskedForTests {
    private static let sensor =
        "gscapsensorsrc is-live=false num-buffers=9 ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"

    private func run(_ text: String, _ folder: TemporaryFolder, _ more: String...) throws -> BuiltCommand.Result {
        let file = try folder.write(text, to: "pipeline.txt")
        return try BuiltCommand([file, "--timeout", "60", "--output", folder.path("out")] + more, folder: folder.url)
            .wait()
    }

    @Test(arguments: [
        ("rawunpack ! rawshutter ! dngenc ! fakesink", [String]()), ("rawunpack ! fakesink", ["--photos", "3"]),
        ("rawunpack ! fakesink", ["--press"]), ("rawunpack ! rawshutter ! dngenc ! fakesink", ["--interval", "1"]),
    ])
    func photosThatNoBranchStores(end: String, more: [String]) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("\(Self.sensor) ! \(end)", to: "pipeline.txt")
        let result = try BuiltCommand([file, "--output", folder.path("out")] + more).wait()
        #expect(result.code == 64)
        #expect(result.errors.contains("--photos 0"), "\(result.errors)")
        #expect(folder.names == ["pipeline.txt"])
        let none = try BuiltCommand([file, "--photos", "0", "--timeout", "0.5"]).wait()
        #expect(none.code == 0, "\(none.errors)")
    }

    /// Photos one after another are of different frames, however fast they are made.
    @Test func photosOneAfterAnotherAreOfDifferentFrames() throws {
        let folder = try TemporaryFolder()
        let live = Self.sensor.replacing("is-live=false num-buffers=9", with: "is-live=true")
        let text = "\(live) ! rawunpack ! rawshutter frames=1 ! dngenc ! multifilesink location=p-%d.dng"
        let result = try run(text, folder, "--photos", "4")
        #expect(result.code == 0, "\(result.errors)")
        let photos = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
        let digests = try photos.map {
            try BuiltCommand.run("inspect", "--json", folder.path("out/\($0)")).events().first?["rawDigest"] as? String
        }
        #expect(photos.count == 4 && Set(digests.compactMap(\.self)).count == 4, "\(digests)")
    }

    /// The fault: a series at an interval waited five seconds for frames although the stream had ended.
    @Test func aStreamThatEndsBeforeItsFirstFrameEndsTheSeries() throws {
        let folder = try TemporaryFolder()
        let empty = Self.sensor.replacing("num-buffers=9", with: "num-buffers=0")
        let text = "\(empty) ! rawunpack ! rawshutter frames=1 ! dngenc ! multifilesink location=p-%d.dng"
        let start = ContinuousClock.now
        let result = try run(text, folder, "--photos", "2", "--interval", "1")
        #expect(result.code == 74, "\(result.errors)")
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func aTimeLimitBeforeTheLastPhoto() throws {
        let result = try BuiltCommand.run(
            "pipelines/headless.txt", "--interval", "100", "--photos", "2", "--timeout", "1.5", "--output",
            try TemporaryFolder().path("out"), "--var", "WIDTH=64", "--var", "HEIGHT=48", "--json")
        #expect(result.code == 75)
        #expect(result.errors.contains("1 of 2 photos"), "\(result.errors)")
        let reasons = try result.reasons()
        #expect(reasons.count == 1 && reasons[0].contains("1 of 2 photos"), "\(reasons)")
    }

    /// A deferred photo leaves neither its preview nor an empty folder after it is finished.
    @Test func aFinishedPhotoLeavesNothingElse() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltCommand.run(
            "--raw", "proraw", "--format", "jpeg", "--size", "64x48", "--deferred", "--no-preview", "--output",
            folder.url.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.names == ["deferred", "photo-0001-proxy.jpg"])
        #expect(try BuiltCommand.run("finish", folder.path("deferred")).code == 0)
        #expect(folder.names == ["photo-0001.dng", "photo-0001.jpg"])
    }

    /// A pipeline that fails before the press ends with its own error, not with an internal one.
    @Test func aPipelineThatFailsBeforeThePress() throws {
        let folder = try TemporaryFolder()
        let text = """
            fakesrc num-buffers=3 ! identity error-after=1 ! fakesink
            \(Self.sensor) ! rawunpack ! queue ! rawshutter name=shutter frames=2 ! dngenc ! filesink location=a.dng
            """
        let result = try run(text, folder)
        #expect(result.code == 74, "\(result.errors)")
        #expect(!result.errors.contains("start the session"), "\(result.errors)")
    }

    /// A multifilesink that is no photo branch numbers its files after the existing ones.
    @Test func filesOfOtherSinksAreKept() throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: [7], to: "m-0.jpg")
        try folder.write(bytes: [7], to: "m-4.jpg")
        let text = "videotestsrc num-buffers=2 ! jpegenc ! multifilesink location=m-%d.jpg"
        let result = try run(text, folder)
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.names == ["m-0.jpg", "m-4.jpg", "m-5.jpg", "m-6.jpg", "pipeline.txt"])
        #expect(try folder.bytes("m-0.jpg") == Data([7]))
        #expect(try run(text, folder, "--overwrite").code == 0)
        #expect(try folder.bytes("m-0.jpg").count > 1)
        #expect(folder.names.count == 6)
    }

    @Test(arguments: ["filesink location=m.jpg", "multifilesink location=m.jpg"])
    func aSinkDoesNotReplaceItsFile(sink: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes: [7], to: "m.jpg")
        let result = try run("videotestsrc num-buffers=2 ! jpegenc ! \(sink)", folder)
        #expect(result.code == 73)
        #expect(result.errors.contains("pipeline.txt:1:") && result.errors.contains("--overwrite"), "\(result.errors)")
        #expect(try folder.bytes("m.jpg") == Data([7]))
    }
}
