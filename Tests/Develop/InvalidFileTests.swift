import DNG
import Develop
import Foundation
import RawImage
import Testing

/// Tests of incomplete files: missing metadata is reported, invalid metadata is rejected, and nothing traps.
@Suite struct InvalidFileTests {
    /// A small mosaic file with complete metadata.
    private var whole: HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 8, height: 6, bits: 8)
        dng.parts = [(0..<48).map { UInt8(40 + $0 * 3) }]
        dng.tags[274] = .shorts([1])
        dng.tags[50_714] = .shorts([10])
        dng.tags[50_717] = .shorts([250])
        dng.tags[50_721] = .signedRationals([9, 10, -3, 10, -1, 10, -4, 10, 12, 10, 2, 10, 0, 1, 2, 10, 6, 10])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 3, 5])
        dng.tags[51_041] = .doubles([1e-4, 1e-6])
        return dng
    }

    private func filter(_ dng: HandmadeDNG, look: RAWFilter.Look = .file) throws -> RAWFilter {
        try RAWFilter(file: try DNGFile(bytes: dng.file), look: look)
    }

    @Test func aWholeFileNeedsNoWarning() throws {
        #expect(try filter(whole).warnings.isEmpty)
    }

    @Test(arguments: [
        (274, "Orientation", "upright"), (50_714, "BlackLevel", "taken as 0"), (50_717, "WhiteLevel", "largest code"),
        (50_728, "AsShotNeutral", "D55"), (50_721, "matrices", "sRGB"), (51_041, "noise", "profile"),
    ])
    func missingTagsAreReported(tag: UInt16, name: String, instead: String) throws {
        var dng = whole
        dng.tags[tag] = nil
        let filter = try filter(dng)
        #expect(filter.warnings.count == 1)
        #expect(filter.warnings.allSatisfy { $0.contains(name) && $0.contains(instead) }, "\(filter.warnings)")
        #expect(try filter.picture().width == 8)
    }

    @Test func skippedOpcodesAreReported() throws {
        func words(_ numbers: UInt32...) -> [UInt8] {
            numbers.flatMap { number in (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        }
        var dng = whole
        // The list has two optional opcodes of one kind, and a mandatory one that is unknown.
        let optional = words(14, 0x0106_0000, 1, 0)
        dng.tags[51_009] = .undefined(words(3) + optional + optional + words(77, 0x0103_0000, 0, 0))
        let warnings = try filter(dng).warnings
        #expect(warnings.count == 2, "\(warnings)")
        #expect(warnings.contains("WarpRectilinear2 of OpcodeList2 is not done"))
        #expect(warnings.contains { $0.hasPrefix("opcode 77 of OpcodeList2 is not done, though") })
    }

    private static let senseless: [(tag: UInt16, values: HandmadeDNG.Values)] = [
        (50_717, .shorts([0])), (50_717, .shorts([10])), (50_714, .floats([.nan])),
        (50_728, .rationals([1, 0, 1, 1, 1, 1])),
        (50_728, .rationals([1, 1])),
        (50_721, .signedRationals([Int32](repeating: 0, count: 18))),
        (50_721, .signedRationals((0..<18).map { $0 % 2 == 0 ? Int32($0) : 1 })),
        (50_722, .doubles([1, 0, 0, 0, .infinity, 0, 0, 0, 1])),
    ]

    @Test(arguments: senseless.indices) func invalidValuesAreRejected(_ index: Int) throws {
        var dng = whole
        dng.tags[Self.senseless[index].tag] = Self.senseless[index].values
        #expect(throws: (any Error).self) { try filter(dng) }
        #expect(throws: (any Error).self) { try filter(dng, look: .none) }
    }

    /// A file's invalid look is rejected only if it is requested; the photo itself is still usable.
    @Test func invalidLooksAreRejected() throws {
        func gains(_ value: Float) -> [UInt8] {
            func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
                (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
            let places = [1.0, 1, 0, 0].flatMap { bytes($0.bitPattern) }
            let numbers: [Float] = [0.25, 0.5, 0.25, 0, 0, value]
            let one = bytes(UInt32(1))
            return one + one + places + one + numbers.flatMap { bytes($0.bitPattern) }
        }
        var good = whole
        good.tags[52_525] = .undefined(gains(2))
        #expect(try filter(good).recipe.gainTableMap != nil)
        for (tag, values): (UInt16, HandmadeDNG.Values) in [
            (52_525, .undefined(gains(.nan))), (50_940, .floats([0, 0, 0.5, .nan, 1, 1])),
            (50_730, .signedRationals([1000, 1])),
        ] {
            var dng = whole
            dng.tags[tag] = values
            let failure = #expect(throws: DevelopError.self) { try filter(dng) }
            #expect(failure?.code == .badPicture && failure?.message.contains("another look") == true)
            #expect(try filter(dng, look: .none).picture().width == 8)
            #expect(try filter(dng, look: .automatic).picture().width == 8)
        }
    }

    /// Opens and renders the fuzzing corpus, each file unchanged and with single bits flipped.
    @Test func fuzzingCorpusDoesNotTrap() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/Renderer/Corpus").standardizedFileURL
        var pictures = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            for bit in stride(from: -1, to: bytes.count * 8, by: 101) {
                var changed = bytes
                if bit >= 0 { changed[bit / 8] ^= 1 << UInt8(bit % 8) }
                guard let file = try? DNGFile(bytes: changed),
                    file.images.allSatisfy({ $0.width * $0.height <= 1 << 12 }),
                    let filter = try? RAWFilter(file: file)
                else { continue }
                if let picture = try? filter.picture(color: PictureColor(.rec2020, .pq), fitting: (5, 4)) {
                    #expect(picture.samples.count > 0)
                    pictures += 1
                }
            }
        }
        #expect(pictures > 100)
    }
}
