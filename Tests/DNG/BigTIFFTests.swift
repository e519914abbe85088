import DNG
import RawImage
import Testing

/// Tests of files with 64-bit offsets (BigTIFF).
@Suite(.timeLimit(.minutes(10))) struct BigTIFFTests {
    @Test(arguments: TestFiles.Kind.allCases) func equalsClassicFile(_ kind: TestFiles.Kind) throws {
        let classic = try TestFiles.file(kind)
        let (plain, big) = (try DNGFile(bytes: classic), try DNGFile(bytes: BigTIFFCopy.of(classic)))
        #expect(big.images.map(\.kind) == plain.images.map(\.kind))
        #expect(try big.storedSamples().codes == plain.storedSamples().codes)
        var (expected, found) = (plain.metadata, big.metadata)
        (expected.history, found.history) = (FileHistory(), FileHistory())
        #expect(found == expected)
        #expect(big.recipe == plain.recipe)
        #expect(try big.mattes().count == plain.mattes().count)
        #expect(DNGSummary(big).fields.first?.text.contains("BigTIFF") == true)
    }

    @Test(arguments: [false, true]) func handmade(isBigEndian: Bool) throws {
        var dng = HandmadeDNG.bayer(width: 4, height: 2, bits: 16, isBigEndian: isBigEndian)
        let codes: [UInt16] = [1, 2, 3, 4, 500, 600, 700, 65_535]
        dng.parts = [dng.bytes(codes)]
        #expect(try DNGFile(bytes: BigTIFFCopy.of(dng.file)).mosaic().codes == codes)
    }

    /// Each byte of the directories replaced by others, and each cut of the file, does not make the reader trap.
    @Test func hostileNumbersAreSurvived() {
        var dng = HandmadeDNG.bayer(width: 2, height: 1, bits: 8)
        dng.parts = [[3, 200]]
        dng.tags[50_714] = .rationals([1, 1])
        dng.children = [34_665: [.directory([33_434: .rationals([1, 60])])]]
        let file = BigTIFFCopy.of(dng.file)
        func read(_ bytes: [UInt8]) {
            guard let file = try? DNGFile(bytes: bytes) else { return }
            _ = try? file.mosaic()
            _ = file.verify()
        }
        for index in file.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var changed = file
                changed[index] = value
                read(changed)
            }
            // All eight bytes of a count or an offset.
            if index + 8 <= file.count {
                var changed = file
                changed.replaceSubrange(index..<index + 8, with: [UInt8](repeating: 0xFF, count: 8))
                read(changed)
                changed[index + 7] = 0x7F
                read(changed)
            }
            read(Array(file.prefix(index)))
        }
    }
}
