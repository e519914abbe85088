import Foundation
import RawImage
import TemporaryFolders
import Testing

/// Tests of `gscap fuse --tele` on photos of two lenses of the simulated camera.
@Suite(.timeLimit(.minutes(10))) struct FuseTeleTests {
    /// Returns a folder with `wide.dng` and `tele.dng`, which state their calibrations, and `plain.dng` without one.
    private func photos(exposure: String = "") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, words) in [
            ("wide", "calibration=true"), ("plain", ""),
            ("tele", "calibration=true zoom=2 lens-right=5 lens-down=-2 roll=1 distortion=-0.05"),
        ] {
            let text =
                "gscapsensorsrc is-live=false motion=false shake=0 num-buffers=1 \(words) \(exposure) "
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
        // The report is that of the wide photo, a single frame, with the tele's part.
        let report = try #require(inspected["fusion"] as? [String: Any])
        #expect(abs((report["teleUsedFraction"] as? Double ?? 0) - used) < 0.001)
        #expect(report["teleEnlargement"] as? Double == 2)
        #expect((report["frames"] as? [Any])?.count == 1)
        #expect(try BuiltCommand.run("inspect", out).output.contains("tele camera"))
    }

    /// The look is that of the wide photo alone; the tele's detail made that of an underexposed photo 0.02 EV brighter.
    @Test func theLookIsThatOfTheWidePhoto() throws {
        let folder = try photos(exposure: "iso=800 exposure-time=0.0005")
        let (wide, linear, tele) = (folder.path("wide.dng"), folder.path("linear.dng"), folder.path("tele.dng"))
        #expect(try BuiltCommand.run("fuse", wide, "-o", linear).code == 0)
        let exposures = try [wide, linear].map { photo in
            let out = folder.path("out.dng")
            let run = try BuiltCommand.run("fuse", "--tele", tele, photo, "-o", out, "--overwrite", "--json")
            #expect(run.code == 0, "\(run.errors)")
            return try BuiltCommand.run("inspect", "--json", out).events().first?["baselineExposure"] as? Double
        }
        let alone = try BuiltCommand.run("inspect", "--json", linear).events().first?["baselineExposure"] as? Double
        #expect(alone ?? 0 > 0.5 && exposures == [alone, alone], "\(exposures), \(alone ?? 0)")
    }

    /// The tags of a linear wide photo of another program, which has no XMP of gscap, are in the result.
    @Test func theTagsOfALinearWidePhotoAreKept() throws {
        let folder = try photos()
        #expect(try BuiltCommand.run("fuse", folder.path("wide.dng"), "-o", folder.path("linear.dng")).code == 0)
        var wide = FirstDirectory(try folder.bytes("linear.dng"))
        let serialNumber: [UInt8] = [0, 2, 0, 0, 0, 4] + Array("SN7\0".utf8)
        let ownTag: [UInt8] = [0, 3, 0, 0, 0, 1, 0, 7, 0, 0]
        (wide.entries[700], wide.entries[50_735], wide.entries[65_099]) = (nil, serialNumber, ownTag)
        try folder.write(bytes: wide.file, to: "wide-linear.dng")
        let out = folder.path("out.dng")
        let run = try BuiltCommand.run(
            "fuse", "--tele", folder.path("tele.dng"), folder.path("wide-linear.dng"), "-o", out)
        #expect(run.code == 0, "\(run.errors)")
        let fused = FirstDirectory(try folder.bytes("out.dng"))
        #expect(fused.entries[50_735] == serialNumber && fused.entries[65_099] == ownTag)
        let inspected = try #require(try BuiltCommand.run("inspect", "--json", out).events().first)
        // The crop of the linear photo, 1004×752 at (2, 2), grows with it.
        let images = try #require(inspected["images"] as? [[String: Any]])
        #expect(images.last?["defaultCrop"] as? [Double] == [4, 4, 2008, 1504])
        // The wide photo has no report: that of the file states the tele's part alone.
        let report = try #require(inspected["fusion"] as? [String: Any])
        #expect((report["teleUsedFraction"] as? Double ?? 0) > 0.05)
        #expect((report["frames"] as? [Any])?.isEmpty == true)
        let text = try BuiltCommand.run("inspect", out).output
        #expect(text.contains("tele camera") && !text.contains("effective frames"), "\(text)")
        #expect(try BuiltCommand.run("verify", out).code == 0)
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

/// The entries of the first directory of a big-endian TIFF file, by their tags.
private struct FirstDirectory {
    /// Type, count and value or offset of each entry: 10 bytes.
    var entries: [Int: [UInt8]] = [:]
    private let bytes: [UInt8]
    private let next: [UInt8]

    init(_ data: Data) {
        bytes = Array(data)
        let start = Self.number(bytes[4..<8])
        let end = start + 2 + 12 * Self.number(bytes[start..<start + 2])
        next = Array(bytes[end..<end + 4])
        for entry in stride(from: start + 2, to: end, by: 12) {
            entries[Self.number(bytes[entry..<entry + 2])] = Array(bytes[entry + 2..<entry + 12])
        }
    }

    /// The file with these entries in a new directory at its end.
    var file: [UInt8] {
        var file = bytes + [UInt8](repeating: 0, count: bytes.count % 2)
        file.replaceSubrange(4..<8, with: Self.bytes(file.count, 4))
        file += Self.bytes(entries.count, 2)
        for (tag, entry) in entries.sorted(by: { $0.key < $1.key }) { file += Self.bytes(tag, 2) + entry }
        return file + next
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
