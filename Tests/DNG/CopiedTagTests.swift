import DNG
import RawImage
import Testing

/// Tests that a conversion copies the tags of other makers exactly.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct CopiedTagTests {
    /// The tags that describe how pixels are stored.
    static let storage: Set<Int> = [258, 259, 273, 278, 279, 284, 317, 322, 323, 324, 325]

    static func picture(isBigEndian: Bool) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 32, height: 32, bits: 16, isBigEndian: isBigEndian)
        dng.parts = [dng.bytes((0..<1024).map { UInt16($0 * 37 % 16_384 + 300) })]
        dng.tags[50_717] = .shorts([16_500])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        return dng
    }

    static func converted(
        _ file: [UInt8], _ change: (inout DNGTranscoder) -> Void = { _ in }
    ) throws -> [UInt8] {
        var transcoder = DNGTranscoder()
        change(&transcoder)
        return try transcoder.encode(DNGFile(bytes: file)).data.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        }
    }

    /// Converts a file and expects the same values in all tags of its first directory except those about storage.
    @discardableResult
    static func expectSameTags(_ dng: HandmadeDNG) throws -> TIFFContents {
        let (before, after) = (TIFFContents(dng.file), TIFFContents(try converted(dng.file)))
        #expect(after.isBigEndian == before.isBigEndian)
        let pointers: Set<Int> = [330, 34_665, 34_853, 40_965, 50_933]
        let (old, new) = (before.directory(at: before.first), after.directory(at: after.first))
        for tag in Set(old.keys).union(new.keys).subtracting(storage).subtracting(pointers) {
            #expect(new[tag] == old[tag], "tag \(tag)")
        }
        for tag in [34_665, 34_853] where old[tag] != nil {
            #expect(after.child(tag, of: new).mapValues(\.bytes) == before.child(tag, of: old).mapValues(\.bytes))
        }
        return after
    }

    @Test(arguments: [false, true])
    func scaleCropAndIdentityAreCopied(_ isBigEndian: Bool) throws {
        var dng = Self.picture(isBigEndian: isBigEndian)
        dng.tags[50_739] = .rationals([1, 4])
        dng.tags[50_718] = .rationals([1, 1, 2, 1])
        dng.tags[50_719] = .rationals([5, 2, 7, 2])
        dng.tags[50_720] = .rationals([40, 2, 41, 2])
        dng.tags[51_125] = .rationals([1, 10, 1, 8, 9, 10, 7, 8])
        dng.tags[50_708] = .text("Maker X Über")
        dng.tags[50_827] = .bytes(Array("IMG_1.CR3\0".utf8))
        dng.tags[50_735] = .text("SN 1")
        dng.tags[50_736] = .rationals([24, 1, 70, 1, 28, 10, 0, 0])
        dng.tags[50_781] = .bytes((0..<16).map { $0 })
        dng.tags[50_713] = .shorts([2, 2])
        dng.tags[50_714] = .rationals([900, 3, 300, 1, 601, 2, 1, 1])
        dng.tags[50_730] = .signedRationals([-33, 100])
        try Self.expectSameTags(dng)
    }

    @Test(arguments: [false, true])
    func privateTagsOfEveryTypeAreCopied(_ isBigEndian: Bool) throws {
        var dng = Self.picture(isBigEndian: isBigEndian)
        dng.tags[65_001] = .bytes([1, 2, 3, 4, 5])
        dng.tags[65_002] = .shorts([1, 515, 3])
        dng.tags[65_003] = .longs([0x0102_0304, 70_000])
        dng.tags[65_004] = .rationals([1, 3, 0, 0])
        dng.tags[65_005] = .signedRationals([-1, 3])
        dng.tags[65_006] = .undefined((0..<255).reversed().map { $0 })
        dng.tags[65_007] = .floats([0.1, -.infinity, .nan])
        dng.tags[65_008] = .doubles([0.1, -2.5e-300])
        dng.tags[65_009] = .text("private")
        dng.tags[50_740] = .bytes(Array("Private\0".utf8) + (0..<200).map { $0 })
        dng.tags[33_723] = .undefined([0x1C, 2, 5, 0, 1, 0x41, 0xE9])
        try Self.expectSameTags(dng)
    }

    @Test(arguments: [false, true])
    func exifAndGPSAreCopied(_ isBigEndian: Bool) throws {
        var dng = Self.picture(isBigEndian: isBigEndian)
        dng.children[34_665] = [
            .directory(
                isBigEndian: isBigEndian,
                [
                    33_434: .rationals([10, 1250]), 34_850: .shorts([3]), 36_867: .text("2026:03:01 23:30:15"),
                    37_380: .signedRationals([-2, 3]), 37_383: .shorts([5]), 37_385: .shorts([16]),
                    37_510: .undefined(Array("ASCII\0\0\0words".utf8)), 42_033: .text("B1"), 42_037: .text("L1"),
                ])
        ]
        dng.children[34_853] = [
            .directory(
                isBigEndian: isBigEndian,
                [1: .text("N"), 2: .rationals([47, 1, 221_234, 10_000, 0, 1]), 17: .rationals([27_351, 100])])
        ]
        dng.tags[306] = .text("2026:03:02 23:59:58")
        try Self.expectSameTags(dng)
    }

    @Test func latin1TextsAreCopiedAndRead() throws {
        var dng = Self.picture(isBigEndian: false)
        let latin: [UInt8] = [0x41, 0x6E, 0x64, 0x72, 0xE9, 0x20, 0xA9, 0]
        dng.tags[315] = .ascii(latin)
        dng.tags[33_432] = .ascii(latin)
        try Self.expectSameTags(dng)
        let details = try DNGFile(bytes: dng.file).metadata.details
        #expect(details.artist == "André ©")
    }

    @Test func theInteropDirectoryIsCopied() throws {
        var dng = Self.picture(isBigEndian: true)
        var exif = HandmadeDNG.directory(isBigEndian: true, [34_855: .shorts([400])])
        exif.children[40_965] = [.directory(isBigEndian: true, [1: .text("R98"), 2: .undefined([48, 49, 48, 48])])]
        dng.children[34_665] = [exif]
        let copy = TIFFContents(try Self.converted(dng.file))
        let interop = copy.child(40_965, of: copy.child(34_665, of: copy.directory(at: copy.first)))
        #expect(interop[1]?.bytes == Array("R98\0".utf8))
        #expect(interop[2]?.bytes == [48, 49, 48, 48])
    }

    /// A profile has its own byte order; its offsets count from its start.
    @Test func extraProfilesAreCopied() throws {
        var dng = Self.picture(isBigEndian: false)
        let profile = HandmadeDNG.directory(isBigEndian: true, [50_936: .text("Other Vivid"), 50_941: .longs([1])])
        var bytes = profile.file
        bytes.replaceSubrange(2..<4, with: [0x43, 0x52])
        dng.tags[50_933] = .longs([0])
        var file = dng.file
        let position = file.count + file.count % 2
        file += [UInt8](repeating: 0, count: position - file.count) + bytes
        let entry = try #require(TIFFContents(file).directory(at: 8)[50_933])
        for index in 0..<4 { file[entry.offset + index] = UInt8(truncatingIfNeeded: position >> (8 * index)) }
        let copy = TIFFContents(try Self.converted(file))
        let start = try #require(copy.integers(copy.directory(at: copy.first)[50_933]).first)
        #expect(Array(copy.bytes[start..<start + bytes.count]) == bytes)
    }

    @Test func aMakerNoteKeepsItsPosition() throws {
        var dng = Self.picture(isBigEndian: false)
        let note = (0..<333).map { UInt8(truncatingIfNeeded: $0 * 7) }
        dng.children[34_665] = [.directory([37_500: .undefined(note)])]
        for file in [dng.file, dng.file + [UInt8](repeating: 0, count: 64)] {
            let before = TIFFContents(file)
            let old = try #require(before.child(34_665, of: before.directory(at: before.first))[37_500])
            let after = TIFFContents(try Self.converted(file))
            let new = try #require(after.child(34_665, of: after.directory(at: after.first))[37_500])
            #expect(new == old)
            #expect(new.offset == old.offset)
        }
    }

    /// A note far behind the data of the copy would need a file of zeros before it.
    @Test func aMakerNoteFarBehindMoves() throws {
        var dng = HandmadeDNG.bayer(width: 512, height: 512, bits: 16)
        dng.parts = [[UInt8](repeating: 1, count: 524_288)]
        let note = [UInt8](repeating: 77, count: 100)
        dng.children[34_665] = [.directory([37_500: .undefined(note)])]
        let file = try Self.converted(dng.file)
        let after = TIFFContents(file)
        #expect(after.child(34_665, of: after.directory(at: after.first))[37_500]?.bytes == note)
        #expect(file.count < 100_000)
    }

    @Test func previewsMasksAndChainsAreCopied() throws {
        var dng = Self.picture(isBigEndian: true)
        var preview = HandmadeDNG.bayer(width: 16, height: 8, bits: 8, isBigEndian: true)
        (preview.tags[254], preview.tags[262], preview.tags[259]) = (.longs([1]), .shorts([1]), .shorts([7]))
        preview.tags[50_968] = .text("As shot")
        preview.parts = [TestCodecs.greyJPEG]
        var mask = HandmadeDNG.bayer(width: 2, height: 2, bits: 8, isBigEndian: true)
        (mask.tags[254], mask.tags[262], mask.tags[52_526]) = (.longs([65_540]), .shorts([52_527]), .text("sky"))
        mask.parts = [[1, 2, 3, 4]]
        dng.children[330] = [preview, mask]
        let copy = TIFFContents(try Self.converted(dng.file))
        let first = copy.directory(at: copy.first)
        let stored = copy.child(330, of: first)
        let start = try #require(copy.integers(stored[273]).first)
        #expect(Array(copy.bytes[start..<start + TestCodecs.greyJPEG.count]) == TestCodecs.greyJPEG)
        #expect(stored[50_968]?.bytes == Array("As shot\0".utf8))
        #expect(copy.child(330, of: first, number: 1)[52_526]?.bytes == Array("sky\0".utf8))
    }
}
