import Foundation
import TemporaryFolders
import Testing

/// Tests of damaged files with the commands that decode pixels.
@Suite(.timeLimit(.minutes(10))) struct DamageTests {
    /// Creates a folder with the uncompressed frames `frame-0.dng` to `frame-2.dng`, the last of which has a flipped
    /// bit in its pixels.
    private func frames() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let text = """
            gscapsensorsrc is-live=false seed=3 num-buffers=3 ! video/x-bayer,format=rggb12le,width=320,height=240
              ! rawunpack ! dngenc compression=none ! multifilesink location=\(folder.path("frame-%d.dng"))
            """
        let words = ["-q"] + text.split(whereSeparator: \.isWhitespace).map(String.init)
        let run = try BuiltCommand(words, program: "/usr/bin/gst-launch-1.0").wait()
        #expect(run.code == 0, "\(run.errors)")
        var bytes = try folder.bytes("frame-2.dng")
        bytes[bytes.count - 1000] ^= 4
        try bytes.write(to: folder.url.appending(path: "frame-2.dng"))
        return folder
    }

    @Test func damageIsRefusedOrNamed() throws {
        let folder = try frames()
        let damaged = folder.path("frame-2.dng")
        let check = try BuiltCommand.run("verify", damaged)
        #expect(check.code == 65 && check.output.contains("damaged"))
        for (number, words) in [
            ["convert", damaged], ["develop", damaged, "-o"], ["fuse", folder.path("frame-0.dng"), damaged, "-o"],
        ].enumerated() {
            let target = folder.path(number == 1 ? "out.jpg" : "out-\(number).dng")
            let refused = try BuiltCommand(words + [target]).wait()
            #expect(refused.code == 65, "\(words)")
            #expect(refused.errors.contains("frame-2.dng") && refused.errors.contains("raw picture is damaged"))
            #expect(refused.errors.contains("--accept-damage"))
            #expect(!folder.names.contains(where: { $0.hasPrefix("out") && target.hasSuffix($0) }))
            let accepted = try BuiltCommand(words + [target, "--accept-damage"]).wait()
            #expect(accepted.code == 0, "\(accepted.errors)")
            #expect(accepted.errors.contains("raw picture is damaged"))
            #expect(!accepted.errors.contains("frame-2.dng: frame-2.dng"))
            if number == 1 {
                #expect(try folder.bytes("out.jpg").range(of: Data("gscap:AcceptedDamage".utf8)) != nil)
                continue
            }
            let copy = try BuiltCommand.run("verify", "--json", target)
            #expect(copy.code == 65)
            #expect(try copy.events().first?["verdict"] as? String == "damageAccepted")
        }
    }

    @Test func verifySaysWhatTheDigestsCover() throws {
        let folder = try frames()
        let run = try BuiltCommand.run("verify", folder.path("frame-0.dng"))
        #expect(run.code == 0 && run.output.contains("frame-0.dng: sound"))
        #expect(run.output.contains("digests match: ") && run.output.contains("the raw picture"))
        let events = try BuiltCommand.run("verify", "--json", folder.path("frame-0.dng")).events()
        #expect(events.first?["verdict"] as? String == "sound")
        #expect((events.first?["covered"] as? [String])?.contains("preview 1") == true)
    }

    @Test func theSameFrameTwiceCountsOnce() throws {
        let folder = try frames()
        try FileManager.default.copyItem(atPath: folder.path("frame-1.dng"), toPath: folder.path("frame-3.dng"))
        let run = try BuiltCommand.run(
            "fuse", folder.path("frame-0.dng"), folder.path("frame-1.dng"), folder.path("frame-3.dng"), "-o",
            folder.path("photo.dng"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("same frame"))
        #expect(run.output.contains("2 of 3"), "\(run.output)")
    }

    @Test func playedFilesAreCompared() throws {
        let folder = try frames()
        func play(_ options: String) throws -> BuiltCommand.Result {
            let words =
                ["-q", "dngsrc", "location=\(folder.path("frame-*.dng"))"]
                + options.split(separator: " ").map(String.init)
            return try BuiltCommand(words + ["!", "fakesink"], program: "/usr/bin/gst-launch-1.0").wait()
        }
        let refused = try play("")
        #expect(refused.code != 0 && refused.errors.contains("raw picture is damaged"), "\(refused.errors)")
        let accepted = try play("accept-damage=true")
        #expect(accepted.code == 0, "\(accepted.errors)")
    }
}
