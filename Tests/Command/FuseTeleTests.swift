import Foundation
import RawImage
import TemporaryFolders
import Testing

/// Tests of `gscap fuse --tele` on photos of two lenses of the simulated camera.
@Suite(.timeLimit(.minutes(10))) struct FuseTeleTests {
    /// Returns a folder with `wide.dng` and `tele.dng`, which state their calibrations, and `plain.dng` without one.
    private func photos() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, words) in [
            ("wide", "calibration=true"), ("plain", ""),
            ("tele", "calibration=true zoom=2 lens-right=5 lens-down=-2 roll=1 distortion=-0.05"),
        ] {
            let text =
                "gscapsensorsrc is-live=false motion=false shake=0 num-buffers=1 \(words) "
                + "! video/x-bayer,format=rggb12le,width=1008,height=756 ! rawunpack ! dngenc preview-size=0 "
                + "! filesink location=\(folder.path("\(name).dng"))"
            let run = try BuiltCommand(
                ["-q"] + text.split(separator: " ").map(String.init), program: "/usr/bin/gst-launch-1.0"
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
        return folder
    }

    @Test func aWideAndATelePhotoBecomeOne() throws {
        let folder = try photos()
        let out = folder.path("out.dng")
        let run = try BuiltCommand.run(
            "fuse", "--json", "--tele", folder.path("tele.dng"), folder.path("wide.dng"), "-o", out)
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().last)
        let tele = try #require(event["tele"] as? [String: Any])
        let (seen, used) = (tele["seenFraction"] as? Double ?? 0, tele["usedFraction"] as? Double ?? 0)
        // In a photo this small, the outlines of near things, which are left to the wide photo, take a larger part.
        #expect(abs(seen - 0.25) < 0.03 && used > 0.4 * seen, "\(seen), \(used)")
        #expect(try BuiltCommand.run("verify", out).code == 0)
        let inspected = try #require(try BuiltCommand.run("inspect", "--json", out).events().first)
        #expect(inspected["calibrationSize"] as? [Double] == [2016, 1512])
        #expect(inspected["calibrationFocalLength"] as? [Double] == [1512, 1512])
    }

    @Test func theGeometryOfTheLensIsInTheFile() throws {
        let folder = try photos()
        let wide = try #require(
            try BuiltCommand.run("inspect", "--json", folder.path("wide.dng")).events().first)
        #expect(wide["calibrationFocalLength"] as? [Double] == [756, 756])
        #expect(wide["calibrationPrincipalPoint"] as? [Double] == [504, 378])
        #expect(wide["focalLengthIn35mm"] as? Double == 26)
        let tele = try #require(
            try BuiltCommand.run("inspect", "--json", folder.path("tele.dng")).events().first)
        #expect(tele["calibrationPosition"] as? [Double] == [5, -2, 0])
        #expect((tele["calibrationRadialDistortion"] as? [Double])?.first == -0.05)
        #expect((tele["opcodes"] as? String)?.contains("WarpRectilinear") == true)
    }

    @Test func wrongUsesAreExplained() throws {
        let folder = try photos()
        let (wide, tele, out) = (folder.path("wide.dng"), folder.path("tele.dng"), folder.path("out.dng"))
        let cases: [([String], Int32)] = [
            ([wide, wide], 64), ([wide, "--mosaic"], 64), ([wide, "--super-resolution", "3"], 64),
            ([folder.path("plain.dng")], 65), ([folder.path("none.dng")], 66),
        ]
        for (words, code) in cases {
            let run = try BuiltCommand(["fuse", "--tele", tele, "-o", out] + words).wait()
            #expect(run.code == code, "\(words): \(run.errors)")
        }
        // The photos are exchanged.
        #expect(try BuiltCommand.run("fuse", "--tele", wide, tele, "-o", out).code == 65)
    }
}
