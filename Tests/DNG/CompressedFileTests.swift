import DNG
import LosslessJPEG
import RawImage
import Testing

/// Tests of decoding pixels in every compression of DNG.
@Suite struct CompressedFileTests {
    private func codes(_ count: Int, bits: Int) -> [UInt16] {
        var dice = Dice(seed: UInt64(count * 17 + bits))
        return (0..<count).map { _ in UInt16(truncatingIfNeeded: dice.next()) >> UInt16(16 - bits) }
    }

    private func linear(width: Int, height: Int, bits: Int, isBigEndian: Bool = false) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: width, height: height, bits: bits, isBigEndian: isBigEndian)
        dng.tags[258] = .shorts([UInt16(bits), UInt16(bits), UInt16(bits)])
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([3])
        (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        return dng
    }

    // MARK: Lossless JPEG

    /// Tiles at the right and bottom edges are padded; with two components, a JPEG pixel is two columns of the mosaic.
    @Test(arguments: [8, 10, 12, 14, 16], [1, 2])
    func losslessTilesOfOneAndTwoComponents(bits: Int, components: Int) throws {
        let (width, height) = (40, 24)
        let picture = codes(width * height, bits: bits)
        var dng = HandmadeDNG.bayer(width: width, height: height, bits: bits)
        (dng.tags[259], dng.tags[278]) = (.shorts([7]), nil)
        (dng.tags[322], dng.tags[323]) = (.shorts([32]), .shorts([16]))
        dng.isTiled = true
        let frame = LosslessJPEGFrame(width: 32 / components, height: 16, components: components, precision: bits)
        dng.parts = try [(0, 0), (0, 32), (16, 0), (16, 32)].map { top, left in
            let tile = (0..<512).map { i -> UInt16 in
                let (row, column) = (top + i / 32, left + i % 32)
                return row < height && column < width ? picture[row * width + column] : 0
            }
            return try TestCodecs.losslessJPEG(tile, frame)
        }
        #expect(try DNGFile(bytes: dng.file).mosaic().codes == picture)
    }

    @Test(arguments: 1...7)
    func losslessStripsOfEveryPredictor(predictor: Int) throws {
        let (width, height) = (19, 21)
        let picture = codes(width * height * 3, bits: 12)
        var dng = linear(width: width, height: height, bits: 12, isBigEndian: true)
        (dng.tags[259], dng.tags[278]) = (.shorts([7]), .shorts([8]))
        dng.parts = try [0..<8, 8..<16, 16..<21].map { rows in
            let frame = LosslessJPEGFrame(
                width: width, height: rows.count, components: 3, precision: 12, predictor: predictor)
            return try TestCodecs.losslessJPEG(
                Array(picture[rows.lowerBound * width * 3..<rows.upperBound * width * 3]), frame)
        }
        #expect(try DNGFile(bytes: dng.file).storedSamples().codes == picture)
    }

    /// Two rows of a mosaic may be stored as one row of a lossless JPEG, so that samples of the same colour predict
    /// each other.
    @Test func onlyTheNumberOfSamplesMustMatch() throws {
        let picture = codes(16 * 8, bits: 14)
        var dng = HandmadeDNG.bayer(width: 16, height: 8, bits: 14)
        dng.tags[259] = .shorts([7])
        dng.parts = [
            try TestCodecs.losslessJPEG(picture, LosslessJPEGFrame(width: 16, height: 4, components: 2, precision: 14))
        ]
        #expect(try DNGFile(bytes: dng.file).mosaic().codes == picture)
    }

    @Test func streamMayBeLargerThanItsStripButNotSmaller() throws {
        let picture = codes(16 * 9, bits: 10)
        var dng = HandmadeDNG.bayer(width: 15, height: 8, bits: 10)
        dng.tags[259] = .shorts([7])
        let larger = LosslessJPEGFrame(width: 16, height: 9, components: 1, precision: 10)
        dng.parts = [try TestCodecs.losslessJPEG(picture, larger)]
        let read = try DNGFile(bytes: dng.file).mosaic().codes
        let visible = (0..<8).flatMap { (row: Int) -> ArraySlice<UInt16> in picture[row * 16..<row * 16 + 15] }
        #expect(read == visible)
        let smaller = LosslessJPEGFrame(width: 14, height: 8, components: 1, precision: 10)
        dng.parts = [try TestCodecs.losslessJPEG(Array(picture.prefix(112)), smaller)]
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file).mosaic() }
        #expect(error?.message.contains("strip 0") == true)
    }

    @Test func truncatedTileIsReported() throws {
        let picture = codes(32 * 16, bits: 12)
        var dng = HandmadeDNG.bayer(width: 32, height: 32, bits: 12)
        (dng.tags[259], dng.tags[278]) = (.shorts([7]), nil)
        (dng.tags[322], dng.tags[323]) = (.shorts([32]), .shorts([16]))
        dng.isTiled = true
        let frame = LosslessJPEGFrame(width: 32, height: 16, components: 1, precision: 12)
        let tile = try TestCodecs.losslessJPEG(picture, frame)
        dng.parts = [tile, Array(tile.prefix(tile.count / 2))]
        let file = try DNGFile(bytes: dng.file)
        let error = #expect(throws: DNGError.self) { try file.mosaic() }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("tile 1") == true)
        #expect(file.verify().contains { $0.severity == .error && $0.message.contains("tile 1") })
    }

    // MARK: Deflate

    @Test(arguments: [(8, false), (16, false), (16, true)], [(1, 0), (2, 1), (34_892, 2), (34_893, 4)])
    func deflatedWholeNumbers(kind: (bits: Int, isBigEndian: Bool), predictor: (number: Int, step: Int)) throws {
        let (width, height, (bits, isBigEndian)) = (11, 5, kind)
        let picture = codes(width * height * 3, bits: bits)
        var dng = linear(width: width, height: height, bits: bits, isBigEndian: isBigEndian)
        (dng.tags[259], dng.tags[317]) = (.shorts([8]), .shorts([UInt16(predictor.number)]))
        var differences = picture
        let reach = predictor.step == 0 ? 0 : width / predictor.step * predictor.step * 3
        for row in 0..<height {
            for i in stride(from: predictor.step * 3, to: reach, by: 1) {
                let index = row * width * 3 + i
                differences[index] = picture[index] &- picture[index - predictor.step * 3]
            }
        }
        let bytes = bits == 16 ? dng.bytes(differences) : differences.map { UInt8(truncatingIfNeeded: $0) }
        dng.parts = [TestCodecs.deflated(bytes)]
        #expect(try DNGFile(bytes: dng.file).storedSamples().codes == picture)
    }

    @Test(
        arguments: [(16, false), (16, true), (24, false), (24, true), (32, false), (32, true)],
        [(1, 0), (3, 1), (34_894, 2), (34_895, 4)])
    func deflatedFloats(kind: (bits: Int, isBigEndian: Bool), predictor: (number: Int, step: Int)) throws {
        let (width, height, (bits, isBigEndian)) = (9, 4, kind)
        let size = bits / 8
        var dng = HandmadeDNG.bayer(width: width, height: height, bits: bits, isBigEndian: isBigEndian)
        (dng.tags[259], dng.tags[339]) = (.shorts([8]), .shorts([3]))
        (dng.tags[317], dng.tags[50_717]) = (.shorts([UInt16(predictor.number)]), .shorts([2]))
        let values = (0..<width * height).map { Float($0) / 16 }
        // The bytes of each floating-point number, most significant first.
        let numbers = values.map { Self.bytes($0, bits: bits) }
        var stored: [UInt8] = []
        for row in 0..<height {
            let line = Array(numbers[row * width..<(row + 1) * width])
            let reach = predictor.step == 0 ? 0 : width / predictor.step * predictor.step
            var planes = (0..<size).flatMap { byte in line[..<reach].map { $0[byte] } }
            for i in stride(from: planes.count - 1, through: max(predictor.step, 1), by: -1) {
                planes[i] = planes[i] &- planes[i - predictor.step]
            }
            stored += planes + line[reach...].flatMap { isBigEndian ? $0 : $0.reversed() }
        }
        dng.parts = [TestCodecs.deflated(stored)]
        let mosaic = try DNGFile(bytes: dng.file).mosaic()
        // The floating-point WhiteLevel 2 becomes code 65535; brighter samples are clipped.
        #expect(mosaic.codes == values.map { UInt16(min(65_535, $0 * (65_535 / 2)).rounded()) })
        #expect(mosaic.metadata.whiteLevel == 65_535)
    }

    private static func bytes(_ value: Float, bits: Int) -> [UInt8] {
        let pattern: UInt32 =
            switch bits {
            case 16: UInt32(Float16(value).bitPattern)
            // A 24-bit float: 7 exponent bits with bias 63, and the high 16 mantissa bits of the 32-bit float.
            case 24:
                value == 0
                    ? 0 : ((value.bitPattern >> 23 & 255) - 64) << 16 | (value.bitPattern & 0x7F_FFFF) >> 7
            default: value.bitPattern
            }
        return (0..<bits / 8).reversed().map { UInt8(truncatingIfNeeded: pattern >> (8 * UInt32($0))) }
    }

    @Test func floatsThatAreNoNumbersAreSurvived() throws {
        var dng = HandmadeDNG.bayer(width: 6, height: 1, bits: 32)
        dng.tags[339] = .shorts([3])
        let values: [Float] = [.nan, .infinity, -.infinity, -1, 0.5, 3e38]
        dng.parts = [values.flatMap { Array(Self.bytes($0, bits: 32).reversed()) }]
        #expect(try DNGFile(bytes: dng.file).mosaic().codes == [0, 65_535, 0, 0, 32_768, 65_535])
    }

    @Test func deflatedBytesThatEndEarlyAreNamed() throws {
        var dng = HandmadeDNG.bayer(width: 16, height: 16, bits: 16)
        dng.tags[259] = .shorts([8])
        dng.parts = [TestCodecs.deflated([UInt8](repeating: 7, count: 511))]
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file).mosaic() }
        #expect(error?.message.contains("511 of 512") == true)
    }

    // MARK: JPEG and JPEG XL

    @Test func lossyJPEGOfOneSample() throws {
        var dng = HandmadeDNG.bayer(width: 16, height: 8, bits: 8)
        dng.tags[259] = .shorts([34_892])
        dng.parts = [TestCodecs.greyJPEG]
        let codes = try DNGFile(bytes: dng.file).mosaic().codes
        #expect(codes == (0..<128).map { $0 % 16 < 8 ? 40 : 200 })
    }

    @Test func lossyJPEGOfThreeSamplesThroughATable() throws {
        var dng = linear(width: 8, height: 8, bits: 8)
        dng.tags[259] = .shorts([34_892])
        dng.tags[50_712] = .shorts((0..<256).map { UInt16($0 * 257) })
        dng.parts = [TestCodecs.colorJPEG]
        let file = try DNGFile(bytes: dng.file)
        let stored = try file.storedSamples()
        for (code, wanted) in zip(stored.codes.prefix(3), [200, 100, 50]) { #expect(abs(Int(code) - wanted) <= 2) }
        #expect(stored.linearizationTable.count == 256)
        #expect(try file.linearImage().values[0] == stored.codes[0] * 257)
    }

    /// JPEG tables common to many strips may be in the JPEGTables tag.
    @Test func sharedJPEGTablesAreUsed() throws {
        var dng = HandmadeDNG.bayer(width: 16, height: 8, bits: 8)
        dng.tags[259] = .shorts([34_892])
        let jpeg = TestCodecs.greyJPEG
        let frame = try #require(
            (2..<jpeg.count - 1).first { (index: Int) -> Bool in
                jpeg[index] == 0xFF && jpeg[index + 1] == 0xC0
            })
        dng.tags[347] = .undefined(Array(jpeg[..<frame]) + [0xFF, 0xD9])
        dng.parts = [[0xFF, 0xD8] + jpeg[frame...]]
        #expect(try DNGFile(bytes: dng.file).mosaic().codes.first == 40)
        dng.tags[347] = .undefined([UInt8](repeating: 0, count: 300))
        dng.parts = [jpeg]
        let file = try DNGFile(bytes: dng.file)
        #expect(try file.mosaic().codes.first == 40)
        #expect(file.verify().contains { $0.message.contains("JPEGTables") })
    }

    @Test func previewsAreDecodedAndReturnedAsJPEG() throws {
        var dng = HandmadeDNG.bayer(width: 2, height: 2, bits: 8)
        dng.parts = [[1, 2, 3, 4]]
        var preview = linear(width: 8, height: 8, bits: 8)
        preview.tags[254] = .longs([1])
        preview.tags[259] = .shorts([7])
        preview.tags[262] = .shorts([6])
        preview.parts = [TestCodecs.colorJPEG]
        var grey = HandmadeDNG.bayer(width: 3, height: 1, bits: 8)
        grey.tags[254] = .longs([0x10001])
        grey.tags[262] = .shorts([1])
        grey.parts = [[9, 8, 7]]
        dng.children[330] = [preview, grey]
        let file = try DNGFile(bytes: dng.file)
        #expect(file.images.map(\.kind) == [.bayer, .preview, .preview])
        let decoded = try file.preview()
        #expect((decoded.width, decoded.height) == (8, 8))
        for (value, wanted) in zip(decoded.rgb.prefix(3), [200, 100, 50]) { #expect(abs(Int(value) - wanted) <= 2) }
        #expect(try file.previewJPEG() == TestCodecs.colorJPEG)
        #expect(try file.preview(file.images[2]).rgb == [9, 9, 9, 8, 8, 8, 7, 7, 7])
        #expect(try file.previewJPEG(file.images[2]) == nil)
    }

    /// Returns the codes of an 8×8 gradient that increases by `down` per row and `across` per column.
    private func ramp(down: Int, across: Int) -> [UInt16] {
        (0..<64).map { pixel in
            let (row, column) = (pixel / 8, pixel % 8)
            return UInt16(row * down + column * across)
        }
    }

    @Test func jpegXLOfEachDepth() throws {
        var dng = HandmadeDNG.bayer(width: 8, height: 8, bits: 16)
        dng.tags[259] = .shorts([52_546])
        dng.parts = [TestCodecs.jpegXL16]
        #expect(try DNGFile(bytes: dng.file).mosaic().codes == ramp(down: 8000, across: 700))
        dng.tags[258] = .shorts([8])
        dng.parts = [TestCodecs.jpegXL8]
        #expect(try DNGFile(bytes: dng.file).mosaic().codes == ramp(down: 30, across: 3))
        (dng.tags[258], dng.tags[339]) = (.shorts([16]), .shorts([3]))
        dng.parts = [TestCodecs.jpegXLFloat]
        let floats = ramp(down: 8, across: 1).map { Float($0) / 64 * 65_535 }
        #expect(try DNGFile(bytes: dng.file).mosaic().codes == floats.map { UInt16($0.rounded()) })
    }

    /// JPEG XL decoders scale 12-bit samples to 16 bits: the pixels of a file with BitsPerSample 12 are decoded as
    /// scaled codes, but the file fails `verify()`.
    @Test func jpegXLOfFewerBitsIsScaledAndReported() throws {
        var dng = HandmadeDNG.bayer(width: 8, height: 8, bits: 12)
        dng.tags[259] = .shorts([52_546])
        dng.parts = [TestCodecs.jpegXL12]
        let file = try DNGFile(bytes: dng.file)
        let wanted = ramp(down: 500, across: 60).map { Double($0) * 65_535 / 4095 }
        for (code, wanted) in zip(try file.storedSamples().codes, wanted) { #expect(abs(Double(code) - wanted) <= 1) }
        #expect(file.verify().contains { $0.severity == .error && $0.message.contains("it must be 16") })
    }

    // MARK: Arrangements

    @Test func planesAndFieldsAreInterleaved() throws {
        let picture = codes(5 * 4 * 3, bits: 8).map { UInt8($0) }
        var dng = linear(width: 5, height: 4, bits: 8)
        dng.tags[284] = .shorts([2])
        dng.parts = (0..<3).map { plane in stride(from: plane, to: 60, by: 3).map { picture[$0] } }
        #expect(try DNGFile(bytes: dng.file).storedSamples().codes == picture.map(UInt16.init))

        var fields = HandmadeDNG.bayer(width: 5, height: 4, bits: 8)
        (fields.tags[50_975], fields.tags[52_547]) = (.shorts([2]), .shorts([2]))
        let order = [0, 2, 1, 3].flatMap { row in [0, 2, 4, 1, 3].map { row * 5 + $0 } }
        fields.parts = [order.map { picture[$0] }]
        #expect(try DNGFile(bytes: fields.file).mosaic().codes == picture.prefix(20).map(UInt16.init))
    }

    /// A file of some hundred bytes that claims megapixels is rejected in every compression.
    @Test(arguments: [1, 7, 8, 34_892, 52_546])
    func pixelsThatTheBytesCannotHoldAreRefused(compression: UInt16) throws {
        var dng = linear(width: 65_000, height: 65_000, bits: compression == 1 ? 16 : 8)
        dng.tags[259] = .shorts([compression])
        dng.tags[278] = .longs([65_000])
        dng.parts = [[UInt8](repeating: 0, count: 100)]
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file).linearImage() }
        #expect(error?.message.contains("more than the file has bytes for") == true)
    }
}
