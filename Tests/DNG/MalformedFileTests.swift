import DNG
import Glibc
import RandomSequences
import RawImage
import Testing

/// Tests that damaged files throw descriptive errors, without traps, hangs or memory out of proportion to the file.
@Suite struct MalformedFileTests {
    private func tiny() throws -> [UInt8] {
        var writer = DNGWriter()
        writer.previewSide = 8
        return try writer.encode(TestPictures.mosaic(18, 17))
    }

    /// Decodes everything in the file; returns the first error, or nil if there is none.
    @discardableResult
    private func readAll(_ bytes: [UInt8]) -> DNGError? {
        do throws(DNGError) {
            let file = try DNGFile(bytes: bytes)
            _ = DNGSummary(file)
            for image in file.images {
                switch image.kind {
                case .bayer: _ = try file.mosaic(image)
                case .linear: _ = try file.linearImage(image)
                case .preview: _ = try file.preview(image)
                default: _ = try file.storedSamples(image)
                }
            }
            _ = try file.mattes()
            _ = try file.depthMap()
            _ = file.verify()
            return nil
        } catch {
            return error
        }
    }

    @Test func everyTruncationIsAnError() throws {
        let whole = try tiny()
        for count in 0..<whole.count - 4 {
            let error = readAll(Array(whole.prefix(count)))
            #expect(error != nil, "\(count) of \(whole.count) bytes were enough")
            #expect(error?.message.isEmpty == false)
        }
        #expect(readAll(whole) == nil)
    }

    @Test func everyFlippedBitIsSurvived() throws {
        let whole = try tiny()
        var refused = 0
        let bits = TestExtent.cases(0..<whole.count * 8, every: 7)
        for bit in bits {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            if readAll(bytes) != nil { refused += 1 }
        }
        // Some flipped bits only change pixels or texts, which are still valid; those that change the structure are
        // errors.
        #expect(refused * whole.count * 8 > 500 * bits.count)
        #expect(refused < bits.count)
    }

    @Test(arguments: TestFiles.Kind.allCases)
    func everyFlippedBitOfEveryKindIsSurvived(kind: TestFiles.Kind) throws {
        let whole = try TestFiles.file(kind)
        #expect(readAll(whole) == nil)
        #expect(try DNGFile(bytes: whole).verify().isEmpty)
        var refused = 0
        let bits = TestExtent.cases(0..<whole.count * 8, every: 7)
        for bit in bits {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            if readAll(bytes) != nil { refused += 1 }
        }
        #expect(refused * whole.count * 8 > 200 * bits.count)
    }

    @Test func randomBytesAreSurvived() throws {
        let whole = try tiny()
        var dice = Dice(seed: 99)
        var refused = 0
        let files = TestExtent.isExhaustive ? 20_000 : 4_000
        for _ in 0..<files {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                let offset = Int.random(in: 0..<bytes.count, using: &dice)
                let any = UInt8.random(in: 0...255, using: &dice)
                bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF, any].randomElement(using: &dice) ?? 0
            }
            if readAll(bytes) != nil { refused += 1 }
        }
        #expect(refused > files / 20)
    }

    @Test func directoryCyclesAreReported() throws {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.parts = [[0, 0, 0, 0]]
        dng.next = 8
        #expect(readAll(dng.file)?.message.contains("circles") == true)
        dng.next = nil
        dng.tags[330] = .longs([8, 8])
        #expect(readAll(dng.file)?.message.contains("circles") == true)
    }

    @Test func aPictureLargerThanItsFileIsRefused() throws {
        var dng = HandmadeDNG.bayer(width: 65_535, height: 65_535, bits: 16)
        dng.tags[278] = .longs([65_535])
        dng.parts = [[0, 0, 0, 0]]
        #expect(readAll(dng.file)?.message.contains("more than the file has") == true)
    }

    @Test func tilesLargerThanTheFileAreRefused() throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 8)
        dng.tags[322] = .longs([65_520])
        dng.tags[323] = .longs([65_520])
        dng.isTiled = true
        dng.parts = [[UInt8](repeating: 0, count: 16)]
        #expect(readAll(dng.file)?.code == .malformed)
    }

    @Test func manyTagsOverTheSameBytesAreRefused() throws {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        for tag in 60_000..<60_400 { dng.tags[UInt16(tag)] = .text(String(repeating: "x", count: 100)) }
        dng.parts = [[UInt8](repeating: 0, count: 40_000)]
        #expect(readAll(dng.file) == nil)
        // Each text tag now claims 40,000 bytes from the file's start.
        var bytes = dng.file
        let entries = Int(bytes[8]) | Int(bytes[9]) << 8
        for entry in (0..<entries).map({ 10 + $0 * 12 }) where bytes[entry + 1] >= 0xEA {
            bytes.replaceSubrange(entry + 4..<entry + 12, with: [0x40, 0x9C, 0, 0, 0, 0, 0, 0])
        }
        #expect(readAll(bytes)?.message.contains("more than the whole file") == true)
    }

    @Test func impossibleLevelsAreRefused() throws {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.parts = [[0, 0, 0, 0]]
        dng.tags[50_714] = .shorts([300])
        #expect(readAll(dng.file)?.message.contains("whiteLevel 255") == true)
        dng.tags[50_714] = .shorts([1, 2, 3])
        #expect(readAll(dng.file)?.message.contains("BlackLevel") == true)
    }

    @Test func errorsLocateTags() {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.parts = [[0, 0, 0, 0]]
        dng.tags[50_714] = .shorts([1, 2, 3])
        let location = readAll(dng.file)?.location
        #expect(location == DNGError.Location(tag: 50_714, offset: 8))
        #expect(location?.description == "tag BlackLevel (50714), byte 8")
    }

    /// The error of a strip that cannot be decoded has the strip's offset and the decoder's error as its cause.
    @Test func errorsOfStripsHaveOffsetAndCause() throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 2, bits: 8)
        dng.tags[259] = .shorts([8])
        dng.parts = [Array("this is no deflate stream".utf8)]
        let error = try #require(readAll(dng.file))
        let offset = try #require(error.location?.offset)
        #expect(dng.file[offset..<offset + 4].elementsEqual("this".utf8))
        let cause = try #require(error.cause as? DNGError)
        #expect(error.message.hasSuffix(cause.message))
        #expect(error.code == cause.code)
    }

    @Test func errorsOfPicturesHaveTheirCause() throws {
        let mosaic = try TestPictures.mosaic(4, 4)
        let short = #expect(throws: DNGError.self) {
            let codes: [UInt16] = [0, 0, 0]
            _ = try DNGWriter().encode(mosaic: codes.span, format: mosaic.format, metadata: mosaic.metadata)
        }
        #expect((short?.cause as? RawImageError)?.code == .tooShort)
    }

    @Test func otherFileFormatsAreReported() {
        #expect(readAll([])?.code == .malformed)
        #expect(readAll(Array("not a picture at all".utf8))?.message.contains("neither II nor MM") == true)
        #expect(readAll([0x49, 0x49, 43, 0, 8, 0, 0, 0, 0, 0])?.message.contains("BigTIFF") == true)
        #expect(
            readAll([0x49, 0x49, 43, 0, 4] + [UInt8](repeating: 0, count: 20))?.message.contains("BigTIFF") == true)
        var tiff = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        tiff.tags[50_706] = nil
        tiff.parts = [[0, 0, 0, 0]]
        // A mosaic without DNGVersion is some camera's own raw format; any other TIFF is a finished picture.
        #expect(readAll(tiff.file)?.message.contains("raw file of another format") == true)
        tiff.tags[262] = .shorts([2])
        #expect(readAll(tiff.file)?.message.contains("DNGVersion") == true)
    }

    @Test func pathsThatAreNoFilesAreReported() {
        let missing = #expect(throws: DNGError.self) { try DNGFile(path: "/nowhere/photo.dng") }
        #expect(missing?.code == .cannotRead)
        #expect(missing?.message.contains("/nowhere/photo.dng") == true)
        #expect(missing?.location?.path == "/nowhere/photo.dng")
        #expect((missing?.cause as? SystemError)?.number == ENOENT)
        let folder = #expect(throws: DNGError.self) { try DNGFile(path: "/") }
        #expect(folder?.message.contains("not a regular file") == true)
        #expect(throws: DNGError.self) { try DNGFile(path: "/dev/zero") }
    }
}
