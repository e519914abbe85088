import DNG
import RawImage
import Testing

/// Tests of Exif, GPS and colour metadata in files of other encoders.
@Suite struct ForeignMetadataTests {
    private func picture(exif: [UInt16: HandmadeDNG.Values] = [:], gps: [UInt16: HandmadeDNG.Values] = [:])
        -> HandmadeDNG
    {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.parts = [[1, 2, 3, 4]]
        if !exif.isEmpty { dng.children[34_665] = [.directory(exif)] }
        if !gps.isEmpty { dng.children[34_853] = [.directory(gps)] }
        return dng
    }

    @Test func exifIsRead() throws {
        var dng = picture(exif: [
            33_434: .rationals([1, 125]), 33_437: .rationals([28, 10]), 34_855: .shorts([800]),
            37_386: .rationals([24, 1]), 41_989: .shorts([36]), 42_035: .text("Lensmaker"), 42_036: .text("24 mm  "),
            36_867: .text("2026:03:01 10:20:30"), 36_881: .text("+02:00"), 37_521: .text("25"),
        ])
        dng.tags[270] = .text("A lake")
        dng.tags[315] = .text("Zoë")
        dng.tags[33_432] = .text("© Zoë")
        let metadata = try DNGFile(bytes: dng.file).metadata
        #expect(metadata.exposureTime == 1.0 / 125)
        #expect(metadata.iso == 800)
        #expect(metadata.details.fNumber == 2.8)
        #expect(metadata.details.focalLength == 24)
        #expect(metadata.details.focalLengthIn35mm == 36)
        #expect(metadata.details.lensMake == "Lensmaker")
        #expect(metadata.details.lensModel == "24 mm")
        #expect(metadata.details.title == "A lake")
        #expect(metadata.details.artist == "Zoë")
        #expect(metadata.details.copyright == "© Zoë")
        #expect(metadata.wallClock == 1_772_353_230_250_000)
    }

    @Test func alternativeExifTagsAreDecoded() throws {
        let high = picture(exif: [34_855: .shorts([65_535]), 34_866: .longs([102_400])])
        #expect(try DNGFile(bytes: high.file).metadata.iso == 102_400)
        let powers = picture(exif: [
            37_377: .signedRationals([5, 1]), 37_378: .rationals([4, 1]), 34_867: .longs([50]),
        ])
        let metadata = try DNGFile(bytes: powers.file).metadata
        #expect(metadata.exposureTime == 1.0 / 32)
        #expect(metadata.details.fNumber == 4)
        #expect(metadata.iso == 50)
        var flat = picture()
        flat.tags[33_434] = .rationals([1, 4])
        flat.tags[306] = .text("2026:03:01 10:20:30")
        #expect(try DNGFile(bytes: flat.file).metadata.exposureTime == 0.25)
        #expect(try DNGFile(bytes: flat.file).metadata.wallClock == 1_772_360_430_000_000)
    }

    @Test func coordinatesHaveSigns() throws {
        let tags: [UInt16: HandmadeDNG.Values] = [
            1: .text("S"), 2: .rationals([33, 1, 30, 1, 36, 1]), 3: .text("W"), 4: .rationals([70, 1, 15, 1, 0, 1]),
            5: .bytes([1]), 6: .rationals([12, 1]),
        ]
        let location = try #require(try DNGFile(bytes: picture(gps: tags).file).metadata.details.location)
        #expect(abs(location.latitude + 33.51) < 1e-9)
        #expect(abs(location.longitude + 70.25) < 1e-9)
        #expect(location.altitude == -12)
        let nowhere = picture(gps: [2: .rationals([91, 1, 0, 1, 0, 1]), 4: .rationals([0, 1, 0, 1, 0, 1])])
        #expect(try DNGFile(bytes: nowhere.file).metadata.details.location == nil)
        let broken = picture(gps: [2: .rationals([1, 0, 0, 1, 0, 1]), 4: .rationals([0, 1, 0, 1, 0, 1])])
        #expect(try DNGFile(bytes: broken.file).metadata.details.location == nil)
    }

    @Test func analogBalanceAndCameraCalibrationAreInTheMatrix() throws {
        var dng = picture()
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_723] = .signedRationals([3, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_727] = .rationals([1, 1, 1, 1, 2, 1])
        dng.tags[50_778] = .shorts([21])
        let matrix = try #require(try DNGFile(bytes: dng.file).metadata.calibrations.first).colorMatrix
        #expect(matrix.values == [3, 0, 0, 0, 1, 0, 0, 0, 2])
        // CameraCalibration with another profile's signature is ignored.
        dng.tags[50_931] = .text("other")
        #expect(try DNGFile(bytes: dng.file).metadata.calibrations.first?.colorMatrix.values[0] == 1)
    }

    @Test func asShotWhiteXYIsDecoded() throws {
        var dng = picture()
        dng.tags[50_721] = .signedRationals([1, 2, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 4])
        dng.tags[50_778] = .shorts([21])
        dng.tags[50_729] = .rationals([3127, 10_000, 3290, 10_000])
        let neutral = try DNGFile(bytes: dng.file).metadata.neutral
        for (value, wanted) in zip([neutral.x, neutral.y, neutral.z], [0.4752, 1, 0.2722]) {
            #expect(abs(value - wanted) < 0.001)
        }
    }
}
