import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests of the digests, and of the record of damage, in converted files.
@Suite(.timeLimit(.minutes(10)))
struct CopiedReceiptTests {
    /// Returns a file with digests, as an encoder of gscap stores it.
    private func proved(_ change: (inout DNGWriter) -> Void = { _ in }) throws -> [UInt8] {
        let format = MosaicFormat(width: 48, height: 32, pattern: .rggb, bitDepth: 12)
        let codes = (0..<format.codeCount).map { UInt16(($0 &* 2_654_435_761) >> 8 & 1023) + 100 }
        var metadata = FrameMetadata(bitDepth: 12)
        (metadata.make, metadata.details.title) = ("A maker", "A title")
        metadata.noise = [NoiseProfile(shot: 1e-4, read: 1e-7)]
        var writer = DNGWriter()
        change(&writer)
        return try writer.encode(mosaic: codes.span, format: format, metadata: metadata).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        }
    }

    private static let changes: [@Sendable (inout DNGTranscoder) -> Void] = [
        { _ in }, { $0.storage = .uncompressed }, { $0.bitDepth = 9 }, { $0.storage = .jpegXL() },
        { $0.storage = .jpegXL(quality: 0.8) }, { $0.isStripped = true },
        { $0.storage = .losslessJPEG(predictor: PixelStorage.bestPredictor) },
        { transcoder in
            var details = DescriptiveMetadata()
            details.title = "Another title"
            transcoder.details = details
        },
    ]

    @Test(arguments: Self.changes.indices)
    func theCopyOfAProvedFileIsProved(_ index: Int) throws {
        let source = try proved()
        #expect(try DNGFile(bytes: source).verification().verdict == .sound)
        var copy = source
        // The second copy is made from a copy.
        for _ in 0..<2 {
            copy = try CopiedTagTests.converted(copy, Self.changes[index])
            let result = try DNGFile(bytes: copy).verification()
            #expect(result.verdict == .sound, "\(result)")
            #expect(result.covered.contains("the raw picture") && result.covered.contains("the metadata"))
        }
    }

    @Test(arguments: Self.changes.indices)
    func theCopyOfAnUnprovedFileIsUnproved(_ index: Int) throws {
        var dng = CopiedTagTests.picture(isBigEndian: true)
        dng.tags[50_707] = .bytes([1, 3, 0, 0])
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        let packet = Array("<rdf:RDF><rdf:Description rdf:about='' xmp:Rating='3'/></rdf:RDF>".utf8)
        dng.tags[700] = .bytes(packet)
        #expect(try DNGFile(bytes: dng.file).verification().verdict == .unproved)
        let copy = try CopiedTagTests.converted(dng.file, Self.changes[index])
        let result = try DNGFile(bytes: copy).verification()
        #expect(result.verdict == .unproved, "\(result)")
        let text = String(decoding: copy, as: UTF8.self)
        #expect(!text.contains("gscap:PartDigests"))
        if index < 5 { #expect(text.contains(String(decoding: packet, as: UTF8.self))) }
    }

    /// A flipped bit in the pixels, and one in a preview.
    @Test func acceptedDamageIsStated() throws {
        let source = try proved { $0.storage = .uncompressed }
        let contents = TIFFContents(source)
        let first = contents.directory(at: contents.first)
        let raw = contents.integers(contents.child(330, of: first)[273])[0]
        for (position, part) in [(raw + 500, "raw picture"), (contents.integers(first[273])[0] + 600, "preview 1")] {
            var damaged = source
            damaged[position] ^= 4
            var file = try DNGFile(bytes: damaged)
            for change in Self.changes {
                var transcoder = DNGTranscoder()
                change(&transcoder)
                #expect(throws: DNGError.self, "\(part)") { try transcoder.encode(file) }
            }
            file.acceptsDamage = true
            for change in Self.changes {
                var transcoder = DNGTranscoder()
                change(&transcoder)
                let result = try DNGFile(transcoder.encode(file).data).verification()
                #expect(result.verdict == .damageAccepted, "\(part): \(result)")
                #expect(result.problems.contains { $0.message.contains(part) })
            }
        }
    }

    /// Without a receipt NewRawImageDigest alone finds the damage, and the packet of the source need not be RDF.
    @Test(arguments: [nil, "<x/>", "<rdf:RDF></rdf:RDF>"])
    func acceptedDamageOfOtherMakersIsStated(_ packet: String?) throws {
        var dng = CopiedTagTests.picture(isBigEndian: false)
        dng.tags[51_111] = .bytes([UInt8](repeating: 7, count: 16))
        if let packet { dng.tags[700] = .bytes(Array(packet.utf8)) }
        var file = try DNGFile(bytes: dng.file)
        #expect(throws: DNGError.self) { try DNGTranscoder().encode(file) }
        file.acceptsDamage = true
        let copy = try DNGFile(DNGTranscoder().encode(file).data)
        #expect(copy.metadata.history.acceptedDamage.count == 1)
        #expect(copy.verification().problems.contains { $0.message.contains("was accepted") })
        // The digest is that of the copied codes, so that only the accepted damage is named.
        let others = copy.verification().problems.filter { !$0.message.contains("was accepted") }
        #expect(!others.contains { $0.message.contains("raw picture is damaged") }, "\(others)")
    }

    /// A file of floats with a receipt: its stored bytes are compared although they are not decoded to codes.
    @Test func damagedFloatsAreRefused() throws {
        var dng = HandmadeDNG.bayer(width: 24, height: 20, bits: 32)
        dng.tags[339] = .shorts([3])
        dng.parts = [(0..<24 * 20 * 4).map { UInt8(truncatingIfNeeded: $0 * 151) }]
        let receipt = """
            <rdf:RDF><rdf:Description rdf:about="" xmlns:gscap="urn:gscap:xmp:1.0"><gscap:PartDigests><rdf:Seq>
            <rdf:li>raw 1920 00112233445566778899aabbccddeeff</rdf:li></rdf:Seq></gscap:PartDigests>
            </rdf:Description></rdf:RDF>
            """
        dng.tags[700] = .bytes(Array(receipt.utf8))
        var file = try DNGFile(bytes: dng.file)
        let error = #expect(throws: DNGError.self) { try DNGTranscoder().encode(file) }
        #expect(error?.code == .damaged)
        file.acceptsDamage = true
        let copy = try DNGFile(DNGTranscoder().encode(file).data)
        #expect(copy.verification().problems.contains { $0.message.contains("was accepted") })
    }

    /// Another program has changed a tag: the copy says so, and its digests are valid.
    @Test func anEditedFileStaysEdited() throws {
        var source = try proved()
        let contents = TIFFContents(source)
        let title = try #require(contents.directory(at: contents.first)[270])
        source[title.offset] = UInt8(ascii: "B")
        #expect(try DNGFile(bytes: source).verification().verdict == .edited)
        let copy = try DNGFile(bytes: CopiedTagTests.converted(source))
        #expect(copy.verification().verdict == .edited)
        #expect(copy.metadata.details.title == "B title")
        #expect(copy.metadata.history.isEdited)
    }

    /// JPEG XL stores a mosaic as the four planes of its cells, which needs a reader of DNG 1.7.1.
    @Test func mosaicsAreStoredAsPlanesInJPEGXL() throws {
        let source = try proved()
        let copy = try CopiedTagTests.converted(source) { $0.storage = .jpegXL() }
        let contents = TIFFContents(copy)
        let first = contents.directory(at: contents.first)
        let raw = contents.child(330, of: first)
        #expect(contents.integers(raw[50_975]) == [2] && contents.integers(raw[52_547]) == [2])
        #expect(first[50_707]?.bytes == [1, 7, 1, 0] && first[50_706]?.bytes == [1, 7, 1, 0])
        #expect(try DNGFile(bytes: copy).storedSamples().codes == DNGFile(bytes: source).storedSamples().codes)
        // Back to lossless JPEG the planes are one picture again, and older readers open the file.
        let back = TIFFContents(try CopiedTagTests.converted(copy))
        let last = back.directory(at: back.first)
        #expect(back.child(330, of: last)[50_975] == nil && back.child(330, of: last)[52_547] == nil)
        #expect(back.integers(last[50_707]).lexicographicallyPrecedes([1, 5]))
        let samples = try DNGFile(bytes: back.bytes).storedSamples().codes
        #expect(try samples == DNGFile(bytes: source).storedSamples().codes)
    }
}
