import Foundation
import TemporaryFolders
import Testing

/// Tests of the storage options of `gscap convert`: contradictions are usage errors, and errors name unsupported files.
@Suite(.timeLimit(.minutes(10))) struct ConvertOptionTests {
    /// Returns a folder with `photo.dng`, a linear photo, and `frame.dng`, a Bayer frame.
    private func photos() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let text = """
            gscapsensorsrc is-live=false num-buffers=2 ! video/x-bayer,format=rggb12le,width=322,height=242
              ! rawunpack ! rawshutter captures=1 frames=1 ! tee name=burst
            burst. ! queue ! dngenc ! filesink location=\(folder.path("frame.dng"))
            burst. ! queue ! rawfusion ! dngenc bit-depth=16 ! filesink location=\(folder.path("photo.dng"))
            """
        let words = ["-q"] + text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(try BuiltCommand(words, program: "/usr/bin/gst-launch-1.0").wait().code == 0)
        return folder
    }

    @Test func contradictionsAreUsageErrors() throws {
        let folder = try photos()
        for options in [
            ["--compression", "none", "--quality", "0.9"], ["--compression", "none", "--bits", "8"],
            ["--compression", "jpeg-xl", "--predictor", "7"], ["--compression", "none", "--predictor", "best"],
            ["--quality", "0.8", "--bits", "10"], ["--quality", "0.8", "--predictor", "7"],
            ["--strip", "--embed-original"],
        ] {
            let run = try BuiltCommand(["convert", folder.path("photo.dng"), folder.path("x.dng")] + options).wait()
            #expect(run.code == 64, "\(options): \(run.errors)")
        }
        #expect(folder.names == ["frame.dng", "photo.dng"])
    }

    @Test func qualityMakesJPEGXLSmaller() throws {
        let folder = try photos()
        for name in ["frame", "photo"] {
            var sizes: [Int] = []
            for quality in ["1", "0.9", "0.5"] {
                let run = try BuiltCommand.run(
                    "convert", folder.path("\(name).dng"), folder.path("\(name)-\(quality).dng"), "--compression",
                    "jpeg-xl", "--quality", quality, "--thumbnail", "small")
                #expect(run.code == 0, "\(run.errors)")
                #expect(try BuiltCommand.run("verify", folder.path("\(name)-\(quality).dng")).code == 0)
                sizes.append(try folder.bytes("\(name)-\(quality).dng").count)
            }
            // The frame has no noise: its lossless file is smaller than any that keeps its steep edges approximately.
            #expect(sizes[1] > sizes[2] && (name == "frame" || sizes[0] > sizes[1]), "\(name): \(sizes)")
        }
    }

    @Test func theBestPredictorIsNamed() throws {
        let folder = try photos()
        let run = try BuiltCommand.run(
            "convert", folder.path("photo.dng"), folder.path("x.dng"), "--predictor", "best", "--json")
        #expect(run.code == 0, "\(run.errors)")
        let event = try #require(try run.events().first { $0["event"] as? String == "file" })
        #expect((1...7).contains(event["predictor"] as? Int ?? 0))
    }

    @Test func thirteenBitsAreWarnedOf() throws {
        let folder = try photos()
        let linear = try BuiltCommand.run(
            "convert", folder.path("photo.dng"), folder.path("x.dng"), "--bits", "13")
        #expect(linear.code == 0 && linear.errors.contains("RawTherapee"))
        let mosaic = try BuiltCommand.run(
            "convert", folder.path("frame.dng"), folder.path("y.dng"), "--bits", "13")
        #expect(mosaic.code == 0 && mosaic.errors.isEmpty, "\(mosaic.errors)")
    }

    /// The default depth of an HDR TIFF is 16-bit integers: BitsPerSample and SampleFormat say so.
    @Test func hdrTIFFsAreIntegers() throws {
        let folder = try photos()
        let run = try BuiltCommand.run("develop", folder.path("photo.dng"), "-o", folder.path("a.tif"), "--hdr", "pq")
        #expect(run.code == 0, "\(run.errors)")
        let bytes = try folder.bytes("a.tif")
        // Tag 339 (SampleFormat) of three SHORTs has its values elsewhere; the first of them is 1, an integer.
        let entry = try #require(
            bytes.indices.dropLast(12).first { bytes[$0..<$0 + 8].elementsEqual([0x53, 1, 3, 0, 3, 0, 0, 0]) })
        let offset = Int(bytes[entry + 8]) | Int(bytes[entry + 9]) << 8 | Int(bytes[entry + 10]) << 16
        #expect(bytes[offset] == 1)
    }

    @Test(arguments: ["develop", "convert", "verify"])
    func aRawFileOfACameraIsNamed(command: String) throws {
        let folder = try TemporaryFolder()
        try Data("FUJIFILMCCD-RAW 0201".utf8 + [UInt8](repeating: 0, count: 99)).write(
            to: URL(filePath: folder.path("a.raf")))
        let target: [String] =
            switch command {
            case "convert": [folder.path("b.dng")]
            case "develop": ["-o", folder.path("b.jpg")]
            default: []
            }
        let run = try BuiltCommand([command, folder.path("a.raf")] + target).wait()
        #expect(run.code == 65, "\(run.code) \(run.errors)")
        let names = command == "verify" ? "Fujifilm" : "LibRaw"
        #expect((run.errors + run.output).contains(names), "\(run.errors) \(run.output)")
    }
}
