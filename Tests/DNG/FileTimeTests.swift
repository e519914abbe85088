import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests of the time zone, the crop and the rating of files.
@Suite struct FileTimeTests {
    private func picture(_ exif: [UInt16: HandmadeDNG.Values]) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 20, height: 10, bits: 8)
        dng.parts = [[UInt8](repeating: 9, count: 200)]
        if !exif.isEmpty { dng.children[34_665] = [.directory(exif)] }
        return dng
    }

    private func date(_ file: DNGFile) -> String? {
        DNGSummary(file).fields.first { $0.label == "date" }?.text
    }

    @Test func aTimeKeepsItsZoneOrItsLackOfOne() throws {
        let without = try DNGFile(bytes: picture([36_867: .text("2026:03:01 23:30:15")]).file)
        #expect(date(without) == "2026-03-01T23:30:15")
        #expect(without.metadata.timeZone == .unknown)
        let with = try DNGFile(
            bytes: picture([36_867: .text("2026:03:01 23:30:15"), 36_881: .text("-07:00")]).file)
        #expect(date(with) == "2026-03-01T23:30:15-07:00")
        #expect(with.metadata.timeZone == .offset(-25_200))
        var modified = picture([36_880: .text("+05:30")])
        modified.tags[306] = .text("2026:03:01 23:30:15")
        #expect(date(try DNGFile(bytes: modified.file)) == "2026-03-01T23:30:15+05:30")
    }

    @Test func picturesAndNewFilesKeepIt() throws {
        let zones: [(String?, CaptureTimeZone)] = [(nil, .unknown), ("+05:30", .offset(19_800))]
        for (offset, zone) in zones {
            var metadata = FrameMetadata(bitDepth: 8)
            let time = try #require(CivilTime(exif: "2026:03:01 23:30:15", subSeconds: nil, offset: offset))
            (metadata.wallClock, metadata.timeZone) = (time.microseconds, zone)
            let block = ExifBlock(
                metadata: metadata, software: "", color: .sRGB, width: 1, height: 1, isYCbCr: false)
            let exif = String(decoding: block.bytes, as: UTF8.self)
            #expect(exif.contains("2026:03:01 23:30:15"))
            #expect(exif.contains("+00:00") == false)
            #expect(exif.contains("+05:30") == (offset != nil))
            let format = MosaicFormat(width: 32, height: 32, pattern: .rggb, bitDepth: 8)
            let codes = [UInt16](repeating: 20, count: 1024)
            let file = try DNGFile(DNGWriter().encode(mosaic: codes.span, format: format, metadata: metadata))
            #expect(file.metadata.timeZone == zone)
            #expect(file.metadata.wallClock == time.microseconds)
        }
    }

    @Test func theUsersCropIsShown() throws {
        var dng = picture([:])
        dng.tags[51_125] = .rationals([1, 10, 1, 4, 1, 1, 3, 4])
        let shown = try #require(try DNGFile(bytes: dng.file).shownAreas?.shown)
        #expect(shown == PixelRectangle(left: 5, top: 1, width: 10, height: 9))
        let packet =
            "<rdf:Description crs:HasCrop='True' crs:CropTop='0' crs:CropLeft='0.5' crs:CropBottom='0.5' "
        dng.tags[700] = .bytes(Array((packet + "crs:CropRight='1' crs:CropAngle='0'/>").utf8))
        let edited = try #require(try DNGFile(bytes: dng.file).shownAreas?.shown)
        #expect(edited == PixelRectangle(left: 10, top: 0, width: 10, height: 5))
        dng.tags[700] = .bytes(Array((packet + "crs:CropRight='1' crs:CropAngle='2'/>").utf8))
        #expect(try DNGFile(bytes: dng.file).shownAreas?.shown == shown)
        dng.tags[51_125] = .rationals([1, 1, 1, 4, 0, 1, 3, 4])
        #expect(try DNGFile(bytes: dng.file).shownAreas?.shown.width == 20)
    }

    @Test func ratingLabelAndKeywordsReachPictures() throws {
        var dng = picture([:])
        let packet = """
            <rdf:Description xmp:Rating="4" xmp:Label="Red"><dc:subject><rdf:Bag><rdf:li>lake</rdf:li>
            <rdf:li>Zürich &amp; more</rdf:li></rdf:Bag></dc:subject></rdf:Description>
            """
        dng.tags[700] = .bytes(Array(packet.utf8))
        let metadata = try DNGFile(bytes: dng.file).metadata
        #expect(metadata.details.rating == 4)
        #expect(metadata.details.label == "Red")
        #expect(metadata.details.keywords == ["lake", "Zürich & more"])
        let text = XMPPacket(metadata: metadata, software: "").text
        #expect(text.contains("<xmp:Rating>4</xmp:Rating>"))
        #expect(text.contains("<rdf:li>Zürich &amp; more</rdf:li>"))
        var tagged = picture([:])
        tagged.tags[18_246] = .shorts([3])
        #expect(try DNGFile(bytes: tagged.file).metadata.details.rating == 3)
    }
}
