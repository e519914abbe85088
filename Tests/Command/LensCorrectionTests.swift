import DNG
import Develop
import RawImage
import TemporaryFolders
import Testing

/// The lens corrections of `gscap develop`, from Lensfun.
@Suite(.timeLimit(.minutes(10))) struct LensCorrectionTests {
    /// Writes a photo of a camera and lens that Lensfun's database contains; returns its path.
    private func write(
        _ folder: TemporaryFolder, model: String = "Canon EOS 5D Mark III", lens: LensCorrection = LensCorrection(),
        hasLens: Bool = true
    ) throws -> String {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.lens = lens
        (metadata.make, metadata.model) = ("Canon", model)
        if hasLens {
            metadata.details.lensModel = "EF24-105mm f/4L IS USM"
            metadata.details.focalLength = 24
            metadata.details.fNumber = 4
        }
        let format = MosaicFormat(width: 96, height: 64, pattern: .rggb, bitDepth: 12)
        let codes = (0..<96 * 64).map { (pixel: Int) -> UInt16 in pixel % 16 < 8 ? 800 : 2800 }
        let data = try DNGWriter().encode(mosaic: codes.span, format: format, metadata: metadata)
        let bytes = data.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        try folder.write(bytes: bytes, to: "photo.dng")
        return folder.path("photo.dng")
    }

    @Test func aKnownLensIsCorrectedAndReported() throws {
        let folder = try TemporaryFolder()
        let photo = try write(folder)
        let run = try BuiltCommand.run("develop", photo, folder.path("auto.jpg"))
        #expect(run.code == 0 && run.output.contains("Canon EF 24-105mm f/4L IS USM (Lensfun): "), "\(run.errors)")
        let text = String(decoding: try folder.bytes("auto.jpg"), as: UTF8.self)
        #expect(text.contains("<gscap:LensProfile>Canon EF 24-105mm f/4L IS USM (Lensfun): distortion, "))
        for words in [["--lens-correction", "off"], ["--lens-correction", "file"]] {
            let plain = try BuiltCommand(["develop", photo, folder.path("plain.jpg"), "--overwrite"] + words).wait()
            #expect(plain.code == 0 && !plain.output.contains("Lensfun"))
        }
        #expect(try folder.bytes("plain.jpg") != folder.bytes("auto.jpg"))
        let named = try BuiltCommand.run(
            "develop", photo, folder.path("named.jpg"), "--lens", "EF 24-105mm f/4L IS II USM", "--json")
        #expect(named.code == 0 && named.output.contains("\"lensProfile\""), "\(named.output) \(named.errors)")
    }

    @Test func inspectStatesTheOriginOfTheCorrections() throws {
        let folder = try TemporaryFolder()
        func inspect(_ photo: String) throws -> (text: String, event: [String: Any]) {
            let event = try #require(try BuiltCommand.run("inspect", photo, "--json").events().first)
            return (try BuiltCommand.run("inspect", photo).output, event)
        }
        let known = try inspect(write(folder))
        let summary = "Canon EF 24-105mm f/4L IS USM (Lensfun): distortion, "
        #expect(known.text.contains("lens correction") && known.text.contains(summary))
        #expect(known.event["lensCorrection"] as? String == "lensfun")
        #expect((known.event["lensProfile"] as? String)?.hasPrefix(summary) == true)
        let unknown = try inspect(write(folder, model: "Imaginary 7"))
        #expect(unknown.event["lensCorrection"] as? String == "none" && unknown.event["lensProfile"] == nil)
        let warp = try LensWarp(planes: [LensWarp.Plane(radial: [1.1, -0.1, 0, 0])])
        let own = try inspect(write(folder, lens: LensCorrection(warp: warp)))
        #expect(own.event["lensCorrection"] as? String == "file" && own.text.contains("the file's: distortion"))
    }

    @Test(
        arguments: [
            (["--lens", "EF 50mm", "--lens-correction", "off"], 64),
            (["--lens", "EF 50mm", "--lens-correction", "file"], 64),
            (["--lens-correction", "lensfnu"], 64), (["--lens", "Imaginary 50mm f/0.5"], 65),
        ] as [([String], Int32)]) func wrongChoicesFail(words: [String], code: Int32) throws
    {
        let folder = try TemporaryFolder()
        let photo = try write(folder)
        let run = try BuiltCommand(["develop", photo, folder.path("picture.jpg")] + words).wait()
        #expect(run.code == code && run.errors.contains("ens"), "\(run.errors)")
        #expect(folder.names == ["photo.dng"])
    }

    @Test func anUnknownCameraFailsOnlyWhenLensfunIsRequested() throws {
        let folder = try TemporaryFolder()
        let photo = try write(folder, model: "Imaginary 7")
        #expect(try BuiltCommand.run("develop", photo, folder.path("auto.jpg")).code == 0)
        let run = try BuiltCommand.run("develop", photo, folder.path("asked.jpg"), "--lens-correction", "lensfun")
        #expect(run.code == 65 && run.errors.contains("Imaginary 7"), "\(run.errors)")
    }

    /// Lensfun's database takes about as long to read as a small photo.
    @Test func lensfunIsLoadedForPhotosThatDescribeTheirLens() throws {
        let folder = try TemporaryFolder()
        for hasLens in [true, false] {
            let photo = try write(folder, hasLens: hasLens)
            // The dynamic linker lists the libraries that it loads.
            let run = try BuiltCommand.run(
                "develop", photo, folder.path("\(hasLens).jpg"), environment: ["LD_DEBUG": "files"])
            #expect(run.code == 0)
            #expect(run.errors.contains(LensfunLibrary.files[0]) == hasLens)
        }
    }

    @Test func withoutLensfunPhotosAreDevelopedUncorrected() throws {
        let folder = try TemporaryFolder()
        let photo = try write(folder)
        for file in LensfunLibrary.files { try folder.write(bytes: [], to: "broken/\(file)") }
        func develop(_ words: String...) throws -> BuiltCommand.Result {
            try BuiltCommand(
                ["develop", photo, folder.path("picture.jpg")] + words,
                environment: ["LD_LIBRARY_PATH": folder.path("broken")]
            ).wait()
        }
        let refused = try develop("--lens-correction", "lensfun")
        #expect(refused.code == 69 && refused.errors.contains("liblensfun1"), "\(refused.errors)")
        #expect(try develop().code == 0)
    }
}
