import DNG
import PhotoMetadata
import RawImage
import Testing

/// Tests of the problems that `verify()` finds in invalid files.
@Suite struct VerifyTests {
    /// Returns a valid file, to which each test adds one fault.
    private func sound() -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 16)
        dng.tags[50_707] = .bytes([1, 1, 0, 0])
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        dng.tags[50_717] = .shorts([4095])
        dng.parts = [dng.bytes((0..<16).map { UInt16($0 * 256) })]
        return dng
    }

    private func problems(_ change: (inout HandmadeDNG) -> Void) throws -> [DNGProblem] {
        var dng = sound()
        change(&dng)
        return try DNGFile(bytes: dng.file).verify()
    }

    private func makeLinear(_ dng: inout HandmadeDNG) {
        dng.tags[258] = .shorts([16, 16, 16])
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([3])
        (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        dng.parts = [[UInt8](repeating: 1, count: 96)]
    }

    @Test func soundFilesHaveNoProblem() throws {
        #expect(try problems { _ in }.isEmpty)
        #expect(try DNGFile(bytes: DNGWriter().encode(TestPictures.mosaic(320, 260))).verify().isEmpty)
        #expect(try DNGFile(bytes: DNGWriter().encode(TestPictures.linear(300, 20))).verify().isEmpty)
    }

    @Test func changedPixelsFailTheDigest() throws {
        // The codes are uncompressed, because in a JPEG one flipped bit could damage the rest of a tile.
        var writer = DNGWriter()
        writer.storage = .uncompressed
        var bytes = try writer.encode(TestPictures.mosaic(320, 260))
        bytes[bytes.count * 3 / 4] ^= 1
        let problems = try DNGFile(bytes: bytes).verify()
        #expect(problems.map(\.severity) == [.error])
        #expect(problems.first?.message.contains("NewRawImageDigest") == true)
    }

    @Test func smallCodesAreDigestedAsBytes() throws {
        let codes = (0..<16).map { UInt8($0) }
        let found = try problems { dng in
            dng.tags[258] = .shorts([8])
            dng.tags[50_717] = .shorts([255])
            dng.tags[51_111] = .bytes(MD5.digest(MD5.digest(codes)))
            dng.parts = [codes]
        }
        #expect(found.isEmpty)
    }

    /// The NewRawImageDigest of a lossy compression is that of the compressed bytes.
    @Test func compressedBytesAreDigested() throws {
        func found(_ change: (inout [UInt8]) -> Void) throws -> [DNGProblem] {
            try problems { dng in
                dng.tags[50_706] = .bytes([1, 7, 0, 0])
                dng.tags[50_707] = .bytes([1, 7, 0, 0])
                dng.tags[259] = .shorts([52_546])
                (dng.tags[256], dng.tags[257], dng.tags[278]) = (.shorts([8]), .shorts([8]), .shorts([8]))
                dng.tags[50_717] = .longs([65_535])
                dng.parts = [TestCodecs.jpegXL16]
                var digest = MD5.digest(MD5.digest(TestCodecs.jpegXL16))
                change(&digest)
                dng.tags[51_111] = .bytes(digest)
            }
        }
        #expect(try found { _ in }.isEmpty)
        #expect(try found { $0[0] ^= 1 }.first?.message.contains("NewRawImageDigest") == true)
    }

    /// JPEG XL decoders scale 12-bit samples to 16 bits, so WhiteLevel must be 65535, not 4095.
    @Test func whiteLevelOfJPEGXLMustBeOnTheScaledRange() throws {
        let found = try problems { dng in
            dng.tags[50_706] = .bytes([1, 7, 0, 0])
            dng.tags[50_707] = .bytes([1, 7, 0, 0])
            dng.tags[259] = .shorts([52_546])
            (dng.tags[256], dng.tags[257], dng.tags[278]) = (.shorts([8]), .shorts([8]), .shorts([8]))
            dng.parts = [TestCodecs.jpegXL12]
        }
        #expect(found.contains { $0.severity == .error && $0.message.contains("WhiteLevel") }, "\(found)")
    }

    @Test(arguments: [
        (50_707, "DNGBackwardVersion", DNGProblem.Severity.warning), (50_708, "UniqueCameraModel", .error),
        (50_721, "ColorMatrix1", .error), (50_728, "AsShotNeutral", .warning), (33_422, "CFAPattern", .error),
        (262, "no Bayer, X-Trans or linear picture", .error),
    ])
    func missingTagsAreNamed(tag: UInt16, name: String, severity: DNGProblem.Severity) throws {
        let found = try problems { $0.tags[tag] = nil }
        #expect(found.contains { $0.severity == severity && $0.message.contains(name) }, "\(found)")
    }

    @Test func riskyStorageIsReported() throws {
        let tiled = try problems { dng in
            makeLinear(&dng)
            (dng.tags[322], dng.tags[323], dng.tags[278]) = (.shorts([16]), .shorts([16]), nil)
            dng.isTiled = true
            dng.parts = [[UInt8](repeating: 1, count: 16 * 16 * 6)]
        }
        #expect(tiled.contains { $0.severity == .warning && $0.message.contains("tiled") })
        let deflated = try problems { dng in
            dng.tags[259] = .shorts([8])
            dng.parts = [TestCodecs.deflated(dng.parts[0])]
        }
        #expect(deflated.map(\.severity) == [.warning])
        #expect(deflated.first?.message.contains("deflated") == true)
    }

    @Test func whiteOnTheWrongScaleIsFound() throws {
        let behindTable = try problems { dng in
            dng.tags[50_712] = .shorts((0..<4096).map { UInt16($0 * 16) })
            dng.tags[50_717] = .shorts([4095])
        }
        #expect(behindTable.contains { $0.severity == .error && $0.message.contains("scale") }, "\(behindTable)")
        let tooHigh = try problems { dng in
            dng.tags[258] = .shorts([8])
            dng.tags[50_717] = .shorts([1023])
            dng.parts = [[UInt8](repeating: 1, count: 16)]
        }
        #expect(tooHigh.contains { $0.severity == .error && $0.message.contains("far beyond all codes") })
    }

    @Test func versionsMustCoverUsedFeatures() throws {
        let found = try problems { dng in
            dng.tags[50_706] = .bytes([1, 0, 0, 0])
            dng.tags[258] = .shorts([16])
            dng.tags[259] = .shorts([52_546])
            (dng.tags[256], dng.tags[257], dng.tags[278]) = (.shorts([8]), .shorts([8]), .shorts([8]))
            dng.tags[50_717] = .longs([65_535])
            dng.parts = [TestCodecs.jpegXL16]
        }
        #expect(found.filter { $0.message.contains("DNGBackwardVersion") }.count == 2, "\(found)")
    }

    @Test func areasBeyondThePictureAreFound() throws {
        #expect(try problems { $0.tags[50_829] = .longs([0, 0, 5, 4]) }.first?.message.contains("ActiveArea") == true)
        let crop = try problems { dng in
            dng.tags[50_719] = .shorts([2, 2])
            dng.tags[50_720] = .shorts([3, 2])
        }
        #expect(crop.first?.message.contains("DefaultCropSize") == true)
    }

    @Test func mattesNeedANameAndEightBits() throws {
        let found = try problems { dng in
            var matte = HandmadeDNG.bayer(width: 2, height: 1, bits: 16)
            matte.tags[254] = .longs([65_540])
            matte.tags[262] = .shorts([52_527])
            matte.parts = [[0, 1, 2, 3]]
            dng.children[330] = [matte]
        }
        #expect(found.contains { $0.message.contains("SemanticName") })
        #expect(found.contains { $0.message.contains("a matte has one of 8") })
    }
}
