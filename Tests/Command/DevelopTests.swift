import Foundation
import RawImage
import TemporaryFolders
import Testing

/// Tests of `gscap develop` on small photos.
@Suite(.timeLimit(.minutes(10))) struct DevelopTests {
    private func develop(_ words: String...) throws -> BuiltCommand.Result {
        try BuiltCommand(["develop"] + words).wait()
    }

    /// Checks each format by the signature at the beginning of its files.
    @Test(arguments: [
        ("jpg", [0xFF, 0xD8, 0xFF]), ("png", [0x89, 0x50, 0x4E, 0x47]), ("tif", [0x49, 0x49, 0x2A, 0x00]),
        ("exr", [0x76, 0x2F, 0x31, 0x01]), ("jxl", []), ("avif", []),
        ("webp", [0x52, 0x49, 0x46, 0x46]),
    ])
    func aPictureOfEachFormat(_ ending: String, _ beginning: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let run = try develop(photo, folder.path("picture.\(ending)"))
        #expect(run.code == 0, "\(run.errors)")
        let bytes = try folder.bytes("picture.\(ending)")
        #expect(bytes.count > 100)
        let start = ending == "tif" && bytes.first == 0x4D ? [0x4D, 0x4D, 0x00, 0x2A] : beginning
        #expect(Array(bytes.prefix(start.count)) == start)
    }

    @Test(arguments: ["jpg", "png", "tif", "heic", "avif"]) func picturesHaveTheExifOfTheFile(ending: String) throws {
        var dng = HandmadeDNG.bayer(width: 64, height: 48, bits: 16)
        dng.parts = [dng.bytes((0..<64 * 48).map { 2000 + UInt16($0 % 4096) })]
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.children[34_665] = [.directory([37_383: .shorts([5]), 42_037: .text("lens serial 9")])]
        let folder = try TemporaryFolder()
        try folder.write(bytes: dng.file, to: "photo.dng")
        let run = try develop(folder.path("photo.dng"), folder.path("picture.\(ending)"))
        #expect(run.code == 0, "\(run.errors)")
        let texts = try folder.bytes("picture.\(ending)").split(separator: 0)
        #expect(texts.contains { $0.elementsEqual("lens serial 9".utf8) })
    }

    /// Returns width and height from a PNG's IHDR chunk, which begins at byte 8.
    private func size(_ folder: TemporaryFolder, _ name: String) throws -> [Int] {
        let bytes = try folder.bytes(name)
        func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return [number(at: 16), number(at: 20)]
    }

    @Test func cropsAndSizes() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        for (words, expected) in [
            (["--resize", "30"], [30, 22]), (["--resize", "100x11"], [15, 11]), (["--crop", "4,6,20x10"], [20, 10]),
            (["--crop", "0,0,60x44", "--resize", "15"], [15, 11]), (["--bits", "16"], [60, 44]),
        ] {
            let name = words.joined(separator: "_") + ".png"
            let run = try BuiltCommand(["develop", photo, folder.path(name)] + words).wait()
            #expect(run.code == 0, "\(run.errors)")
            #expect(try size(folder, name) == expected)
        }
    }

    @Test func aFolderIsDevelopedAndTheRunResumed() throws {
        let folder = try TemporaryFolder()
        for name in ["in/a.dng", "in/b.dng", "other/a.dng"] { try folder.write(TestFrame(), to: name) }
        try folder.write(bytes: Array("no photo".utf8), to: "in/c.dng")
        let words = ["develop", "--json", folder.path("in"), folder.path("other"), "-o", folder.path("out") + "/"]
        let first = try BuiltCommand(words).wait()
        #expect(first.code == 65, "\(first.errors)")
        #expect(folder.names(in: "out") == ["b.jpg", "in-a.jpg", "other-a.jpg"])
        let failed = try first.events().filter { $0["event"] as? String == "failed" }
        #expect(failed.count == 1 && (failed[0]["file"] as? String)?.hasSuffix("c.dng") == true)
        let again = try BuiltCommand(words).wait()
        let done = try again.events().first { $0["event"] as? String == "done" }
        #expect(done?["kept"] as? Int == 3 && done?["developed"] as? Int == 0)
    }

    /// Only HEIC stores mattes; other formats omit them.
    @Test func aPhotoWithMattesIsDeveloped() throws {
        let folder = try TemporaryFolder()
        let run = try develop("Fuzz/DNGReader/Corpus/mattes", folder.path("picture.jpg"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names == ["picture.jpg"])
    }

    @Test func theHistogramCountsAllPixels() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let run = try develop(photo, folder.path("plot.png"), "--histogram", "--json")
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().first { $0["event"] as? String == "histogram" })
        let greens = try #require(event["green"] as? [Int])
        // The histogram counts the pixels of the default crop, which leaves a border of two pixels at each edge for
        // interpolation.
        let count: Int = greens.reduce(0, +)
        #expect(count == 60 * 44)
        #expect(try folder.bytes("plot.png").count > 100)
    }

    @Test(arguments: [
        (["--ev", "x"], "number"), (["--look", "nice"], "file, auto, none or a .cube file"),
        (["--white", "cold"], "KELVIN"),
        (["--white", "20"], "1000"), (["--white", "5000,1e300"], "-500 to 500"), (["--pick", "5"], "--pick 200,300"),
        (["--crop", "1,2"], "640x480"),
        (["--resize", "0"], "longest side"), (["--bits", "10"], "8, 16"), (["--color", "cmyk"], "rec2020"),
        (["--hdr", "map"], "JPEG"), (["--crop", "0,0,61x10"], "is not inside"), (["--pick", "900,1"], "is not inside"),
    ])
    func invalidOptionsAreReported(_ words: [String], _ answer: String) throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(TestFrame(), to: "photo.dng")
        let run = try BuiltCommand(["develop", photo, folder.path("picture.png")] + words).wait()
        #expect(run.code == 64)
        #expect(run.errors.contains(answer), "\(run.errors)")
        #expect(folder.names == ["photo.dng"])
    }
}
