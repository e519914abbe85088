import DNG
import Foundation
import RawImage
import Testing

/// Regression tests on the fuzzing corpus, including inputs that once failed.
@Suite struct FuzzCorpusTests {
    private func corpus(_ name: String) throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/\(name)/Corpus").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
            try Array(Data(contentsOf: folder.appending(path: $0)))
        }
    }

    @Test func filesAreSurvived() throws {
        var opened = 0
        for bytes in try corpus("DNGReader") {
            guard let file = try? DNGFile(bytes: bytes) else { continue }
            opened += 1
            for image in file.images {
                _ = try? file.storedSamples(image)
                _ = try? file.mosaic(image)
                _ = try? file.xTransMosaic(image)
                _ = try? file.linearImage(image)
                _ = try? file.preview(image)
                _ = try? file.previewJPEG(image)
            }
            _ = try? file.mattes()
            _ = try? file.depthMap()
            _ = try? file.originalRawFile()
            for profile in file.profiles { _ = try? file.applying(profile) }
            _ = file.verify()
            _ = try? DNGTranscoder().encode(file)
        }
        #expect(opened >= TestFiles.Kind.allCases.count + OtherFiles.Kind.allCases.count)
    }

    /// The fuzzers start from a file of each kind that the reader decodes differently.
    @Test(arguments: ["DNGReader", "Renderer"]) func theCorpusHasEachKind(_ target: String) throws {
        let files = try corpus(target).compactMap { try? DNGFile(bytes: $0) }
        func has(_ condition: (DNGFile) -> Bool) -> Bool { files.contains(where: condition) }
        #expect(has { DNGSummary($0).fields.first?.text.contains("BigTIFF") == true })
        #expect(has { $0.main?.kind == .xTrans })
        #expect(has { $0.main?.isMonochrome == true })
        #expect(has { $0.main?.samplesPerPixel == 4 })
        #expect(has { $0.main?.bitsPerSample == 32 && $0.main?.isFloatingPoint == false })
        if target == "DNGReader" {
            #expect(has { $0.hasOriginal })
            #expect(has { $0.profiles.count > 1 })
            #expect(has { $0.verification().covered.contains("preview 1") })
        }
    }

    /// The fuzzing corpus of structured tags, with each bit flipped, does not make the reader trap: an input's first
    /// byte chooses the tag and the byte order, and the others are the tag's value, as in Fuzz/DNGLook.
    @Test func longTagsAreSurvived() throws {
        let tags: [UInt16] = [50_712, 50_940, 51_008, 51_009, 51_022, 52_525, 52_544, 51_041]
        for bytes in try corpus("DNGLook") {
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                if bit >= 8 { changed[bit / 8] ^= 1 << UInt8(bit % 8) }
                var dng = HandmadeDNG.bayer(width: 2, height: 1, bits: 8, isBigEndian: changed[0] >= 128)
                dng.parts = [[3, 200]]
                dng.tags[tags[Int(changed[0] & 127) % tags.count]] = .undefined(Array(changed.dropFirst()))
                guard let file = try? DNGFile(bytes: dng.file) else { continue }
                _ = try? file.mosaic()
                #expect(file.metadata.lens.shading.allSatisfy { $0.problem == nil })
                #expect(file.recipe.gainTableMap?.problem == nil)
            }
        }
    }
}
