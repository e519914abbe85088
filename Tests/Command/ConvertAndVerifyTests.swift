import Foundation
import TemporaryFolders
import Testing

/// Tests of `gscap convert` and `gscap verify` on photos of the simulated camera.
@Suite(.timeLimit(.minutes(10))) struct ConvertAndVerifyTests {
    /// Creates a folder with the Bayer DNGs `frame-0.dng` and `frame-1.dng` and with `photo.dng`, the linear DNG fused
    /// from them.
    private func photos() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let text = """
            gscapsensorsrc is-live=false seed=3 num-buffers=4 ! video/x-bayer,format=rggb12le,width=322,height=242
              ! rawunpack ! rawshutter captures=1 frames=2 ! tee name=burst
            burst. ! queue ! dngenc ! multifilesink location=\(folder.path("frame-%d.dng"))
            burst. ! queue ! rawfusion ! dngenc ! filesink location=\(folder.path("photo.dng"))
            """
        let words = ["-q"] + text.split(whereSeparator: \.isWhitespace).map(String.init)
        let run = try BuiltCommand(words, program: "/usr/bin/gst-launch-1.0").wait()
        #expect(run.code == 0, "\(run.errors)")
        return folder
    }

    @Test func conversionsKeepThePhoto() throws {
        let folder = try photos()
        for (number, options) in [
            [], ["--compression", "none"], ["--predictor", "7"], ["--thumbnail", "full"], ["--thumbnail", "64"],
            ["--compression", "jpeg-xl"], ["--bits", "10"], ["--strip"],
        ].enumerated() {
            for name in ["frame-0", "photo"] {
                let (source, target) = (folder.path("\(name).dng"), folder.path("\(name)-\(number).dng"))
                let run = try BuiltCommand(["convert", source, target] + options).wait()
                #expect(run.code == 0, "\(options): \(run.errors)")
                let check = try BuiltCommand.run("verify", target)
                #expect(check.code == 0, "\(options): \(check.output)")
            }
        }
        let lossy = try BuiltCommand.run(
            "convert", folder.path("photo.dng"), folder.path("small.dng"), "--quality", "0.8")
        #expect(lossy.code == 0)
        #expect(try folder.bytes("small.dng").count < folder.bytes("photo.dng").count / 2)
    }

    @Test func nothingIsOverwrittenAndNoFileIsIncomplete() throws {
        let folder = try photos()
        let before = folder.names
        let same = try BuiltCommand.run("convert", folder.path("photo.dng"), folder.path("frame-0.dng"))
        #expect(same.code == 73)
        let lossyMosaic = try BuiltCommand.run(
            "convert", folder.path("frame-0.dng"), folder.path("x.dng"), "--quality", "0.5")
        #expect(lossyMosaic.code == 65)
        #expect(try BuiltCommand.run("convert", folder.path("photo.dng")).code == 64)
        #expect(try BuiltCommand.run("convert", folder.path("nobody.dng"), folder.path("x.dng")).code == 66)
        let word = try BuiltCommand.run(
            "convert", folder.path("photo.dng"), folder.path("x.dng"), "--compression", "zip")
        #expect(word.code == 64)
        #expect(folder.names == before)
    }

    @Test func aPhotoNamesItsFrames() throws {
        let folder = try photos()
        let (photo, frame) = (folder.path("photo.dng"), folder.path("frame-1.dng"))
        let proof = try BuiltCommand.run("verify", photo, "--against", frame)
        #expect(proof.code == 0, "\(proof.output)")
        #expect(proof.output.contains("number 1 of 2"))
        let codes = folder.path("other.dng")
        #expect(try BuiltCommand.run("convert", frame, codes, "--bits", "8").code == 0)
        let stranger = try BuiltCommand.run("verify", photo, "--against", codes)
        #expect(stranger.code == 65)
        #expect(stranger.output.contains("not made from"))
    }

    @Test func damageIsFound() throws {
        let folder = try photos()
        var bytes = try folder.bytes("photo.dng")
        bytes[bytes.count / 2] ^= 0x10
        try bytes.write(to: folder.url.appending(path: "broken.dng"))
        let run = try BuiltCommand.run("verify", "--json", folder.path("broken.dng"), folder.path("photo.dng"))
        #expect(run.code == 65)
        let events = try run.events()
        #expect(events.map { $0["ok"] as? Bool } == [false, true])
    }

    @Test func previewsAreStored() throws {
        let folder = try photos()
        let run = try BuiltCommand.run("inspect", folder.path("photo.dng"), "--extract", "preview")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try folder.bytes("photo-preview.jpg").prefix(3) == Data([0xFF, 0xD8, 0xFF]))
        #expect(try BuiltCommand.run("inspect", folder.path("photo.dng"), "--extract", "mattes").code == 65)
    }
}
