import CameraRaw
import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests that the DNG of a camera's own raw file has the metadata of that file.
@Suite(.timeLimit(.minutes(10))) struct CameraRawMetadataTests {
    /// Tags as cameras write them, without those that LibRaw reads.
    static let exif: [UInt16: HandmadeDNG.Values] = [
        34_850: .shorts([3]), 34_864: .shorts([2]), 34_866: .longs([400]), 36_864: .undefined(Array("0231".utf8)),
        36_868: .text("2024:05:06 07:08:09"), 36_880: .text("+02:00"), 36_881: .text("+02:00"),
        37_380: .signedRationals([-7, 10]), 37_383: .shorts([5]), 37_384: .shorts([0]), 37_385: .shorts([16]),
        37_510: .undefined(Array("ASCII\0\0\0hello".utf8)), 37_521: .text("25"), 40_961: .shorts([1]),
        41_986: .shorts([1]), 41_987: .shorts([0]), 41_990: .shorts([0]), 42_032: .text("Ann"),
        42_034: .rationals([50, 1, 50, 1, 18, 10, 18, 10]), 42_037: .text("LN 9"),
        // The size of the camera's JPEG, which a DNG has not.
        40_962: .longs([88]), 40_963: .longs([60]),
    ]

    private func converted(
        _ raw: HandmadeCameraRaw, name: String = "photo.arw"
    ) throws -> (file: DNGFile, contents: TIFFContents, first: [Int: TIFFContents.Value]) {
        try converted(raw.bytes, name: name)
    }

    private func converted(
        _ bytes: [UInt8], name: String
    ) throws -> (file: DNGFile, contents: TIFFContents, first: [Int: TIFFContents.Value]) {
        let file = try HandmadeCameraRaw().onDisk(bytes, name: name) { try DNGFile(rawFile: $0) }
        let copy = try DNGTranscoder().encode(file).data
        #expect(try DNGFile(copy).verify().isEmpty)
        let contents = TIFFContents(copy.bytes)
        return (file, contents, contents.directory(at: contents.first))
    }

    @Test func exifIsKept() throws {
        let raw = HandmadeCameraRaw(
            tags: [18_246: .shorts([4]), 305: .text("ILCE-7M2 v1.0"), 315: .text("   "), 33_432: .text("(c) Ann")],
            exif: Self.exif)
        let (file, contents, first) = try converted(raw)
        let exif = contents.child(34_665, of: first)
        let source = TIFFContents(raw.bytes)
        let given = source.child(34_665, of: source.directory(at: source.first))
        for (tag, value) in given where ![40_962, 40_963].contains(tag) {
            let kept = try #require(exif[tag], "\(tag)")
            #expect((kept.type, kept.count) == (value.type, value.count), "\(tag)")
            #expect(contents.integers(kept) == source.integers(value) || [5, 10].contains(value.type), "\(tag)")
        }
        #expect(exif[40_962] == nil && exif[40_963] == nil)
        #expect(exif[37_380].map { contents.number($0.offset, 4) } == Int(UInt32(bitPattern: -7)))
        // The names that the camera states, by which maker notes are read.
        #expect(first[271]?.bytes == Array("SONY\0".utf8))
        #expect(contents.integers(first[18_246]) == [4] && first[33_432]?.bytes == Array("(c) Ann\0".utf8))
        // The program that writes the file, not the camera's.
        #expect(first[305]?.bytes.starts(with: "ILCE".utf8) == false)
        let metadata = file.metadata
        #expect(metadata.flashFired == false && contents.integers(exif[37_385]) == [16])
        #expect(metadata.exposureBias == -0.7 && metadata.details.rating == 4 && metadata.details.artist.isEmpty)
        // 07:08:09.25 at +02:00.
        #expect(metadata.wallClock == 1_714_972_089_250_000 && metadata.timeZone == .offset(7200))
        let header = try raw.onDisk { try FrameHeader(rawFile: $0) }
        #expect(header.metadata.wallClock == metadata.wallClock && header.metadata.make == metadata.make)
        #expect(header.metadata.flashFired == false)
    }

    /// What the camera does not know, LibRaw may.
    @Test func valuesThatSayNothingReplaceNone() throws {
        let raw = HandmadeCameraRaw(
            tags: [270: .text("title"), 306: .text("2024:05:06 07:08:09")],
            exif: [34_855: .shorts([0]), 36_867: .text("0000:00:00 00:00:00"), 37_386: .rationals([0, 0])])
        let metadata = try converted(raw).file.metadata
        #expect(metadata.details.title == "title" && metadata.wallClock == 1_714_979_289_000_000)
    }

    /// The fault: a receiver without a position became 0° N 0° E.
    @Test(arguments: [false, true]) func aVoidPlaceIsNone(hasZeros: Bool) throws {
        var gps: [UInt16: HandmadeDNG.Values] = [0: .bytes([2, 3, 0, 0]), 9: .text("V"), 18: .text("WGS-84")]
        if hasZeros {
            for (reference, tag) in [(UInt16(1), UInt16(2)), (3, 4)] {
                gps[reference] = .text(reference == 1 ? "N" : "E")
                gps[tag] = .rationals([0, 1, 0, 1, 0, 1])
            }
        }
        let raw = HandmadeCameraRaw(gps: gps)
        let (file, contents, first) = try converted(raw)
        #expect(file.metadata.details.location == nil)
        #expect(try raw.onDisk { try FrameHeader(rawFile: $0) }.metadata.details.location == nil)
        let kept = contents.child(34_853, of: first)
        #expect(kept[9]?.bytes == Array("V\0".utf8) && kept[18] != nil && kept[2] == nil && kept[4] == nil)
    }

    @Test func thePlaceIsKeptWithItsDetails() throws {
        let gps: [UInt16: HandmadeDNG.Values] = [
            1: .text("S"), 2: .rationals([33, 1, 30, 1, 36, 1]), 3: .text("E"), 4: .rationals([70, 1, 15, 1, 0, 1]),
            9: .text("A"), 16: .text("T"), 17: .rationals([1801, 10]), 29: .text("2024:05:06"),
        ]
        let (file, contents, first) = try converted(HandmadeCameraRaw(gps: gps))
        #expect(abs((file.metadata.details.location?.latitude ?? 0) + 33.51) < 1e-9)
        #expect(Set(contents.child(34_853, of: first).keys).isSuperset(of: gps.keys.map(Int.init)))
    }

    /// A note whose offsets count from its own header may be anywhere; another is stored with its position.
    @Test(arguments: [false, true]) func theMakerNoteStaysReadable(isMovable: Bool) throws {
        let head = isMovable ? "Nikon\0\u{2}\u{11}\0\0MM" : "SONY DSC \0\0\0"
        // No entries, which LibRaw would read.
        let note = Array(head.utf8) + [UInt8](repeating: 0, count: 200) + [1, 2, 3, 4]
        let raw = HandmadeCameraRaw(exif: [37_500: .undefined(note)])
        let source = TIFFContents(raw.bytes)
        let position = try #require(source.child(34_665, of: source.directory(at: source.first))[37_500]).offset
        let (_, contents, first) = try converted(raw)
        let exif = contents.child(34_665, of: first)
        if isMovable {
            #expect(exif[37_500]?.bytes == note && first[50_740] == nil)
            #expect(contents.integers(first[50_741]) == [1])
        } else {
            let size = note.count + 6
            let words = [size, position].map { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
            let expected = Array("Adobe\0MakN".utf8) + words[0] + Array("II".utf8) + words[1] + note
            #expect(first[50_740]?.bytes == expected && exif[37_500] == nil)
        }
    }

    @Test func aStrippedCopyHasNoneOfIt() throws {
        let raw = HandmadeCameraRaw(
            exif: Self.exif.merging([37_500: .undefined(Array("SONY DSC \0\0\0abc".utf8))]) { $1 },
            gps: [9: .text("V")])
        let file = try raw.onDisk { try DNGFile(rawFile: $0) }
        var transcoder = DNGTranscoder()
        transcoder.isStripped = true
        let contents = TIFFContents(try transcoder.encode(file).data.bytes)
        let first = contents.directory(at: contents.first)
        #expect([50_740, 50_741, 34_853, 50_735].allSatisfy { first[$0] == nil })
        let exif = contents.child(34_665, of: first)
        #expect([37_510, 42_032, 42_033, 42_037].allSatisfy { exif[$0] == nil } && exif[37_383] != nil)
    }

    /// Fujifilm's files have their Exif in a JPEG.
    @Test func theExifOfARAFIsThatOfItsJPEG() throws {
        var raw = HandmadeRAF()
        let note = Array("FUJIFILM".utf8) + [12, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        var tiff = HandmadeDNG.directory([271: .text("FUJIFILM"), 272: .text("X-T2"), 33_432: .text("(c) Ann")])
        tiff.children[34_665] = [.directory([37_383: .shorts([2]), 37_500: .undefined(note)])]
        let exif = Array("Exif\0\0".utf8) + tiff.file
        let size = exif.count + 2
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 255)]
        raw.jpeg = start + exif + [0xFF, 0xD9]
        let (_, contents, first) = try converted(raw.bytes, name: "photo.raf")
        let kept = contents.child(34_665, of: first)
        #expect(contents.integers(kept[37_383]) == [2] && kept[37_500]?.bytes == note)
        #expect(first[33_432]?.bytes == Array("(c) Ann\0".utf8) && first[271]?.bytes == Array("FUJIFILM\0".utf8))
    }

    /// The formats with more than one TIFF structure, or another number in its header.
    private func metadata(_ format: String) throws -> [UInt8] {
        let exif: [UInt16: HandmadeDNG.Values] = [37_383: .shorts([2]), 37_500: .undefined(Array("a note".utf8))]
        let gps: [UInt16: HandmadeDNG.Values] = [9: .text("V")]
        var tiff = HandmadeDNG.directory([271: .text("Maker"), 33_432: .text("(c) Ann")])
        let first = tiff.file
        tiff.children = [34_665: [.directory(exif)], 34_853: [.directory(gps)]]
        func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] { big(8 + content.count) + Array(name.utf8) + content }
        func jpeg(_ exif: [UInt8]) -> [UInt8] {
            let name = Array("Exif\0\0".utf8)
            return [0xFF, 0xD8, 0xFF, 0xE1] + big(2 + name.count + exif.count).suffix(2) + name + exif + [0xFF, 0xD9]
        }
        switch format {
        case "orf": return Array("IIRO".utf8) + tiff.file.dropFirst(4)
        case "mrw":
            let block = Array("\0TTW".utf8) + big(tiff.file.count) + tiff.file
            return Array("\0MRM".utf8) + big(16 + block.count) + Array("\0PRD".utf8) + big(8) + big(0) + big(0) + block
        case "rw2":
            let outer = HandmadeDNG.directory([271: .text("Maker"), 46: .undefined(jpeg(tiff.file))])
            return Array("IIU\0".utf8) + outer.file.dropFirst(4)
        case "cr3":
            let canon: [UInt8] = [
                0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
            ]
            let packet: [UInt8] = [
                0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
            ]
            let rating = """
                <rdf:RDF xmlns:xmp="http://ns.adobe.com/xap/1.0/"><rdf:Description xmp:Rating="3"/></rdf:RDF>
                """
            // The note is a directory, here of one tag.
            let parts = [
                box("CMT1", first), box("CMT2", HandmadeDNG.directory([37_383: .shorts([2])]).file),
                box("CMT3", HandmadeDNG.directory([9: .text("Ann the owner")]).file),
                box("CMT4", HandmadeDNG.directory(gps).file),
            ]
            return box("ftyp", Array("crx ".utf8)) + box("moov", box("uuid", canon + parts.flatMap(\.self)))
                + box("uuid", packet + Array(rating.utf8)) + box("mdat", [1, 2, 3])
        default: return []
        }
    }

    @Test(arguments: ["orf", "mrw", "rw2", "cr3"]) func everyFormatIsRead(format: String) throws {
        let camera = try HandmadeCameraRaw().onDisk(metadata(format), name: "photo.\(format)") { path in
            try #require(CameraRawMetadata(path: path))
        }
        let mosaic = try TestPictures.mosaic(64, 48)
        let plain = try DNGWriter().encode(
            mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
        let file = try DNGFile(plain.taking(camera))
        #expect(file.verify().isEmpty && file.metadata.make == "Maker")
        #expect(try file.mosaic().codes == mosaic.codes)
        let contents = TIFFContents(try plain.taking(camera).bytes)
        let first = contents.directory(at: contents.first)
        #expect(first[33_432]?.bytes == Array("(c) Ann\0".utf8))
        #expect(contents.integers(contents.child(34_665, of: first)[37_383]) == [2])
        #expect(contents.child(34_853, of: first)[9]?.bytes == Array("V\0".utf8))
        let note = try #require(first[50_740]).bytes
        #expect(note.starts(with: "Adobe\0MakN".utf8))
        if format == "cr3" {
            // The directory begins behind the header of its TIFF structure.
            #expect(note[14..<20].elementsEqual(Array("II".utf8) + [0, 0, 0, 8]) && file.metadata.details.rating == 3)
        } else {
            #expect(note[20..<26].elementsEqual("a note".utf8))
        }
    }

    /// Bytes that are cut off or changed are read as far as they are sound, or left out.
    @Test(arguments: ["orf", "mrw", "rw2", "cr3"]) func damagedFormatsAreReadOrLeftOut(format: String) throws {
        let bytes = try metadata(format)
        var dice = Dice(seed: 8)
        for round in 0..<120 {
            var changed = bytes
            if round % 2 == 0 {
                changed.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
            } else {
                for _ in 0..<3 {
                    changed[Int.random(in: 4..<bytes.count, using: &dice)] = UInt8(truncatingIfNeeded: dice.next() >> 8)
                }
            }
            let camera = try HandmadeCameraRaw().onDisk(changed, name: "a.\(format)") { CameraRawMetadata(path: $0) }
            guard let camera else { continue }
            let mosaic = try TestPictures.mosaic(16, 12)
            let plain = try DNGWriter().encode(
                mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
            _ = try? plain.taking(camera)
        }
    }

    /// No damage of a header stops the process.
    @Test func changedMetadataIsReadOrLeftOut() throws {
        let bytes = HandmadeCameraRaw(exif: Self.exif, gps: [9: .text("V")]).bytes
        var dice = Dice(seed: 5)
        for _ in 0..<60 {
            var changed = bytes
            for _ in 0..<3 {
                let place = Int.random(in: 0..<2, using: &dice) == 0 ? 0..<400 : bytes.count - 900..<bytes.count
                changed[Int.random(in: place, using: &dice)] = UInt8(truncatingIfNeeded: dice.next() >> 8)
            }
            _ = try HandmadeCameraRaw().onDisk(changed) { path in try? DNGFile(rawFile: path).metadata }
        }
    }
}
