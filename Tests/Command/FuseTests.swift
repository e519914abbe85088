import Foundation
import Testing

/// `gscap fuse` on frames of the simulated camera.
@Suite(.timeLimit(.minutes(2))) struct FuseTests {
    /// A folder with frames of a burst, and two that do not belong to it.
    private func burst() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, words) in [
            ("frame", "num-buffers=4 iso=1600 ! video/x-bayer,format=rggb12le,width=640,height=480"),
            ("small", "num-buffers=1 ! video/x-bayer,format=rggb12le,width=320,height=240"),
        ] {
            let text =
                "gscapsensorsrc is-live=false seed=4 \(words) ! rawunpack ! dngenc preview-size=0 "
                + "! multifilesink location=\(folder.path("\(name)-%d.dng"))"
            let run = try BuiltCommand(
                ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        return folder
    }

    private func frames(_ folder: TemporaryFolder) -> [String] { (0..<4).map { folder.path("frame-\($0).dng") } }

    @Test(arguments: [[], ["--mosaic"], ["--reference", "2"]])
    func aBurstBecomesOnePhoto(options: [String]) throws {
        let folder = try burst()
        let run = try BuiltCommand(
            ["fuse", "--json", "-o", folder.path("out.dng")] + options + frames(folder)
        ).wait()
        #expect(run.code == 0, "\(run.errors)")
        let told = try #require(try run.events().last)
        #expect(told["framesUsed"] as? Int == 4)
        #expect((told["effectiveFrames"] as? Double ?? 0) > 2)
        let first = (told["frames"] as? [[String: Any]])?.first?["file"] as? String
        #expect(first == folder.path(options == ["--reference", "2"] ? "frame-2.dng" : "frame-0.dng"))
        let proof = try BuiltCommand.run("verify", folder.path("out.dng"), "--against", folder.path("frame-3.dng"))
        #expect(proof.code == 0, "\(proof.output)")
        let kind = try BuiltCommand.run("inspect", folder.path("out.dng")).output
        #expect(kind.contains(options == ["--mosaic"] ? "bayer" : "linear"))
    }

    /// Two exposures two stops apart: the result's white lies two stops higher, unless it is to be a burst.
    @Test(arguments: ["auto", "off"])
    func exposuresBecomeOnePhoto(bracket: String) throws {
        let folder = try TemporaryFolder()
        for (name, time) in [("long", 0.02), ("short", 0.005)] {
            let text =
                "gscapsensorsrc is-live=false seed=4 num-buffers=1 exposure-time=\(time) iso=100 "
                + "! video/x-bayer,format=rggb12le,width=640,height=480 ! rawunpack ! dngenc preview-size=0 "
                + "! filesink location=\(folder.path("\(name).dng"))"
            let run = try BuiltCommand(
                ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        let target = folder.path("out.dng")
        let run = try BuiltCommand.run(
            "fuse", folder.path("short.dng"), folder.path("long.dng"), "-o", target, "--bracket", bracket,
            "--reference", "1", "--mosaic")
        #expect(run.code == 0, "\(run.errors)")
        let told = try BuiltCommand.run("inspect", target).output
        #expect(told.contains("65535") == (bracket == "auto"), "\(told)")
        #expect(told.contains("baseline exposure   2\n") == (bracket == "auto"), "\(told)")
        #expect(
            try BuiltCommand.run(
                "fuse", folder.path("short.dng"), folder.path("long.dng"), "-o", folder.path("other.dng"), "--bracket",
                "on"
            ).code == 64)
    }

    @Test func whatCannotBeFusedIsSaid() throws {
        let folder = try burst()
        let target = folder.path("out.dng")
        let other = try BuiltCommand.run("fuse", folder.path("frame-0.dng"), folder.path("small-0.dng"), "-o", target)
        #expect(other.code == 65)
        #expect(other.errors.contains("small-0.dng"))
        #expect(try BuiltCommand.run("fuse", folder.path("frame-0.dng"), "-o", target).code == 64)
        #expect(try BuiltCommand(["fuse"] + frames(folder)).wait().code == 64)
        #expect(try BuiltCommand(["fuse", "-o", target, "--reference", "4"] + frames(folder)).wait().code == 64)
        #expect(
            try BuiltCommand.run("fuse", folder.path("nobody.dng"), folder.path("frame-0.dng"), "-o", target).code == 66
        )
        #expect(try BuiltCommand(["fuse", "-o", folder.path("frame-3.dng")] + frames(folder)).wait().code == 73)
        #expect(!folder.names.contains("out.dng"))
    }
}
