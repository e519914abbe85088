import DNG
import RawImage
import Testing

/// Tests of cameras' own raw files, which LibRaw decodes. The package libraw20 or libraw23t64 is needed.
@Suite(.timeLimit(.minutes(10))) struct CameraRawTests {
    @Test func codesAndLevelsAreThoseOfTheFile() throws {
        let raw = HandmadeCameraRaw()
        let file = try raw.onDisk { try DNGFile(rawFile: $0) }
        let mosaic = try file.mosaic()
        #expect(mosaic.codes == raw.codes)
        #expect((mosaic.format.width, mosaic.format.height) == (96, 64))
        #expect(mosaic.format.pattern == .rggb)
        #expect(mosaic.format.bitDepth == 14)
        #expect(mosaic.metadata.blackLevel == [512, 512, 512, 512])
        // LibRaw's white level of this make.
        #expect(mosaic.metadata.whiteLevel > 10_000 && mosaic.metadata.whiteLevel <= 16_383)
        #expect(file.cameraRaw?.format == "ARW")
        #expect(file.cameraRaw?.serial == "1234567")
        #expect(file.cameraRaw?.reader.hasPrefix("LibRaw 0.") == true)
        #expect(file.byteCount == raw.bytes.count)
    }

    @Test func metadataIsThatOfTheFile() throws {
        let metadata = try HandmadeCameraRaw().onDisk { try DNGFile(rawFile: $0) }.metadata
        #expect((metadata.make, metadata.model) == ("Sony", "ILCE-7M2"))
        #expect(abs(metadata.exposureTime - 0.008) < 1e-8)
        #expect(metadata.iso == 400)
        #expect(abs(metadata.details.fNumber - 5.6) < 1e-6)
        #expect(metadata.details.focalLength == 50)
        #expect(metadata.details.lensModel == "50mm F1.8")
        #expect(metadata.orientation == 6)
        #expect(metadata.noise.isEmpty)
        // 2024-05-06 07:08:09, in a zone that is unknown.
        #expect(metadata.wallClock == 1_714_979_289_000_000)
        #expect(metadata.timeZone == .unknown)
        // 2048 : 1024 : 1536 are the factors of red, green and blue.
        #expect(abs(metadata.neutral.x - 0.5) < 1e-5 && metadata.neutral.y == 1)
        #expect(abs(metadata.neutral.z - 1024.0 / 1536) < 1e-5)
        // LibRaw's table has a matrix of this model for daylight.
        let calibration = try #require(metadata.calibrations.first)
        #expect(metadata.calibrations.count == 1 && calibration.illuminant == .d65)
        #expect(abs(calibration.colorMatrix.values[0] - 0.5271) < 1e-3)
    }

    @Test func aHeaderIsReadWithoutPixels() throws {
        let (header, file) = try HandmadeCameraRaw().onDisk { path in
            (try FrameHeader(rawFile: path), try DNGFile(rawFile: path))
        }
        #expect(header.format?.pattern == .rggb)
        #expect((header.format?.width, header.format?.height) == (96, 64))
        #expect(header.metadata.iso == file.metadata.iso)
        #expect(abs(header.metadata.exposureTime - file.metadata.exposureTime) < 1e-8)
        #expect(header.metadata.wallClock == file.metadata.wallClock)
        let frame = try TestPictures.mosaic(61, 43)
        let dng: [UInt8] = try DNGWriter().encode(frame)
        let other = try HandmadeCameraRaw().onDisk(dng, name: "photo.dng") { try FrameHeader(rawFile: $0) }
        #expect((other.format?.width, other.format?.height) == (61, 43))
    }

    @Test(arguments: [
        ([0, 1, 1, 2], BayerPattern.rggb), ([2, 1, 1, 0], .bggr), ([1, 0, 2, 1], .grbg), ([1, 2, 0, 1], .gbrg),
    ])
    func everyBayerPatternIsRead(_ colors: [UInt8], _ pattern: BayerPattern) throws {
        let file = try HandmadeCameraRaw(pattern: colors).onDisk { try DNGFile(rawFile: $0) }
        #expect(try file.mosaic().format.pattern == pattern)
    }

    @Test func aMosaicOfOtherColoursIsNamed() throws {
        let error = #expect(throws: DNGError.self) {
            try HandmadeCameraRaw(pattern: [1, 1, 1, 2]).onDisk { try DNGFile(rawFile: $0) }
        }
        #expect(error?.code == .unsupported, "\(error?.message ?? "")")
        #expect(error?.message.contains("photo.arw") == true)
    }

    @Test func aFileThatIsCutOffIsDamaged() throws {
        let bytes = HandmadeCameraRaw().bytes
        for length in stride(from: 0, to: bytes.count, by: 1501) {
            let cut = Array(bytes[..<length])
            #expect(throws: DNGError.self, "\(length) bytes") {
                try HandmadeCameraRaw().onDisk(cut) { try DNGFile(rawFile: $0).mosaic() }
            }
        }
    }

    @Test func changedHeadersAreErrorsAtMost() throws {
        let bytes = HandmadeCameraRaw().bytes
        var dice = Dice(seed: 99)
        for _ in 0..<150 {
            var changed = bytes
            for _ in 0..<4 {
                changed[Int.random(in: 0..<600, using: &dice)] = UInt8(truncatingIfNeeded: dice.next() >> 8)
            }
            _ = try HandmadeCameraRaw().onDisk(changed) { path in try? DNGFile(rawFile: path).mosaic() }
        }
    }

    @Test func otherFilesKeepTheirErrors() throws {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 100)
        let error = #expect(throws: DNGError.self) {
            try HandmadeCameraRaw().onDisk(jpeg, name: "photo.jpg") { try DNGFile(rawFile: $0) }
        }
        #expect(error?.message.contains("a JPEG picture") == true)
        let renamed = #expect(throws: DNGError.self) {
            try HandmadeCameraRaw().onDisk(jpeg, name: "photo.nef") { try DNGFile(rawFile: $0) }
        }
        #expect(renamed?.message.contains("a JPEG picture") == true, "\(renamed?.message ?? "")")
        let raw = #expect(throws: DNGError.self) { try HandmadeCameraRaw().onDisk { try DNGFile(path: $0) } }
        #expect(raw?.code == .cameraRaw)
        #expect(raw?.message.contains("gscap convert") == true)
    }
}
