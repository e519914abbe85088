import DNG
import RawImage
import Testing

/// Tests of converted files whose raw picture is neither a Bayer mosaic nor linear RGB of up to 16 bits.
@Suite(.timeLimit(.minutes(10))) struct CopiedKindTests {
    /// A kind of raw picture.
    enum Kind: String, CaseIterable, Sendable {
        case xTrans, fourColorMosaic, monochrome, grey, fourColors
    }

    private static let (width, height) = (62, 50)

    /// Returns a file of a kind with random codes of 12 bits in 16; some tiles are cut by the picture's edges.
    private func picture(_ kind: Kind, isBigEndian: Bool = false) -> HandmadeDNG {
        let samples = kind == .fourColors ? 4 : 1
        var dng = HandmadeDNG.bayer(width: Self.width, height: Self.height, bits: 16, isBigEndian: isBigEndian)
        var dice = Dice(seed: 5)
        let codes = (0..<Self.width * Self.height * samples).map { _ in UInt16.random(in: 100..<4096, using: &dice) }
        dng.parts = [dng.bytes(codes)]
        dng.tags[50_707] = .bytes([1, 1, 0, 0])
        dng.tags[50_714] = .longs([64])
        dng.tags[50_717] = .longs([UInt32](repeating: 4095, count: samples))
        switch kind {
        case .xTrans:
            (dng.tags[33_421], dng.tags[50_710]) = (.shorts([6, 6]), .bytes([0, 1, 2]))
            dng.tags[33_422] = .bytes(XTransPattern.standard.planes.map { UInt8($0) })
        case .fourColorMosaic:
            (dng.tags[33_422], dng.tags[50_710]) = (.bytes([1, 4, 3, 5]), .bytes([3, 4, 5, 1]))
        case .monochrome, .fourColors:
            dng.tags[262] = .shorts([34_892])
            (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        case .grey:
            dng.tags[262] = .shorts([1])
            (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        }
        if kind == .fourColors {
            (dng.tags[258], dng.tags[277]) = (.shorts([16, 16, 16, 16]), .shorts([4]))
            dng.tags[50_714] = .longs([64, 65, 66, 67])
        }
        return dng
    }

    /// A copy has the same codes, however they are stored, and no tag but those about storage changes.
    @Test(arguments: Kind.allCases, [false, true]) func codesAndTagsAreCopied(_ kind: Kind, _ isBigEndian: Bool) throws
    {
        let dng = picture(kind, isBigEndian: isBigEndian)
        let before = try DNGFile(bytes: dng.file)
        let codes = try before.storedSamples().codes
        try CopiedTagTests.expectSameTags(dng)
        var storages = [PixelStorage.losslessJPEG(), .losslessJPEG(predictor: 7), .losslessJPEG(predictor: 0)]
        storages += kind == .fourColors ? [.uncompressed] : [.uncompressed, .jpegXL()]
        for storage in storages {
            let file = try DNGFile(bytes: try CopiedTagTests.converted(dng.file) { $0.storage = storage })
            #expect(file.main?.kind == before.main?.kind)
            #expect(try file.storedSamples().codes == codes, "\(storage)")
            // The file without the tags of a camera has errors, but the copy has no others.
            #expect(errors(of: file) == errors(of: before), "\(storage)")
        }
    }

    private func errors(of file: DNGFile) -> Int { file.verify().count { $0.severity == .error } }

    @Test(arguments: Kind.allCases) func fewerBitsFollowTheCodes(_ kind: Kind) throws {
        let dng = picture(kind)
        let codes = try DNGFile(bytes: dng.file).storedSamples().codes
        let copy = try DNGFile(bytes: try CopiedTagTests.converted(dng.file) { $0.bitDepth = 10 }).storedSamples()
        let values = copy.codes.map { copy.linearizationTable[Int($0)] }
        #expect(copy.linearizationTable.count == 1024)
        #expect(zip(values, codes).allSatisfy { abs(Int($0) - Int($1)) < 16 })
    }

    @Test(arguments: Kind.allCases) func lossyCompressionIsRefusedOrFollowsTheCodes(_ kind: Kind) throws {
        let file = picture(kind).file
        let error = #expect(throws: DNGError.self) {
            try CopiedTagTests.converted(file) { $0.storage = .lossyJPEG(quality: 0.9) }
        }
        #expect(error?.message.contains("lossless JPEG") == true, "\(error?.message ?? "")")
        let lossy = { try CopiedTagTests.converted(file) { $0.storage = .jpegXL(distance: 0.5) } }
        if kind == .xTrans || kind == .fourColors {
            #expect(throws: DNGError.self) { try lossy() }
        } else {
            #expect(try DNGFile(bytes: lossy()).storedSamples().codes.count == Self.width * Self.height)
        }
    }

    // MARK: Integers of 24 and 32 bits

    /// Returns a linear or mosaic file of wide integers and its numbers.
    private func wide(_ bits: Int, isLinear: Bool, isBigEndian: Bool) -> (dng: HandmadeDNG, numbers: [UInt32]) {
        var dng = HandmadeDNG.bayer(width: 24, height: 20, bits: bits, isBigEndian: isBigEndian)
        if isLinear {
            (dng.tags[256], dng.tags[262], dng.tags[277]) = (.shorts([8]), .shorts([34_892]), .shorts([3]))
            dng.tags[258] = .shorts([UInt16](repeating: UInt16(bits), count: 3))
            (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        }
        var dice = Dice(seed: 3)
        let numbers = (0..<480).map { _ in UInt32.random(in: 0..<UInt32.max, using: &dice) >> UInt32(32 - bits) }
        dng.parts = [
            numbers.flatMap { number in
                let bytes = (0..<bits / 8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
                // Integers of 24 bits have their high byte first in every file.
                return isBigEndian || bits == 24 ? bytes.reversed() : bytes
            }
        ]
        return (dng, numbers)
    }

    /// Deflating with a predictor and storing the result without compression again must give the same integers.
    @Test(arguments: [24, 32], [false, true]) func wideIntegersKeepTheirValues(_ bits: Int, _ isBigEndian: Bool) throws
    {
        for isLinear in [false, true] {
            let (dng, numbers) = wide(bits, isLinear: isLinear, isBigEndian: isBigEndian)
            let deflated = try CopiedTagTests.converted(dng.file)
            let middle = TIFFContents(deflated)
            let tags = middle.directory(at: middle.first)
            #expect(middle.integers(tags[259]) == [8])
            #expect(middle.integers(tags[317]) == [2])
            #expect(middle.integers(tags[258]).allSatisfy { $0 == 32 })
            // The white level stays that of the source's bits.
            let white = try DNGFile(bytes: deflated).metadata.whiteLevel
            #expect(white == 65_535)
            if bits == 24 { #expect(middle.integers(tags[50_717]).allSatisfy { $0 == 1 << 24 - 1 }) }
            #expect(
                try DNGFile(bytes: deflated).storedSamples().codes == DNGFile(bytes: dng.file).storedSamples().codes)
            let plain = TIFFContents(try CopiedTagTests.converted(deflated) { $0.storage = .uncompressed })
            let last = plain.directory(at: plain.first)
            let start = plain.integers(last[273])[0]
            let found = (0..<480).map { index -> UInt32 in
                let bytes = plain.bytes[start + 4 * index..<start + 4 * index + 4]
                return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
            }
            #expect(found == numbers)
            // Without compression, also those of 24 bits keep their bytes.
            let copy = TIFFContents(try CopiedTagTests.converted(dng.file) { $0.storage = .uncompressed })
            let strip = copy.integers(copy.directory(at: copy.first)[273])[0]
            #expect(Array(copy.bytes[strip..<strip + dng.parts[0].count]) == dng.parts[0])
        }
    }

    @Test(arguments: [24, 32]) func wideIntegersOfFewerBitsTakeTheirLevelsAlong(_ bits: Int) throws {
        var (dng, _) = wide(bits, isLinear: false, isBigEndian: false)
        let most = UInt32(1 << bits - 1)
        (dng.tags[50_714], dng.tags[50_717]) = (.longs([most / 1024]), .longs([most / 2]))
        let before = try DNGFile(bytes: dng.file)
        let changes = [
            { (transcoder: inout DNGTranscoder) in transcoder.bitDepth = 16 },
            { transcoder in (transcoder.storage, transcoder.bitDepth) = (.jpegXL(), 16) },
            { transcoder in (transcoder.storage, transcoder.bitDepth) = (.uncompressed, 16) },
            { transcoder in transcoder.bitDepth = 12 },
        ]
        for (index, change) in changes.enumerated() {
            let copy = try DNGFile(bytes: try CopiedTagTests.converted(dng.file, change))
            #expect(copy.main?.bitsPerSample == (index == 3 ? 12 : 16))
            #expect(abs(copy.metadata.blackLevel[0] - before.metadata.blackLevel[0]) < 0.01)
            #expect(copy.metadata.whiteLevel == before.metadata.whiteLevel)
            let (old, new) = (try before.mosaic().codes, try copy.mosaic().codes)
            #expect(zip(old, new).allSatisfy { abs(Int($0) - Int($1)) <= (index == 3 ? 300 : 0) })
        }
    }

    @Test func wideIntegersAreNotRoundedUnasked() throws {
        let file = wide(32, isLinear: false, isBigEndian: false).dng.file
        let error = #expect(throws: DNGError.self) { try CopiedTagTests.converted(file) { $0.storage = .jpegXL() } }
        #expect(error?.message.contains("--bits 16") == true, "\(error?.message ?? "")")
        #expect(throws: DNGError.self) {
            try CopiedTagTests.converted(file) { $0.storage = .losslessJPEG(predictor: 7) }
        }
    }
}
