import CameraRaw
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

    /// The fault: the level of a Sony was read as numbers of another size, and that of LibRaw's table taken instead.
    @Test func theWhiteLevelIsTheOneThatTheCameraStates() throws {
        let raw = HandmadeCameraRaw(statedWhite: 15_360)
        let file = try raw.onDisk { try DNGFile(rawFile: $0) }
        #expect(file.metadata.whiteLevel == 15_360)
    }

    @Test func metadataIsThatOfTheFile() throws {
        let metadata = try HandmadeCameraRaw().onDisk { try DNGFile(rawFile: $0) }.metadata
        #expect((metadata.make, metadata.model) == ("SONY", "ILCE-7M2"))
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

    @Test func anXTransMosaicIsRead() throws {
        let raw = HandmadeRAF()
        let (file, header) = try HandmadeCameraRaw().onDisk(raw.bytes, name: "photo.raf") { path in
            (try DNGFile(rawFile: path), try FrameHeader(rawFile: path))
        }
        let main = try #require(file.main)
        #expect(main.kind == .xTrans)
        let mosaic = try file.xTransMosaic()
        // LibRaw 0.22 leaves out all but the crop.
        let crop = main.defaultCrop
        #expect((crop.width, crop.height) == (72, 54))
        #expect(mosaic.width == 72 || (mosaic.width, crop.left, crop.top) == (96, 6, 12))
        #expect(raw.isEqual(to: mosaic, at: crop))
        #expect(mosaic.pattern.plane(row: crop.top, column: crop.left) == 1)
        #expect(mosaic.pattern.plane(row: crop.top, column: crop.left + 2) == 0)
        #expect(mosaic.metadata.blackLevel == [1022, 1022, 1022, 1022])
        #expect((mosaic.metadata.make, mosaic.metadata.model) == ("Fujifilm", "X-T2"))
        // LibRaw's table has a matrix of this model.
        #expect(abs((mosaic.metadata.calibrations.first?.colorMatrix.values[0] ?? 0) - 1.1434) < 1e-3)
        // 604, 302 and 450 are the factors of red, green and blue, of which later releases of LibRaw take other ones.
        #expect(abs(mosaic.metadata.neutral.x - 0.5) < 1e-5 && mosaic.metadata.neutral.y == 1)
        #expect(header.isXTrans && header.format == nil)
    }

    /// The levels of a cell that differ become equal, with the codes.
    @Test func blackLevelsOfAnXTransCellAreEqualized() throws {
        var raw = HandmadeRAF()
        raw.black[7] = 1082
        let file = try HandmadeCameraRaw().onDisk(raw.bytes, name: "photo.raf") { try DNGFile(rawFile: $0) }
        let (mosaic, crop) = (try file.xTransMosaic(), try #require(file.main?.defaultCrop))
        #expect(abs(mosaic.metadata.blackLevel[0] - 1022 - 60.0 / 36) < 0.01)
        // The change of a code of the crop.
        func change(row: Int, column: Int) -> Int {
            Int(mosaic.codes[(crop.top + row) * mosaic.width + crop.left + column])
                - Int(raw.codes[(12 + row) * raw.width + 6 + column])
        }
        #expect((1...2).contains(change(row: 2, column: 2)))
        // The factor from black to white differs by 1/1000, too.
        #expect((-60 ..< -45).contains(change(row: 1, column: 1)))
    }

    @Test func aMonochromePictureIsRead() throws {
        let raw = HandmadeCameraRaw(pattern: [1, 1, 1, 1], planeColors: [1])
        let file = try raw.onDisk { try DNGFile(rawFile: $0) }
        #expect(file.main?.isMonochrome == true)
        let photo = try file.linearImage()
        #expect(photo.metadata.calibrations.isEmpty && photo.metadata.neutral == SIMD3(repeating: 1))
        #expect(photo.metadata.blackLevel == [512, 512, 512, 512])
        #expect(stride(from: 0, to: photo.values.count, by: 4).map { photo.values[$0] } == raw.codes)
        #expect(!file.remarks.contains { $0.message.contains("AsShotNeutral") })
    }

    /// Nikon's D1X stores 12 bits a code, and a byte behind each 10 codes. Its pixels are half as high as wide.
    @Test func packedCodesWithFillBytesAreRead() throws {
        var raw = HandmadeCameraRaw(width: 100, make: "NIKON CORPORATION", model: "NIKON D1X")
        let codes = raw.codes.map { $0 / 4 }
        raw.stored = stride(from: 0, to: codes.count, by: 10).flatMap { (start: Int) -> [UInt8] in
            HandmadeDNG.packed(Array(codes[start..<start + 10]), bits: 12, width: 10) + [0]
        }
        (raw.tags[258], raw.tags[259], raw.tags[274]) = (.shorts([12]), .shorts([34_713]), .shorts([1]))
        let file = try raw.onDisk(name: "photo.nef") { try DNGFile(rawFile: $0) }
        let mosaic = try file.mosaic()
        // LibRaw leaves out the last four columns.
        #expect((mosaic.format.width, mosaic.format.height) == (96, 64))
        let visible = (0..<64).flatMap { codes[$0 * 100..<$0 * 100 + 96] }
        #expect(mosaic.codes == visible)
        #expect(file.pixelShapeProblem?.contains("1.0 × 2.0") == true, "\(file.pixelShapeProblem ?? "")")
    }

    /// Kodak's C603 stores linear pictures without a header, which LibRaw knows by their size.
    @Test func aLinearPictureWithoutAHeaderIsRead() throws {
        // A row of luma, a row of chroma and another row of luma follow each other; a chroma of 128 is grey.
        let bytes = [UInt8](repeating: 128, count: 460_800)
        let (file, header) = try HandmadeCameraRaw().onDisk(bytes, name: "photo.RAW") { path in
            (try DNGFile(rawFile: path), try FrameHeader(rawFile: path))
        }
        #expect((file.main?.kind, file.main?.samplesPerPixel) == (.linear, 3))
        let photo = try file.linearImage()
        #expect((photo.format.width, photo.format.height) == (640, 480))
        #expect((photo.metadata.make, photo.metadata.model) == ("Kodak", "C603"))
        let pixel = Array(photo.values[0..<4])
        #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[0] > 0 && pixel[3] == 65_535, "\(pixel)")
        #expect(header.format == nil && !header.isXTrans)
        #expect(!file.verify().contains { $0.severity == .error }, "\(file.verify())")
    }

    /// The pixels of Kodak's DC20 are not square.
    @Test func aMosaicWithoutAHeaderIsRead() throws {
        let bytes = (0..<62_464).map { UInt8(40 + $0 % 150) }
        let file = try HandmadeCameraRaw().onDisk(bytes, name: "photo.raw") { try DNGFile(rawFile: $0) }
        #expect(file.main?.kind == .fourColor)
        #expect(file.cameraRaw?.format == "RAW")
        let scale = try #require(file.squareScale)
        #expect(scale.down == 1 && abs(scale.across - 1.29585) < 1e-4, "\(scale)")
        let error = #expect(throws: DNGError.self) {
            try HandmadeCameraRaw().onDisk([1, 2, 3], name: "photo.raw") { try DNGFile(rawFile: $0) }
        }
        #expect(error?.message.contains("photo.raw") == true)
    }

    @Test func aMosaicOfFourColoursIsRead() throws {
        // Canon's PowerShot G1 has filters in yellow, cyan, magenta and green, and a matrix in LibRaw's table.
        let raw = HandmadeCameraRaw(
            pattern: [1, 4, 3, 5], planeColors: [3, 4, 5, 1], make: "Canon", model: "PowerShot G1")
        let file = try raw.onDisk { try DNGFile(rawFile: $0) }
        #expect(file.main?.kind == .fourColor)
        #expect(try file.storedSamples().codes == raw.codes)
        #expect(file.colorProblem == nil)
        let photo = try file.linearImage()
        #expect((photo.format.width, photo.format.height) == (96, 64))
        #expect(photo.metadata.calibrations.count == 1)
        #expect(!file.verify().contains { $0.severity == .error })
    }

    /// Without a crop of the camera, only the margin that demosaicing needs is left out.
    @Test func allThatIsVisibleIsShownWithoutACropOfTheCamera() throws {
        let mosaic = try HandmadeCameraRaw().onDisk { try DNGFile(rawFile: $0) }
        #expect(mosaic.main?.defaultCrop == PixelRectangle(left: 2, top: 2, width: 92, height: 60))
        let monochrome = HandmadeCameraRaw(pattern: [1, 1, 1, 1], planeColors: [1])
        let grey = try monochrome.onDisk { try DNGFile(rawFile: $0) }
        #expect(grey.main?.defaultCrop == PixelRectangle(left: 0, top: 0, width: 96, height: 64))
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

    /// LibRaw decodes Panasonic's files without an error if they are cut off.
    @Test(arguments: [(4, 12, 14), (5, 12, 10), (5, 14, 9), (6, 14, 11), (6, 12, 14), (7, 14, 9)])
    func aPanasonicFileThatIsCutOffIsDamaged(format: UInt16, bits: UInt16, pixelsInBlock: Int) {
        let (width, height) = (14 * 11 * 90, 300)
        var file = HandmadeDNG.directory([
            2: .shorts([UInt16(width)]), 3: .shorts([UInt16(height)]), 0x0A: .shorts([bits]), 0x2D: .shorts([format]),
            0x111: .longs([UInt32.max]), 0x118: .longs([4096]), 0x10F: .text("Panasonic"),
        ]).file
        let complete = 4096 + width * height / pixelsInBlock * 16
        #expect(!PanasonicRawFile.isCutOff(header: file[...], fileSize: 4096))
        file[2] = 0x55
        #expect(!PanasonicRawFile.isCutOff(header: file[...], fileSize: complete))
        for size in [complete - 1, complete / 2, 5000, file.count] {
            #expect(PanasonicRawFile.isCutOff(header: file[...], fileSize: size), "\(size) bytes")
        }
        for count in 0..<file.count { _ = PanasonicRawFile.isCutOff(header: file[..<count], fileSize: count) }
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
