import PictureFiles
import RawImage
import Testing

/// The structure of WebP files; Tests/Conformance decodes them with independent readers.
@Suite(.timeLimit(.minutes(10))) struct WebPTests {
    /// Returns the chunks of a file: the type, and the payload's offset and size.
    private func chunks(_ file: FileBytes) throws -> [(name: String, start: Int, count: Int)] {
        #expect(file.offsets(of: "RIFF").first == 0 && file.offsets(of: "WEBP").first == 8)
        #expect(try file.number(4, 4) == file.bytes.count - 8)
        var chunks: [(name: String, start: Int, count: Int)] = []
        var at = 12
        while at < file.bytes.count {
            let count = try file.number(at + 4, 4)
            chunks.append((String(decoding: file.bytes[at..<at + 4], as: UTF8.self), at + 8, count))
            at += 8 + count + count % 2
        }
        #expect(at == file.bytes.count)
        return chunks
    }

    @Test(arguments: [(0.5, "VP8 "), (0.97, "VP8 "), (1, "VP8L")])
    func aFileHasItsProfilePixelsAndMetadata(quality: Double, pixels: String) throws {
        var encoding = PictureEncoding(.webp)
        encoding.quality = quality
        encoding.metadata = TestScene.metadata()
        encoding.lensProfile = "Lens & Sons 50mm"
        let file = FileBytes(try encoding.encode(TestScene.bytes(.displayP3, width: 31, height: 17)))
        let chunks = try chunks(file)
        #expect(chunks.map(\.name) == ["VP8X", "ICCP", pixels, "EXIF", "XMP "])
        let header = chunks[0].start
        #expect(try file.number(header, 4) == 0x2C)
        #expect(try [file.number(header + 4, 3), file.number(header + 7, 3)] == [30, 16])
        #expect(file.offsets(of: "<gscap:LensProfile>Lens &amp; Sons 50mm<").count == 1)
    }

    @Test func withoutMetadataAFileHasItsProfileAlone() throws {
        let file = FileBytes(try PictureEncoding(.webp).encode(TestScene.bytes(width: 16, height: 16)))
        #expect(try chunks(file).map(\.name) == ["VP8X", "ICCP", "VP8 "])
    }

    @Test(arguments: [(16_383, true), (16_384, false)]) func sidesAreLimited(width: Int, isStored: Bool) throws {
        let picture = try TestScene.bytes(width: width, height: 1)
        guard !isStored else {
            #expect(try PictureEncoding(.webp).encode(picture).count > 100)
            return
        }
        do throws(PictureFileError) {
            _ = try PictureEncoding(.webp).encode(picture)
            Issue.record("a picture of \(width) pixels was stored")
        } catch {
            #expect(error.code == .unsupported && error.message.contains("16383"), "\(error)")
        }
    }

    @Test func theCallbackCancels() throws {
        let picture = try TestScene.bytes()
        #expect(throws: PictureFileError.self) { try PictureEncoding(.webp).encode(picture) { $0 < 0.3 } }
    }
}
