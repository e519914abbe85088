import DNG
import RawImage
import Testing

/// Tests of the original raw file in a DNG (OriginalRawFileData).
@Suite struct OriginalRawFileTests {
    private func original(_ count: Int) -> [UInt8] {
        var dice = Dice(seed: UInt64(count) + 3)
        return (0..<count).map { $0 % 300 < 100 ? 7 : UInt8(truncatingIfNeeded: dice.next() >> 16) }
    }

    private func photo(with original: [UInt8], name: String = "DSC_0001.NEF") throws -> DNGData {
        try HandmadeCameraRaw().onDisk(original, name: name) { path in
            let mosaic = try TestPictures.mosaic(61, 43)
            return try DNGWriter().encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
                .embedding(OriginalRawFile(path: path), serial: "0042")
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_001])
    func itIsReturnedByteForByte(_ count: Int) throws {
        let file = try DNGFile(photo(with: original(count)))
        let found = try file.originalRawFile()
        #expect(found.name == "DSC_0001.NEF")
        #expect(found.bytes == original(count))
        #expect(file.verification().verdict == .sound, "\(file.verification().problems)")
        #expect(try file.mosaic().codes == TestPictures.mosaic(61, 43).codes)
    }

    @Test func theCameraSerialNumberIsAdded() throws {
        let bytes = try photo(with: [1, 2, 3]).bytes
        #expect(bytes.indices.contains { bytes[$0...].starts(with: "0042".utf8) })
    }

    @Test func damageIsFound() throws {
        let whole = try photo(with: original(200_000)).bytes
        // The value of the tag is the longest part, near the end.
        var flipped = whole
        flipped[whole.count - 60_000] ^= 1
        var file = try DNGFile(bytes: flipped)
        #expect(file.verification().verdict == .damaged)
        let error = #expect(throws: DNGError.self) { try file.originalRawFile() }
        #expect(error?.code == .damaged)
        file.acceptsDamage = true
        // The block may still be decoded, or not.
        _ = try? file.originalRawFile()
    }

    @Test func changedValuesAreErrorsAtMost() throws {
        let whole = try photo(with: original(2000)).bytes
        var dice = Dice(seed: 11)
        for _ in 0..<300 {
            var changed = whole
            let start = max(0, whole.count - 2600)
            for _ in 0..<3 {
                changed[Int.random(in: start..<whole.count, using: &dice)] = UInt8(truncatingIfNeeded: dice.next())
            }
            guard var file = try? DNGFile(bytes: changed) else { continue }
            file.acceptsDamage = true
            _ = try? file.originalRawFile()
        }
    }

    @Test func aFileWithoutOneSaysSo() throws {
        let file = try DNGFile(bytes: DNGWriter().encode(TestPictures.mosaic(61, 43)))
        let error = #expect(throws: DNGError.self) { try file.originalRawFile() }
        #expect(error?.code == .noSuchImage)
    }

    @Test func aNameNeverLeavesTheFolder() throws {
        var dng = HandmadeDNG.bayer(width: 16, height: 16, bits: 8)
        dng.parts = [[UInt8](repeating: 50, count: 256)]
        dng.tags[50_828] = .undefined([UInt8](repeating: 0, count: 32))
        for (name, expected) in [("../../a.nef", "a.nef"), ("..", "original.raw"), ("C:\\b.nef", "b.nef")] {
            dng.tags[50_827] = .text(name)
            #expect(try DNGFile(bytes: dng.file).originalRawFile().name == expected)
        }
    }
}
