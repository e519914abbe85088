import DNG
import RawImage
import Testing

/// Tests that encoded tags match the metadata.
@Suite struct TagTests {
    @Test func everyFieldRoundTrips() throws {
        let mosaic = try TestPictures.mosaic(61, 43)
        let wanted = mosaic.metadata
        let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
        let found = file.metadata
        #expect(abs(found.exposureTime - wanted.exposureTime) < 1e-9)
        #expect(found.iso == wanted.iso)
        #expect(found.blackLevel == wanted.blackLevel)
        #expect(found.whiteLevel == wanted.whiteLevel)
        #expect(found.neutral == wanted.neutral)
        #expect(found.noise == wanted.noise)
        #expect(found.wallClock == wanted.wallClock)
        #expect(found.orientation == wanted.orientation)
        #expect((found.make, found.model) == (wanted.make, wanted.model))
        #expect(found.calibrations.map(\.illuminant) == wanted.calibrations.map(\.illuminant))
        for (one, other) in zip(found.calibrations, wanted.calibrations) {
            #expect(isClose(one.colorMatrix, other.colorMatrix))
            #expect(isClose(one.forwardMatrix, other.forwardMatrix))
        }
        #expect(file.uniqueCameraModel == "gscap Test Camera")
        #expect(file.baselineExposure == 0)
    }

    @Test func linearPhotoStoresItsLevels() throws {
        let file = try DNGFile(bytes: DNGWriter().encode(TestPictures.linear(40, 30)))
        #expect(file.metadata.blackLevel == [1024, 1024, 1024, 1024])
        #expect(file.metadata.whiteLevel == 64_000)
        #expect(file.main?.kind == .linear)
    }

    @Test func previewComesFirstAndRawIsMain() throws {
        let file = try DNGFile(bytes: DNGWriter().encode(TestPictures.mosaic(640, 480)))
        #expect(file.images.map(\.kind) == [.preview, .bayer])
        #expect(file.images.map(\.isMain) == [false, true])
        #expect(file.images.map(\.compression) == [.jpeg, .jpeg])
        #expect(file.images.map(\.bitsPerSample) == [8, 12])
        #expect(file.main?.activeArea == PixelRectangle(left: 0, top: 0, width: 640, height: 480))
        #expect(file.main?.defaultCrop == PixelRectangle(left: 2, top: 2, width: 636, height: 476))
    }

    @Test func smallAndLinearPicturesHaveNoMargin() throws {
        let small = try DNGFile(bytes: DNGWriter().encode(TestPictures.mosaic(8, 30)))
        #expect(small.main?.defaultCrop == PixelRectangle(left: 0, top: 0, width: 8, height: 30))
        let linear = try DNGFile(bytes: DNGWriter().encode(TestPictures.linear(50, 30)))
        #expect(linear.main?.defaultCrop == PixelRectangle(left: 0, top: 0, width: 50, height: 30))
    }

    @Test func fileIsBigEndianAndItsDirectoriesUseLong() throws {
        let bytes = try DNGWriter().encode(TestPictures.mosaic(61, 43))
        #expect(bytes.prefix(4) == [0x4D, 0x4D, 0, 42])
        let directory = number(bytes, at: 4, count: 4)
        let entries = (0..<number(bytes, at: directory, count: 2)).map { directory + 2 + $0 * 12 }
        let subIFDs = entries.filter { number(bytes, at: $0, count: 2) == 330 }
        #expect(subIFDs.map { number(bytes, at: $0 + 2, count: 2) } == [4])
        // Only IFD0 has Orientation.
        let raw = number(bytes, at: (subIFDs.first ?? 0) + 8, count: 4)
        let rawTags = (0..<number(bytes, at: raw, count: 2)).map { number(bytes, at: raw + 2 + $0 * 12, count: 2) }
        #expect(rawTags.contains(50_714))
        #expect(!rawTags.contains(274))
    }

    /// A feature that readers of DNG 1.4 handle does not lower the DNGBackwardVersion that another feature requires.
    @Test func theOldestReaderHandlesEveryFeature() throws {
        var photo = try TestPictures.linear(64, 48)
        photo.metadata.calibrations[0].lightColor = Chromaticity(x: 0.35, y: 0.4)
        var writer = DNGWriter()
        writer.customize(DNGCustomization(quality: 0.9))
        let bytes = try writer.encode(photo)
        let directory = number(bytes, at: 4, count: 4)
        let entries = (0..<number(bytes, at: directory, count: 2)).map { directory + 2 + $0 * 12 }
        let backward = try #require(entries.first { number(bytes, at: $0, count: 2) == 50_707 })
        #expect(Array(bytes[backward + 8..<backward + 12]) == [1, 6, 0, 0])
    }

    @Test func unknownCameraGetsPlainColour() throws {
        var mosaic = try TestPictures.mosaic(20, 20)
        mosaic.metadata = FrameMetadata(bitDepth: 12)
        mosaic.metadata.neutral = SIMD3(0.4, 1, 0.8)
        let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
        #expect(file.uniqueCameraModel == "gscap camera")
        #expect(file.metadata.calibrations.map(\.illuminant) == [.d65])
        // The ColorMatrix maps the XYZ of the D65 white point to AsShotNeutral.
        let white = try #require(file.metadata.calibrations.first).colorMatrix * SIMD3(0.9505, 1, 1.089)
        for plane in 0..<3 { #expect(abs(white[plane] - mosaic.metadata.neutral[plane]) < 0.002) }
        #expect(file.metadata.exposureTime == 0)
        #expect(file.metadata.iso == 0)
        #expect(file.metadata.wallClock == 0)
        #expect(file.metadata.noise.isEmpty)
    }

    @Test(arguments: [
        (0, "2026-09-21T14:13:20+00:00"), (19_800, "2026-09-21T19:43:20+05:30"), (-12_600, "2026-09-21T10:43:20-03:30"),
    ])
    func datesHaveUTCOffsets(offset: Int, text: String) throws {
        var writer = DNGWriter()
        writer.utcOffset = offset
        let bytes = try writer.encode(TestPictures.mosaic(20, 20))
        #expect(String(decoding: bytes, as: UTF8.self).contains(text))
        #expect(try DNGFile(bytes: bytes).metadata.wallClock == 1_790_000_000_123_456)
    }

    @Test(arguments: [
        951_782_400_000_000 as Int64,  // 29 February 2000
        1_709_164_800_000_001, 1_735_689_599_999_999, -1, 4_102_444_799_000_000, -62_135_596_800_000_000,
        253_402_300_799_999_999,
    ])
    func captureTimesRoundTrip(moment: Int64) throws {
        var mosaic = try TestPictures.mosaic(4, 4)
        mosaic.metadata.wallClock = moment
        var writer = DNGWriter()
        writer.utcOffset = 0
        #expect(try DNGFile(bytes: writer.encode(mosaic)).metadata.wallClock == moment)
    }

    @Test func yearsWithoutFourDigitsAreOmitted() throws {
        for moment in [Int64.min, .max, 253_402_300_800_000_000] {
            var mosaic = try TestPictures.mosaic(4, 4)
            mosaic.metadata.wallClock = moment
            #expect(try DNGFile(bytes: DNGWriter().encode(mosaic)).metadata.wallClock == 0)
        }
    }

    @Test func impossibleMetadataIsRefused() throws {
        let spoil: [(inout FrameMetadata) -> Void] = [
            { $0.whiteLevel = 10 }, { $0.whiteLevel = 70_000 }, { $0.whiteLevel = .nan }, { $0.blackLevel = [] },
            { $0.blackLevel = [-1, 0, 0, 0] }, { $0.neutral.x = 0 },
            { $0.calibrations[0].colorMatrix = Matrix3(diagonal: SIMD3(.nan, 1, 1)) },
            { $0.calibrations += $0.calibrations },
        ]
        for change in spoil {
            var mosaic = try TestPictures.mosaic(20, 20)
            change(&mosaic.metadata)
            let error = #expect(throws: DNGError.self) { try DNGWriter().encode(mosaic) }
            #expect(error?.code == .badPicture)
        }
    }

    @Test func oddButPossibleMetadataIsWritten() throws {
        var mosaic = try TestPictures.mosaic(20, 20)
        mosaic.metadata.neutral = SIMD3(1e-300, 1e300, 1)
        mosaic.metadata.exposureTime = .infinity
        mosaic.metadata.iso = 1e30
        mosaic.metadata.noise = [NoiseProfile(shot: -1, read: .nan)]
        mosaic.metadata.orientation = 99
        mosaic.metadata.make = "Zoë\0& Söhne"
        let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
        #expect(file.metadata.make == "Zoë& Söhne")
        #expect(file.metadata.orientation == 1)
        #expect(file.metadata.iso == 65_535)
        let same = try file.mosaic().codes == mosaic.codes
        #expect(same)
    }

    @Test func shortBuffersAreRefused() throws {
        let codes = [UInt16](repeating: 0, count: 99)
        let format = MosaicFormat(width: 10, height: 10, pattern: .rggb, bitDepth: 12)
        #expect(throws: DNGError.self) {
            try DNGWriter().encode(mosaic: codes.span, format: format, metadata: FrameMetadata(bitDepth: 12))
        }
        #expect(throws: DNGError.self) { try DNGPreview(width: 2, height: 2, rgb: [0]) }
    }

    @Test func summaryHasTheMainFields() throws {
        let summary = DNGSummary(try DNGFile(bytes: DNGWriter().encode(TestPictures.mosaic(640, 480))))
        let texts = Dictionary(summary.fields.map { ($0.key, $0.text) }) { first, _ in first }
        #expect(texts["exposureTime"] == "1/60 s")
        #expect(texts["ISO"] == "400")
        #expect(texts["camera"] == "gscap Test Camera")
        #expect(texts["blackLevel"] == "64 68 72 76")
        #expect(summary.images.count == 2)
        let main = Dictionary((summary.images.last ?? []).map { ($0.key, $0.value) }) { first, _ in first }
        #expect(main["size"] == .numbers([640, 480]))
        #expect(main["kind"] == .text("bayer"))
        #expect(main["pattern"] == .text("rggb"))
    }

    private func isClose(_ one: Matrix3?, _ other: Matrix3?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return zip(one.values, other.values).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    private func number(_ bytes: [UInt8], at offset: Int, count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
