import DNG
import RawImage
import Testing

/// Tests of options of the raw picture's storage: none is ignored, and each does what it says.
@Suite(.timeLimit(.minutes(10))) struct StorageOptionTests {
    private func writer(_ storage: PixelStorage, bits: Int? = nil, quality: Double = 1) -> DNGWriter {
        var writer = DNGWriter()
        writer.storage = storage
        writer.customize(DNGCustomization(bitDepth: bits, quality: quality))
        return writer
    }

    @Test func contradictionsAreNamed() {
        #expect(PixelStorage.uncompressed.conflict(quality: 0.9)?.contains("quality") == true)
        #expect(PixelStorage.uncompressed.conflict(bitDepth: 8)?.contains("16 bits") == true)
        #expect(PixelStorage.uncompressed.conflict(predictor: 7)?.contains("predictor") == true)
        #expect(PixelStorage.jpegXL().conflict(predictor: 7)?.contains("predictor") == true)
        #expect(PixelStorage.jpegXL().conflict(bitDepth: 12, quality: 0.9)?.contains("16 bits") == true)
        #expect(PixelStorage.losslessJPEG().conflict(quality: 0.9, predictor: 7)?.contains("predictor") == true)
        #expect(PixelStorage.losslessJPEG().conflict(bitDepth: 10, quality: 0.9)?.contains("8 bits") == true)
    }

    @Test func optionsThatApplyAreTaken() {
        #expect(PixelStorage.uncompressed.conflict(bitDepth: 16, quality: 1) == nil)
        #expect(PixelStorage.jpegXL().conflict(bitDepth: 16, quality: 0.9) == nil)
        #expect(PixelStorage.losslessJPEG().conflict(bitDepth: 10, quality: 1, predictor: 7) == nil)
        #expect(PixelStorage.losslessJPEG().conflict(bitDepth: 8, quality: 0.9) == nil)
    }

    @Test(arguments: [PixelStorage.uncompressed, .jpegXL()])
    func theWriterRefusesADepthThatItWouldIgnore(storage: PixelStorage) throws {
        let mosaic = try TestPictures.mosaic(20, 20)
        let error = #expect(throws: DNGError.self) { try writer(storage, bits: 8).encode(mosaic) }
        #expect(error?.code == .badPicture && error?.message.contains("16 bits") == true)
    }

    /// A quality below 1 makes JPEG XL smaller than lossless JPEG XL, for linear photos and mosaics, and nearly equal.
    @Test func jpegXLHasAQuality() throws {
        let photo = try StorageTests.photo(640, 480)
        let lossless = try writer(.jpegXL()).encode(photo).count
        let file = try DNGFile(bytes: writer(.jpegXL(), quality: 0.9).encode(photo))
        #expect(file.main?.compression == .jpegXL && file.byteCount < lossless / 4)
        #expect(file.verify().isEmpty, "\(file.verify())")
        let error = Self.meanError(try file.linearImage().values, photo.values)
        #expect(error < 0.02, "\(error)")
        let best = try DNGFile(bytes: writer(.jpegXL(), quality: 0.98).encode(photo)).linearImage().values
        #expect(Self.meanError(best, photo.values) < error)
    }

    @Test func mosaicsMayBeLossyJPEGXL() throws {
        let mosaic = try Self.scene(642, 483)
        let file = try DNGFile(bytes: writer(.jpegXL(), quality: 0.9).encode(mosaic))
        #expect(file.byteCount < (try writer(.jpegXL()).encode(mosaic).count) / 2)
        #expect(file.verify().isEmpty, "\(file.verify())")
        let error = Self.meanError(try file.mosaic().codes, mosaic.codes)
        #expect(error < 0.03, "\(error)")
    }

    /// A mosaic's 2×2 planes make JPEG XL about as small as lossless JPEG at least, where a whole mosaic takes a third
    /// more; each code is kept, also at odd sides.
    @Test(arguments: [(1, 1), (2, 3), (61, 43), (323, 241), (642, 483), (1024, 640)])
    func jpegXLOfMosaicsIsSmallAndExact(size: (Int, Int)) throws {
        let mosaic = try Self.scene(size.0, size.1)
        let file = try DNGFile(bytes: writer(.jpegXL()).encode(mosaic))
        let same = try file.mosaic().codes == mosaic.codes
        #expect(same)
        #expect(file.verify().isEmpty, "\(file.verify())")
        guard size.0 > 300 else { return }
        let lossless = try DNGWriter().encode(mosaic).count
        #expect(Double(file.byteCount) < 1.05 * Double(lossless), "\(file.byteCount), lossless JPEG \(lossless)")
        #expect(file.version == "1.7.1.0")
    }

    /// The chosen predictor's file is the smallest of all seven, or at most half a percent larger with predictor 1.
    @Test func thePredictorIsTheBestOfASample() throws {
        let (mosaic, linear) = (try Self.scene(512, 384), try StorageTests.photo(512, 384))
        for (name, encode) in [
            ("mosaic", { (writer: DNGWriter) in try writer.encode(mosaic) }),
            ("linear", { (writer: DNGWriter) in try writer.encode(linear) }),
        ] {
            let chosen = try encode(writer(.losslessJPEG(predictor: PixelStorage.bestPredictor)))
            let sizes = try (1...7).map { try encode(writer(.losslessJPEG(predictor: $0))).count }
            let predictor = try #require(try DNGFile(bytes: chosen).predictor)
            #expect(chosen.count == sizes[predictor - 1], "\(name)")
            #expect(Double(chosen.count) <= Double(sizes.min() ?? 0) * 1.005, "\(name): \(predictor) of \(sizes)")
        }
    }

    /// dcraw and RawTherapee show linear photos of 8-bit lossless JPEG as black; nine bits hold the same codes.
    @Test func eightBitsOfALinearPhotoAreStoredInNine() throws {
        let photo = try StorageTests.photo(320, 64)
        let file = try DNGFile(bytes: writer(.losslessJPEG(), bits: 8).encode(photo))
        #expect(file.main?.bitsPerSample == 9)
        let stored = try file.storedSamples()
        #expect(stored.linearizationTable.count == 256 && stored.codes.allSatisfy { $0 < 256 })
        #expect(file.verify().isEmpty, "\(file.verify())")
    }

    @Test func depthsThatSomeReadersShowWronglyAreNamed() {
        for bits in 8...16 {
            let warning = DNGCustomization(bitDepth: bits).readerWarning(bits: 16)
            #expect((warning != nil) == (13...15).contains(bits), "\(bits)")
            #expect(DNGCustomization(bitDepth: bits).readerWarning(bits: 12) == nil)
        }
    }

    /// libtiff and its users refuse a preview whose YCbCrSubSampling differs from its JPEG's.
    @Test(arguments: [(80, [2, 2]), (95, [1, 1])])
    func previewsStateTheirSubsampling(quality: Int, sampling: [Int]) throws {
        var writer = DNGWriter()
        writer.previewQuality = quality
        let bytes = try writer.encode(TestPictures.mosaic(128, 96))
        // Tag 530 of type SHORT with two values, in the big-endian file's first directory.
        let entry: [UInt8] = [0x02, 0x12, 0, 3, 0, 0, 0, 2, 0, UInt8(sampling[0]), 0, UInt8(sampling[1])]
        #expect(bytes.indices.dropLast(12).contains { bytes[$0..<$0 + 12].elementsEqual(entry) })
    }

    /// The mean absolute error relative to the mean value.
    private static func meanError(_ values: [UInt16], _ expected: [UInt16]) -> Double {
        let sum = expected.reduce(0.0) { $0 + Double($1) }
        return zip(values, expected).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / sum
    }

    /// A smooth scene in three colours with the noise of its profile, as a sensor of 12 bits sees it.
    private static func scene(_ width: Int, _ height: Int) throws -> Mosaic {
        let format = MosaicFormat(width: width, height: height, pattern: .grbg, bitDepth: 12)
        var metadata = TestPictures.metadata(bitDepth: 12)
        let noise = NoiseProfile(shot: 2e-4, read: 1e-6)
        metadata.noise = [noise, noise, noise]
        metadata.blackLevel = [64, 64, 64, 64]
        metadata.whiteLevel = 4095
        var dice = Dice(seed: 11)
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        for row in 0..<height {
            for column in 0..<width {
                let shade = 0.1 + 0.8 * Double(row + column) / Double(width + height)
                let signal = shade * [0.5, 1.0, 0.7][format.pattern.plane(row: row, column: column)]
                let sum = (0..<12).reduce(-6.0) { sum, _ in sum + Double(dice.next() >> 11) / 0x1p53 }
                let value = signal + sum * noise.variance(at: signal).squareRoot()
                codes[row * format.stride + column] = UInt16((64 + min(max(value, 0), 1) * 4031).rounded())
            }
        }
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }
}
