import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests of files whose parts do not match their digests, and of files without digests.
@Suite(.timeLimit(.minutes(10))) struct DamageTests {
    /// Returns a file with one flipped bit in the middle of a part, and its name in messages.
    private func damaged(_ part: FileRegions.Part, in kind: CompleteFiles.Kind = .mosaic) throws -> [UInt8] {
        var bytes = try CompleteFiles.file(kind)
        let regions = FileRegions(bytes)
        bytes[regions.position(of: part, byte: regions.count(of: part) / 2)] ^= 1
        return bytes
    }

    /// Returns a file in which a text was replaced by one of equal length.
    private func changed(_ old: String, to new: String, in kind: CompleteFiles.Kind = .mosaic) throws -> DNGFile {
        var bytes = try CompleteFiles.file(kind)
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        #expect(old.count == new.count)
        let start = try #require(
            bytes.indices.dropLast(old.count).first { bytes[$0..<$0 + old.count].elementsEqual(old) })
        bytes.replaceSubrange(start..<start + old.count, with: new)
        return try DNGFile(bytes: bytes)
    }

    /// Damage of the parts beside the raw picture is refused with the raw picture, too.
    @Test(arguments: [
        (FileRegions.Part.previews, "preview"), (.mattes, "matte"), (.depth, "the depth map"), (.tables, "damaged"),
    ])
    func damageIsRefusedByItsName(_ part: FileRegions.Part, _ name: String) throws {
        let file = try DNGFile(bytes: damaged(part))
        let error = #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("--accept-damage") == true)
        #expect(file.verification().verdict == .damaged)
    }

    @Test func damagedPixelsAreRefused() throws {
        let file = try DNGFile(bytes: damaged(.raw, in: .uncompressedMosaic))
        let error = #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(error?.code == .damaged && error?.message.contains("the raw picture") == true)
        #expect(throws: DNGError.self) { try file.storedSamples() }
        #expect(try file.mattes().count == 2)
    }

    @Test func acceptedDamageIsStoredInTheCopy() throws {
        var file = try DNGFile(bytes: damaged(.raw, in: .uncompressedMosaic))
        file.acceptsDamage = true
        let mosaic = try file.mosaic()
        #expect(file.acceptedDamage.count == 1)
        #expect(mosaic.metadata.history.acceptedDamage.count == 1)
        let copy = try DNGFile(bytes: DNGWriter().encode(mosaic))
        #expect(copy.verification().verdict == .damageAccepted)
        #expect(copy.verify().contains { $0.severity == .error && $0.message.contains("raw picture is damaged") })
        // The mark stays in copies of the copy.
        var writer = DNGWriter()
        writer.xmp = copy.xmp
        let second = try DNGFile(bytes: writer.encode(copy.mosaic()))
        #expect(second.verification().verdict == .damageAccepted)
        #expect(second.metadata.history == copy.metadata.history)
    }

    @Test func changedMetadataIsEdited() throws {
        for file in [
            try changed("A photographer", to: "B photographer"),
            try changed("\u{0}Test Camera", to: "\u{0}Best Camera"),
        ] {
            let result = file.verification()
            #expect(result.verdict == .edited)
            #expect(result.problems.map(\.severity) == [.warning])
            let mosaic = try file.mosaic()
            #expect(mosaic.metadata.history.isEdited && mosaic.metadata.history.acceptedDamage.isEmpty)
            #expect(try DNGFile(bytes: DNGWriter().encode(mosaic)).verification().verdict == .edited)
        }
    }

    /// ExifTool removes a preview by a byte count of 0; its directory stays, since it has the metadata.
    @Test func aRemovedPreviewIsEdited() throws {
        var bytes = try CompleteFiles.file(.mosaic)
        func number(_ start: Int, _ count: Int) -> Int {
            let isBigEndian = bytes[0] == UInt8(ascii: "M")
            return (0..<count).reduce(0) { $0 << 8 | Int(bytes[start + (isBigEndian ? $1 : count - 1 - $1)]) }
        }
        let directory = number(4, 4)
        let entries = (0..<number(directory, 2)).map { directory + 2 + 12 * $0 }
        let entry = try #require(entries.first { [279, 325].contains(number($0, 2)) })
        let size = number(entry + 4, 4) * (number(entry + 2, 2) == 3 ? 2 : 4)
        let start = size > 4 ? number(entry + 8, 4) : entry + 8
        bytes.replaceSubrange(start..<start + size, with: [UInt8](repeating: 0, count: size))
        let file = try DNGFile(bytes: bytes)
        #expect(file.verification().verdict == .edited)
        #expect(file.verification().problems.map(\.severity) == [.warning])
        let copy = try DNGFile(DNGTranscoder().encode(file).data)
        #expect(copy.verification().verdict == .edited)
    }

    /// A program that encodes the pixels again changes their bytes and not their NewRawImageDigest.
    @Test func equalCodesAreIntact() throws {
        // Without the size in the receipt, NewRawImageDigest is the only digest of the picture.
        let file = try changed("<rdf:li>raw ", to: "<rdf:li>raw9")
        #expect(file.verification().verdict == .edited)
        let text = try #require(file.xmp?.split(separator: "<rdf:li>raw9").last?.prefix(8))
        let recoded = try changed("<rdf:li>raw \(text)", to: "<rdf:li>raw 1\(text.dropFirst())")
        #expect(recoded.verification().verdict == .edited)
        #expect(try recoded.mosaic().metadata.history.isEdited)
    }

    /// A receipt that lacks a digest was changed; a copy does not get a new one as if nothing had happened.
    @Test(arguments: ["raw", "metadata"], [CompleteFiles.Kind.mosaic, .lossyLinear])
    func aReceiptWithoutADigestIsEdited(_ part: String, _ kind: CompleteFiles.Kind) throws {
        let file = try changed("<rdf:li>\(part) ", to: "<rdf:li>\(part)9", in: kind)
        #expect(file.verification().verdict == .edited)
        let copy = try DNGFile(DNGTranscoder().encode(file).data)
        #expect(copy.verification().verdict == .edited)
    }

    @Test func filesWithoutDigestsAreUnproved() throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 16)
        dng.tags[50_707] = .bytes([1, 1, 0, 0])
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        dng.tags[50_717] = .shorts([4095])
        let codes = (0..<16).map { UInt16($0 * 256) }
        dng.parts = [dng.bytes(codes)]
        let plain = try DNGFile(bytes: dng.file)
        #expect(plain.verification().verdict == .unproved)
        #expect(plain.verification().uncovered.contains("the raw picture"))
        let format = MosaicFormat(width: 4, height: 4, pattern: .rggb, bitDepth: 16)
        dng.tags[51_111] = .bytes(try RawDigest(mosaic: codes.span, format: format).bytes)
        let proved = try DNGFile(bytes: dng.file)
        #expect(proved.verification().verdict == .partlyProved)
        #expect(proved.verification().covered == ["the raw picture"])
        dng.parts[0][3] ^= 1
        let damaged = try DNGFile(bytes: dng.file)
        #expect(throws: DNGError.self) { try damaged.mosaic() }
        #expect(damaged.verification().verdict == .damaged)
    }
}
