import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests of the raw picture in a converted file.
@Suite(.timeLimit(.minutes(10)))
struct CopiedPixelTests {
    private func floats(bits: Int, isBigEndian: Bool) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 24, height: 20, bits: bits, isBigEndian: isBigEndian)
        dng.tags[339] = .shorts([3])
        // Every byte value occurs, and with it numbers below 0, above 1, NaN and infinity.
        dng.parts = [(0..<24 * 20 * bits / 8).map { UInt8(truncatingIfNeeded: $0 * 151 + $0 / 256) }]
        return dng
    }

    /// Deflating with a predictor and storing the result without compression again must give the same bytes.
    @Test(arguments: [(16, false), (24, false), (32, false), (16, true), (24, true), (32, true)])
    func floatsKeepEveryBit(_ bits: Int, _ isBigEndian: Bool) throws {
        for isLinear in [false, true] {
            var dng = floats(bits: bits, isBigEndian: isBigEndian)
            if isLinear {
                (dng.tags[262], dng.tags[277], dng.tags[256]) = (.shorts([34_892]), .shorts([3]), .shorts([8]))
                dng.tags[258] = .shorts([UInt16](repeating: UInt16(bits), count: 3))
                dng.tags[339] = .shorts([3, 3, 3])
            }
            let deflated = try CopiedTagTests.converted(dng.file)
            let middle = TIFFContents(deflated)
            let tags = middle.directory(at: middle.first)
            #expect(middle.integers(tags[259]) == [8])
            #expect(middle.integers(tags[317]) == [isLinear ? 3 : 34_894])
            #expect(middle.integers(tags[258]).allSatisfy { $0 == bits })
            let plain = TIFFContents(try CopiedTagTests.converted(deflated) { $0.storage = .uncompressed })
            let last = plain.directory(at: plain.first)
            let (start, count) = (plain.integers(last[273])[0], plain.integers(last[279])[0])
            #expect(Array(plain.bytes[start..<start + count]) == dng.parts[0])
        }
    }

    @Test func floatsAreNeverClipped() throws {
        let file = floats(bits: 32, isBigEndian: false).file
        for change in [
            { (transcoder: inout DNGTranscoder) in transcoder.bitDepth = 12 },
            { transcoder in transcoder.storage = .jpegXL() },
            { transcoder in transcoder.storage = .lossyJPEG(quality: 0.9) },
            { transcoder in transcoder.storage = .losslessJPEG(predictor: 7) },
        ] {
            #expect(throws: DNGError.self) { try CopiedTagTests.converted(file, change) }
        }
    }

    /// The codes and LinearizationTable of the source stay.
    @Test(arguments: [false, true])
    func codesAndTheirTableAreCopied(_ isBigEndian: Bool) throws {
        var dng = HandmadeDNG.bayer(width: 32, height: 24, bits: 12, isBigEndian: isBigEndian)
        let codes = (0..<32 * 24).map { UInt16($0 * 5 % 4096) }
        dng.parts = [HandmadeDNG.packed(codes, bits: 12, width: 32)]
        dng.tags[50_712] = .shorts((0..<4096).map { UInt16($0 * 16) })
        dng.tags[50_717] = .longs([65_520])
        for storage in [PixelStorage.losslessJPEG(), .uncompressed] {
            let copy = try CopiedTagTests.converted(dng.file) { $0.storage = storage }
            let samples = try DNGFile(bytes: copy).storedSamples()
            #expect(samples.codes == codes)
            #expect(samples.linearizationTable == (0..<4096).map { UInt16($0 * 16) })
        }
        let fewer = try CopiedTagTests.converted(dng.file) { $0.bitDepth = 10 }
        let samples = try DNGFile(bytes: fewer).storedSamples()
        #expect(samples.linearizationTable.count == 1024)
        let values = samples.codes.map { samples.linearizationTable[Int($0)] }
        #expect(zip(values, codes).allSatisfy { abs(Int($0) - Int($1) * 16) < 400 })
    }

    /// The default of WhiteLevel depends on BitsPerSample, so a copy with other bits states it.
    @Test func theDefaultWhiteLevelIsStated() throws {
        var dng = HandmadeDNG.bayer(width: 16, height: 16, bits: 10)
        dng.parts = [HandmadeDNG.packed((0..<256).map { UInt16($0) }, bits: 10, width: 16)]
        let plain = TIFFContents(try CopiedTagTests.converted(dng.file) { $0.storage = .uncompressed })
        let tags = plain.directory(at: plain.first)
        #expect(plain.integers(tags[258]) == [16])
        #expect(plain.integers(tags[50_717]) == [1023])
        let lossless = TIFFContents(try CopiedTagTests.converted(dng.file))
        #expect(lossless.directory(at: lossless.first)[50_717] == nil)
    }

    @Test func theStatedDigestStaysAndFollowsNewCodes() throws {
        var dng = CopiedTagTests.picture(isBigEndian: true)
        let codes = try DNGFile(bytes: dng.file).storedSamples().codes
        let digest = try RawDigest(
            mosaic: codes.span, format: MosaicFormat(width: 32, height: 32, pattern: .rggb, bitDepth: 16))
        dng.tags[51_111] = .bytes(digest.bytes)
        for change in [
            { (_: inout DNGTranscoder) in }, { transcoder in transcoder.storage = .uncompressed },
            { transcoder in transcoder.bitDepth = 10 },
        ] {
            let copy = try DNGFile(bytes: CopiedTagTests.converted(dng.file, change))
            #expect(copy.statedDigest != nil)
            #expect(!copy.verify().contains { $0.message.contains("NewRawImageDigest") })
        }
        #expect(try DNGFile(bytes: CopiedTagTests.converted(dng.file)).statedDigest == digest)
    }

    @Test func aStrippedFileNamesNobody() throws {
        var dng = CopiedTagTests.picture(isBigEndian: false)
        dng.tags[315] = .text("Zoë")
        dng.tags[270] = .text("At home")
        dng.tags[50_735] = .text("SN 1")
        dng.tags[65_001] = .text("Zoë")
        dng.tags[33_723] = .undefined(Array("Zoë".utf8))
        dng.tags[700] = .bytes(Array("<x>Zoë</x>".utf8))
        dng.children[34_665] = [
            .directory([37_500: .undefined(Array("Zoë at home".utf8)), 42_032: .text("Zoë"), 34_855: .shorts([400])])
        ]
        dng.children[34_853] = [.directory([1: .text("N"), 2: .rationals([47, 1, 0, 1, 0, 1])])]
        let copy = try CopiedTagTests.converted(dng.file) { $0.isStripped = true }
        let text = String(decoding: copy, as: UTF8.self)
        for word in ["Zoë", "At home", "SN 1"] { #expect(!text.contains(word)) }
        let contents = TIFFContents(copy)
        #expect(contents.directory(at: contents.first)[34_853] == nil)
        #expect(try DNGFile(bytes: copy).metadata.iso == 400)
    }

    @Test func damageOfADirectoryIsNotedAndOfPixelsRefused() throws {
        var dng = CopiedTagTests.picture(isBigEndian: false)
        dng.tags[65_100] = .longs([1])
        dng.children[34_665] = [.directory([40_965: .longs([0x00FF_FFFF])])]
        let copy = try DNGTranscoder().encode(DNGFile(bytes: dng.file))
        #expect(copy.notes.count == 1)
        var cut = CopiedTagTests.picture(isBigEndian: false)
        var preview = HandmadeDNG.bayer(width: 16, height: 8, bits: 8)
        (preview.tags[254], preview.tags[262]) = (.longs([1]), .shorts([1]))
        (preview.tags[273], preview.tags[279]) = (.longs([0x00FF_FF00]), .longs([128]))
        cut.children[330] = [preview]
        #expect(throws: DNGError.self) { try CopiedTagTests.converted(cut.file) }
    }
}
