import CameraRaw
import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests that finished pictures have the Exif of the file that their frame was read from.
@Suite(.timeLimit(.minutes(10))) struct InheritedExifTests {
    private static let gps: [UInt16: HandmadeDNG.Values] = [
        1: .text("S"), 2: .rationals([33, 1, 30, 1, 36, 1]), 3: .text("E"), 4: .rationals([70, 1, 15, 1, 0, 1]),
        9: .text("A"), 16: .text("T"),
    ]

    private func metadata(
        _ raw: HandmadeCameraRaw = HandmadeCameraRaw(exif: CameraRawMetadataTests.exif, gps: gps)
    ) throws -> FrameMetadata {
        let file = try raw.onDisk { try DNGFile(rawFile: $0) }
        var metadata = file.metadata
        metadata.sourceTags = try file.inheritableTags()
        return metadata
    }

    private func block(_ metadata: FrameMetadata) -> ExifBlock {
        ExifBlock(metadata: metadata, software: "s", color: .sRGB, width: 44, height: 30, isYCbCr: true)
    }

    private func read(
        _ block: ExifBlock
    ) -> (contents: TIFFContents, first: [Int: TIFFContents.Value], exif: [Int: TIFFContents.Value]) {
        let contents = TIFFContents(block.bytes)
        let first = contents.directory(at: contents.first)
        return (contents, first, contents.child(34_665, of: first))
    }

    @Test(arguments: [false, true]) func exifIsInherited(isBigEndian: Bool) throws {
        var dng = HandmadeDNG.bayer(width: 64, height: 48, bits: 16, isBigEndian: isBigEndian)
        dng.parts = [dng.bytes([UInt16](repeating: 9, count: 64 * 48))]
        dng.tags[50_735] = .text("SN 1")
        dng.tags[18_246] = .shorts([4])
        dng.children[34_665] = [
            .directory(
                isBigEndian: isBigEndian,
                CameraRawMetadataTests.exif.merging([41_486: .rationals([4000, 1]), 37_396: .shorts([1, 2])]) { $1 })
        ]
        dng.children[34_853] = [.directory(isBigEndian: isBigEndian, Self.gps)]
        let file = try DNGFile(bytes: dng.file)
        var metadata = file.metadata
        metadata.sourceTags = try file.inheritableTags()
        let (contents, first, exif) = read(block(metadata))
        for (tag, value) in [
            (34_850, [3]), (34_864, [2]), (34_866, [400]), (37_383, [5]), (37_385, [16]), (41_986, [1]), (40_961, [1]),
        ] {
            #expect(contents.integers(exif[tag]) == value, "\(tag)")
        }
        #expect(exif[42_037]?.bytes == Array("LN 9\0".utf8) && exif[36_881]?.bytes == Array("+02:00\0".utf8))
        #expect(exif[37_510]?.type == 7 && exif[42_034]?.count == 4)
        #expect([0, 4].map { contents.number((exif[42_034]?.offset ?? 0) + 16 + $0, 4) } == [18, 10])
        #expect(contents.integers(first[18_246]) == [4])
        // Those of the picture itself, and none of the raw file's pixels and storage.
        #expect(contents.integers(exif[40_962]) == [44] && contents.integers(exif[40_963]) == [30])
        #expect(exif[41_486] == nil && exif[37_396] == nil)
        #expect([50_706, 256, 262, 33_422, 50_735, 50_740].allSatisfy { first[$0] == nil })
        let gps = contents.child(34_853, of: first)
        #expect(gps[16]?.bytes == Array("T\0".utf8) && contents.integers(gps[2]).count == 3)
    }

    /// What has changed since is not that of the file.
    @Test func theMetadataOfThePhotoIsPreferred() throws {
        var metadata = try metadata()
        metadata.flashFired = true
        metadata.iso = 800
        metadata.details.location = nil
        metadata.details.artist = "Ben"
        metadata.details.lensModel = ""
        var (contents, first, exif) = read(block(metadata))
        #expect(contents.integers(exif[37_385]) == [1] && contents.integers(exif[34_855]) == [800])
        #expect(first[34_853] == nil && first[315]?.bytes == Array("Ben\0".utf8) && exif[42_036] == nil)
        metadata.details.location = Location(latitude: 1, longitude: 2)
        (contents, first, exif) = read(block(metadata))
        let gps = contents.child(34_853, of: first)
        #expect(gps[1]?.bytes == Array("N\0".utf8) && gps[16] == nil)
    }

    @Test func aVoidPlaceHasNoCoordinates() throws {
        let metadata = try metadata(HandmadeCameraRaw(gps: [9: .text("V"), 18: .text("WGS-84")]))
        let (contents, first, _) = read(block(metadata))
        let gps = contents.child(34_853, of: first)
        #expect(gps[9]?.bytes == Array("V\0".utf8) && gps[18] != nil && gps[2] == nil)
    }

    @Test(arguments: [("Nikon", true), ("SONY DSC", false)])
    func aMakerNoteThatMayMoveIsInherited(maker: String, isMovable: Bool) throws {
        let head = isMovable ? maker + "\0\u{2}\u{11}\0\0MM" : maker + " \0\0\0"
        let note = Array(head.utf8) + [UInt8](repeating: 0, count: 70_000)
        let metadata = try metadata(HandmadeCameraRaw(exif: [37_500: .undefined(note), 37_383: .shorts([5])]))
        var block = block(metadata)
        #expect(read(block).exif[37_500]?.bytes == (isMovable ? note : nil))
        // A JPEG has no space for so much.
        block.shorten(to: 65_000)
        let (contents, _, exif) = read(block)
        #expect(block.bytes.count <= 65_000 && exif[37_500] == nil && contents.integers(exif[37_383]) == [5])
        block.shorten(to: 100)
        #expect(read(block).exif[37_383] == nil)
        // The note of a Live Photo is needed to find its movie.
        var live = self.block(metadata)
        live.contentIdentifier = "id"
        #expect(read(live).exif[37_500]?.bytes.starts(with: "Apple iOS".utf8) == true)
    }

    /// The tags travel with frames, whose bytes may be of any program.
    @Test func damagedTagsAreLeftOut() throws {
        let metadata = try metadata()
        let sound = metadata.sourceTags
        var dice = Dice(seed: 3)
        for _ in 0..<400 {
            var damaged = metadata
            for _ in 0..<4 {
                damaged.sourceTags[Int.random(in: 0..<sound.count, using: &dice)] = UInt8(
                    truncatingIfNeeded: dice.next() >> 8)
            }
            let lost = Int.random(in: 0..<sound.count, using: &dice)
            if Bool.random(using: &dice) { damaged.sourceTags.removeLast(lost) }
            #expect(!block(damaged).bytes.isEmpty)
        }
        var none = metadata
        none.sourceTags = [0x4D, 0x4D, 0, 42]
        #expect(read(block(none)).exif[37_383] == nil)
    }
}
