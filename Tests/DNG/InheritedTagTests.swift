import DNG
import RawImage
import Testing

/// Tests that a photo made of frames inherits the tags of its reference frame.
@Suite(.timeLimit(.minutes(10))) struct InheritedTagTests {
    private func frame(isBigEndian: Bool) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 64, height: 48, bits: 16, isBigEndian: isBigEndian)
        dng.parts = [dng.bytes((0..<64 * 48).map { UInt16($0 % 4096) })]
        dng.tags[50_708] = .text("Maker X")
        dng.tags[50_735] = .text("SN 1")
        dng.tags[33_723] = .longs([isBigEndian ? 0x0102_0304 : 0x0403_0201])
        dng.tags[65_099] = .longs([0x0102_0304, 7])
        dng.tags[50_740] = .bytes((0..<90).map { $0 })
        dng.tags[50_719] = .shorts([6, 4])
        dng.tags[50_720] = .shorts([52, 40])
        dng.tags[51_125] = .rationals([1, 10, 1, 8, 9, 10, 7, 8])
        dng.tags[50_727] = .rationals([2, 1, 1, 1, 1, 1])
        dng.tags[65_100] = .doubles([1.5, -2])
        dng.children[34_665] = [
            .directory(
                isBigEndian: isBigEndian,
                [
                    33_437: .rationals([28, 10]), 40_962: .longs([64]), 42_033: .text("body 7"),
                    37_510: .undefined([1, 2]),
                ])
        ]
        dng.children[34_853] = [.directory(isBigEndian: isBigEndian, [0: .bytes([2, 3, 0, 0]), 16: .text("T")])]
        return dng
    }

    private func encoded(_ mosaic: Mosaic) throws -> DNGData {
        try DNGWriter().encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
    }

    private func inherited(
        from frame: HandmadeDNG, _ photo: DNGData
    ) throws -> (contents: TIFFContents, first: [Int: TIFFContents.Value], raw: [Int: TIFFContents.Value]) {
        let bytes = try photo.inheriting(from: DNGFile(bytes: frame.file)).bytes
        #expect(try DNGFile(bytes: bytes).verify().isEmpty)
        let contents = TIFFContents(bytes)
        let first = contents.directory(at: contents.first)
        return (contents, first, contents.child(330, of: first))
    }

    /// The opcode TrimBounds itself is not inherited, whether or not a distortion is corrected before it. The user's
    /// crop is inherited as such.
    @Test(arguments: [false, true], [false, true]) func theCropIsThatOfTheTrimmedArea(isWarped: Bool, isCropped: Bool)
        throws
    {
        var dng = frame(isBigEndian: true)
        dng.tags[50_720] = .shorts([32, 20])
        if !isCropped { dng.tags[51_125] = nil }
        let trim: [UInt32] = [6, 0x0103_0000, 0, 16, 8, 10, 40, 60]
        // WarpRectilinear without distortion: one plane of six coefficients, and the centre.
        let numbers = [1.0, 0, 0, 0, 0, 0, 0.5, 0.5].map(\.bitPattern)
        let warp: [UInt32] =
            [1, 0x0103_0000, 0, 68, 1] + numbers.flatMap { [UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0)] }
        let words = isWarped ? [2] + warp + trim : [1] + trim
        dng.tags[51_022] = .undefined(words.flatMap { word in [24, 16, 8, 0].map { UInt8(word >> $0 & 255) } })
        let file = try DNGFile(bytes: dng.file)
        #expect((file.metadata.lens.warp != nil) == isWarped)
        let tags = TIFFContents(try file.inheritableTags())
        let first = tags.directory(at: tags.first)
        #expect(tags.integers(first[50_719]) == [16, 12] && tags.integers(first[50_720]) == [32, 20])
        #expect((first[51_125] != nil) == isCropped)
    }

    /// A mosaic for other converters is as bright in them as its frames.
    @Test func theBaselineExposureIsKnown() throws {
        var dng = frame(isBigEndian: false)
        dng.tags[50_730] = .rationals([2, 1])
        #expect(try DNGFile(bytes: DNGFile(bytes: dng.file).inheritableTags()).baselineExposure == 2)
    }

    @Test(arguments: [false, true]) func tagsAreInherited(_ isBigEndian: Bool) throws {
        let mosaic = try TestPictures.mosaic(64, 48)
        let (contents, first, raw) = try inherited(from: frame(isBigEndian: isBigEndian), encoded(mosaic))
        #expect(first[50_708]?.bytes == Array("Maker X\0".utf8))
        #expect(first[50_735]?.bytes == Array("SN 1\0".utf8))
        // Numbers have the byte order of the photo.
        #expect(contents.integers(first[65_099]) == [0x0102_0304, 7])
        #expect(first[33_723]?.bytes == [1, 2, 3, 4])
        #expect(first[50_740]?.bytes == (0..<90).map { $0 })
        let double = try #require(first[65_100]?.bytes.suffix(8))
        #expect((contents.isBigEndian ? Array(double) : double.reversed()) == [0xC0, 0, 0, 0, 0, 0, 0, 0])
        let exif = contents.child(34_665, of: first)
        #expect(exif[42_033]?.bytes == Array("body 7\0".utf8) && exif[37_510]?.bytes == [1, 2])
        #expect(contents.child(34_853, of: first)[16]?.bytes == Array("T\0".utf8))
        #expect(contents.integers(raw[50_719]) == [6, 4] && contents.integers(raw[50_720]) == [52, 40])
        #expect(raw[51_125]?.count == 4)
        // Tags that the photo states itself, and those that follow from its pixels or its colours, stay.
        let own = try DNGFile(encoded(mosaic))
        let source = try DNGFile(bytes: frame(isBigEndian: isBigEndian).file)
        let new = try DNGFile(encoded(mosaic).inheriting(from: source))
        #expect(try new.mosaic().codes == own.mosaic().codes)
        #expect(new.metadata.details.fNumber == 2.8 && own.metadata.details.fNumber == 0)
        #expect(new.metadata.calibrations == own.metadata.calibrations)
    }

    /// The metadata of a frame has its tags as a file without pixels, which gives the same photo as the whole file.
    @Test(arguments: [false, true]) func tagsAreInheritedFromTheMetadata(_ isBigEndian: Bool) throws {
        let source = try DNGFile(bytes: frame(isBigEndian: isBigEndian).file)
        let photo = try encoded(TestPictures.mosaic(64, 48))
        var metadata = FrameMetadata()
        #expect(try photo.inheriting(metadata).bytes == photo.bytes)
        metadata.sourceTags = try source.inheritableTags()
        #expect(metadata.sourceTags.count < source.byteCount / 2)
        #expect(try photo.inheriting(metadata).bytes == photo.inheriting(from: source).bytes)
        // The crop of a zoom is the photo's own.
        metadata.cropFactor = 2
        let zoomed = try DNGFile(photo.inheriting(metadata))
        #expect(try zoomed.main?.defaultCrop == DNGFile(photo).main?.defaultCrop)
    }

    /// The tags of a file whose raw picture is in a SubIFD, as those of most cameras and of `DNGWriter`.
    @Test func tagsOfSubdirectoriesAreInheritedFromTheMetadata() throws {
        let mosaic = try TestPictures.mosaic(64, 48)
        var writer = DNGWriter()
        writer.defaultCrop = PixelRectangle(left: 6, top: 4, width: 52, height: 40)
        let data = try writer.encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
        var metadata = FrameMetadata()
        metadata.sourceTags = try DNGFile(data).inheritableTags()
        let photo = try DNGFile(encoded(mosaic).inheriting(metadata))
        #expect(photo.main?.defaultCrop == writer.defaultCrop)
        #expect(photo.verify().isEmpty)
    }

    /// A super-resolved photo has more pixels than the frames.
    @Test func theCropGrowsWithThePhoto() throws {
        let image = try TestPictures.linear(128, 96)
        let photo = try DNGWriter().encode(linear: image.values.span, format: image.format, metadata: image.metadata)
        let (contents, _, raw) = try inherited(from: frame(isBigEndian: false), photo)
        #expect(contents.integers(raw[50_719]) == [12, 8] && contents.integers(raw[50_720]) == [104, 80])
    }
}
