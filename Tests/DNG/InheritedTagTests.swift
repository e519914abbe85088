import DNG
import PhotoMetadata
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

    /// Properties as Lightroom encodes them, as attributes and as elements, and those of a file or of its pixels.
    private let packet = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
          xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:gscap="urn:gscap:xmp:1.0"
          crs:CropTop = "0.1" crs:HasCrop='True' crs:Look="a &quot;b&quot; > c" xmp:Rating="4"
          xmp:ModifyDate="2026-01-01"
          tiff:ImageWidth="64" xmpMM:DocumentID="1" gscap:FusedFrames="7">
         <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Bridge &amp; river</rdf:li></rdf:Alt></dc:title>
         <!-- <dc:comment>no property</dc:comment> -->
         <Iptc4xmpCore:CreatorContactInfo rdf:parseType="Resource">
          <Iptc4xmpCore:CiEmailWork>a@b.c</Iptc4xmpCore:CiEmailWork>
         </Iptc4xmpCore:CreatorContactInfo>
         <xmpMM:History><rdf:Seq><rdf:li rdf:parseType="Resource"/></rdf:Seq></xmpMM:History>
         <dc:coverage/>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """

    /// The photo gets the frame's description, crop and edits, and has its own history, pixels and rating.
    @Test(arguments: [1, 2.5]) func propertiesAreInherited(zoom: Double) throws {
        var dng = frame(isBigEndian: true)
        dng.tags[700] = .bytes(Array(packet.utf8) + [0, 0])
        let source = try DNGFile(bytes: dng.file)
        #expect(source.metadata.details.rating == 4)
        var mosaic = try TestPictures.mosaic(64, 48)
        mosaic.metadata.details.rating = 5
        mosaic.metadata.sourceTags = try source.inheritableTags()
        mosaic.metadata.cropFactor = zoom
        let photo = try DNGFile(encoded(mosaic).inheriting(mosaic.metadata))
        #expect(photo.verify().isEmpty && photo.metadata.details.rating == 5 && photo.metadata.fusedFrames == 1)
        let reader = try XMPReader(#require(photo.xmp))
        let properties = try #require(XMPProperties(reader))
        let names = Set(properties.all.map(\.name))
        #expect(names.isSuperset(of: ["crs:Look", "dc:title", "Iptc4xmpCore:CreatorContactInfo", "dc:coverage"]))
        let others = ["tiff:ImageWidth", "xmpMM:DocumentID", "xmpMM:History", "gscap:FusedFrames", "xmp:ModifyDate"]
        #expect(names.isDisjoint(with: others + ["dc:comment", "Iptc4xmpCore:CiEmailWork"]))
        #expect(properties.all.count == names.count)
        // The user's crop holds for the whole picture, not for the part that a zoom shows.
        #expect(names.contains("crs:CropTop") == (zoom == 1) && names.contains("crs:HasCrop") == (zoom == 1))
        #expect(reader.text("crs:Look") == "a \"b\" > c" && reader.list("dc:title", most: 1) == ["Bridge & river"])
        #expect(reader.text("Iptc4xmpCore:CiEmailWork") == "a@b.c")
    }

    /// A damaged packet, one whose prefixes contradict the photo's, and bytes that are none are not inherited.
    @Test(arguments: [
        "no XMP", "<rdf:RDF><rdf:Description dc:title=\"x\"></rdf:RDF>", "<", "<a b=", "<rdf:RDF x=\"<",
        "<rdf:RDF><rdf:Description xmlns:dc=\"urn:other\" dc:title=\"x\"/></rdf:RDF>",
        "<rdf:RDF xmlns:dc=\"urn:1\"><rdf:Description xmlns:dc=\"urn:2\" dc:title=\"x\"/></rdf:RDF>",
        // Values that are no XML: a bare ampersand, an unknown entity, a control character, prefixes without namespace.
        "<rdf:RDF xmlns:a=\"urn:a\"><rdf:Description a:b=\"x & y\"/></rdf:RDF>",
        "<rdf:RDF xmlns:a=\"urn:a\"><rdf:Description><a:c>&foo;</a:c><a:d>\u{1}</a:d></rdf:Description></rdf:RDF>",
        "<rdf:RDF xmlns:a=\"urn:a\"><rdf:Description><a:b><x:c>1</x:c></a:b><a:d e=\"1\"/></rdf:Description></rdf:RDF>",
        "<rdf:RDF xmlns:a=\"urn:a\"><rdf:Description><a:b xml:lang=\"a\" xml:lang=\"b\"/></rdf:Description></rdf:RDF>",
        "<rdf:RDF xmlns:a=\"\"><rdf:Description a:b=\"x\"/></rdf:RDF>",
        "<rdf:RDF xmlns:a='urn:\"'><rdf:Description a:b=\"x\"/></rdf:RDF>",
        "<rdf:RDF xmlns:a=\"urn:a\" xmlns:b&amp;=\"urn:b\"><rdf:Description a:b=\"x\"/></rdf:RDF>",
        "<a:b>" + String(repeating: "<a>", count: 40_000) + String(repeating: "</a>", count: 40_000) + "</a:b>",
    ]) func otherPacketsAreNotInherited(packet: String) throws {
        var dng = frame(isBigEndian: false)
        dng.tags[700] = .bytes(Array(packet.utf8))
        var mosaic = try TestPictures.mosaic(64, 48)
        let own = try DNGFile(encoded(mosaic)).xmp
        mosaic.metadata.sourceTags = try DNGFile(bytes: dng.file).inheritableTags()
        let photo = try DNGFile(encoded(mosaic).inheriting(mosaic.metadata))
        #expect(photo.verify().isEmpty)
        func text(_ packet: String?) -> String? { packet?.replacing(/[0-9a-f]{32}/, with: "") }
        #expect(text(photo.xmp) == text(own))
    }

    /// The frame's lists and languages are fuller than the one text of a TIFF tag. A property has one value, whatever
    /// its prefix.
    @Test func fullerPropertiesAreInherited() throws {
        var dng = frame(isBigEndian: true)
        dng.tags[315] = .text("Ann; Bob")
        dng.tags[270] = .text("hi")
        dng.tags[700] = .bytes(
            Array(
                """
                <rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xap="http://ns.adobe.com/xap/1.0/"
                  xmlns:a="urn:a"><rdf:Description xap:Rating="3" a:look="a]]>b">
                <dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>
                <dc:description><rdf:Alt><rdf:li xml:lang="x-default">hi</rdf:li><rdf:li xml:lang="de">hallo</rdf:li>
                </rdf:Alt></dc:description></rdf:Description></rdf:RDF>
                """.utf8))
        let source = try DNGFile(bytes: dng.file)
        var mosaic = try TestPictures.mosaic(64, 48)
        mosaic.metadata.details = source.metadata.details
        mosaic.metadata.details.rating = 3
        mosaic.metadata.sourceTags = try source.inheritableTags()
        let photo = try DNGFile(encoded(mosaic).inheriting(mosaic.metadata))
        let packet = try #require(photo.xmp)
        let reader = XMPReader(packet)
        #expect(reader.list("dc:creator", most: 9) == ["Ann", "Bob"])
        #expect(reader.list("dc:description", most: 9) == ["hi", "hallo"])
        #expect(reader.text("a:look") == "a]]>b" && !packet.contains("]]>") && !packet.contains("xap:Rating"))
        #expect(photo.verify().isEmpty)
    }

    /// The fault: positions and Flash of another type than Exif's stopped the process.
    @Test func otherTypesAreNotScaled() throws {
        let image = try TestPictures.linear(128, 96)
        let photo = try DNGWriter().encode(linear: image.values.span, format: image.format, metadata: image.metadata)
        var dng = frame(isBigEndian: false)
        dng.children[34_665] = [
            .directory(
                isBigEndian: false,
                [
                    37_396: .rationals([1, 0, 0, 0]), 37_385: .rationals([1, 0]), 41_486: .rationals([7, 0]),
                    41_492: .longs([4_000_000_000, 1]),
                ])
        ]
        let (contents, first, _) = try inherited(from: dng, photo)
        let exif = contents.child(34_665, of: first)
        #expect(contents.integers(exif[41_492]) == [65_535, 2] && exif[37_396]?.count == 2)
    }

    /// A look that may not be embedded, or that no writer takes, is left out except for its exposure.
    @Test(arguments: [(UInt16(50_941), HandmadeDNG.Values.longs([2])), (50_732, .rationals([20, 1]))])
    func aLookThatCannotBeKeptIsLeftOut(tag: UInt16, value: HandmadeDNG.Values) throws {
        var dng = frame(isBigEndian: true)
        dng.tags[50_730] = .rationals([3, 2])
        dng.tags[50_940] = .floats([0, 0, 0.5, 0.7, 1, 1])
        dng.tags[tag] = value
        var metadata = FrameMetadata()
        metadata.sourceTags = try DNGFile(bytes: dng.file).inheritableTags()
        #expect(metadata.sourceRecipe == Recipe(exposure: 1.5))
    }

    /// All bits of Flash are inherited if the flash of the photo did the same.
    @Test(arguments: [nil, true, false]) func theFlashIsThatOfTheFrame(hasFired: Bool?) throws {
        var dng = frame(isBigEndian: true)
        dng.children[34_665] = [.directory(isBigEndian: true, [37_385: .shorts([0x59])])]
        var mosaic = try TestPictures.mosaic(64, 48)
        mosaic.metadata.flashFired = hasFired
        let (contents, first, _) = try inherited(from: dng, encoded(mosaic))
        let flash = try #require(contents.integers(contents.child(34_665, of: first)[37_385]).first)
        #expect(flash == (hasFired == false ? 0 : 0x59))
    }

    /// A mosaic keeps the look of its frames' camera profile.
    @Test func aMosaicKeepsTheLook() throws {
        var dng = frame(isBigEndian: true)
        dng.tags[50_730] = .rationals([3, 2])
        dng.tags[50_732] = .rationals([5, 4])
        dng.tags[50_936] = .text("Maker standard")
        dng.tags[50_937] = .longs([2, 2, 1])
        dng.tags[50_938] = .floats([0, 1, 1, 0, 1, 1, 3, 0.5, 1, 0, 1, 1])
        dng.tags[50_940] = .floats([0, 0, 0.5, 0.7, 1, 1])
        let source = try DNGFile(bytes: dng.file)
        #expect(source.recipe.hueSatMaps.count == 1 && source.recipe.toneCurve != nil)
        var metadata = source.metadata
        #expect(metadata.sourceRecipe == nil)
        metadata.sourceTags = try source.inheritableTags()
        #expect(metadata.sourceRecipe == source.recipe)
        // The writer stores the look (`sourceRecipe`); its tags are not copied.
        let photo = try DNGFile(encoded(TestPictures.mosaic(64, 48)).inheriting(metadata))
        #expect(photo.recipe.toneCurve == nil && photo.recipe.hueSatMaps.isEmpty)
    }

    /// The edge of a new mosaic is not shown, unless its frames show theirs.
    @Test func aMosaicOfFramesWithoutACropIsWhole() throws {
        var dng = frame(isBigEndian: true)
        (dng.tags[50_719], dng.tags[50_720]) = (nil, nil)
        let mosaic = try encoded(TestPictures.mosaic(64, 48))
        #expect(try DNGFile(mosaic).main?.defaultCrop != PixelRectangle(left: 0, top: 0, width: 64, height: 48))
        let (contents, _, raw) = try inherited(from: dng, mosaic)
        #expect(contents.integers(raw[50_719]) == [0, 0] && contents.integers(raw[50_720]) == [64, 48])
    }

    /// A super-resolved photo has more pixels than the frames.
    @Test func theCropGrowsWithThePhoto() throws {
        let image = try TestPictures.linear(128, 96)
        let photo = try DNGWriter().encode(linear: image.values.span, format: image.format, metadata: image.metadata)
        var dng = frame(isBigEndian: true)
        dng.children[34_665] = [
            .directory(
                isBigEndian: true,
                [37_396: .shorts([10, 20, 8]), 41_486: .rationals([4001, 2]), 41_487: .rationals([1000, 1])])
        ]
        let (contents, first, raw) = try inherited(from: dng, photo)
        #expect(contents.integers(raw[50_719]) == [12, 8] && contents.integers(raw[50_720]) == [104, 80])
        let exif = contents.child(34_665, of: first)
        #expect(contents.integers(exif[37_396]) == [20, 40, 16])
        func ratio(_ tag: Int) -> [Int] { [0, 4].map { contents.number((exif[tag]?.offset ?? 0) + $0, 4) } }
        #expect(ratio(41_486) == [4001, 1] && ratio(41_487) == [2000, 1])
    }
}
