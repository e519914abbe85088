import PictureFiles
import RawImage
import Testing

@Suite("JPEG files")
struct JPEGFileTests {
    @Test("contain Exif, XMP and ICC profile before the scan, and no JFIF segment")
    func segments() throws {
        var encoding = PictureEncoding(.jpeg)
        encoding.metadata = TestScene.metadata()
        let file = FileBytes(try encoding.encode(TestScene.bytes()))
        let markers = try file.segments().map(\.marker)
        #expect(markers.starts(with: [0xE1, 0xE1, 0xE2]) && !markers.contains(0xE0))
        #expect(file.offsets(of: "ICC_PROFILE").count == 1)
    }

    @Test("contain the capture settings in Exif")
    func exif() throws {
        var encoding = PictureEncoding(.jpeg)
        encoding.metadata = TestScene.metadata(orientation: 8)
        let file = FileBytes(try encoding.encode(TestScene.bytes()))
        let base = try #require(file.offsets(of: "Exif").first) + 6
        let first = try file.directory(8, base: base)
        #expect(try file.number(#require(first[0x0112]).offset, 2) == 8)
        let shot = try file.directory(file.number(#require(first[0x8769]).offset, 4), base: base)
        let time = try #require(shot[0x829A]).offset
        #expect(try file.number(time, 4) == 1 && file.number(time + 4, 4) == 125)
        let opening = try #require(shot[0x829D]).offset
        #expect(try file.number(opening, 4) == 9 && file.number(opening + 4, 4) == 5)
        #expect(try file.number(#require(shot[0x8827]).offset, 2) == 320)
        #expect(try file.number(#require(shot[0xA461]).offset, 2) == 7)
    }

    @Test("store an ISO sensitivity beyond 16 bits")
    func highSensitivity() throws {
        var encoding = PictureEncoding(.jpeg)
        var metadata = TestScene.metadata()
        metadata.iso = 102_400
        encoding.metadata = metadata
        let file = FileBytes(try encoding.encode(TestScene.bytes()))
        let base = try #require(file.offsets(of: "Exif").first) + 6
        let first = try file.directory(8, base: base)
        let shot = try file.directory(file.number(#require(first[0x8769]).offset, 4), base: base)
        #expect(try file.number(#require(shot[0x8827]).offset, 2) == 65_535)
        #expect(try file.number(#require(shot[0x8833]).offset, 4) == 102_400)
    }

    @Test("contain the gain map at the indexed offset, with the standard's metadata")
    func gainMap() throws {
        var encoding = PictureEncoding(.jpeg)
        encoding.hdr = try TestScene.linear()
        let file = FileBytes(try encoding.encode(TestScene.bytes()))
        let base = try #require(file.offsets(of: "MPF").first) + 4
        let index = try file.directory(8, base: base)
        let entries = try #require(index[0xB002]).offset
        let (primarySize, mapSize) = (try file.number(entries + 4, 4), try file.number(entries + 20, 4))
        let map = base + (try file.number(entries + 24, 4))
        #expect(map == primarySize && map + mapSize == file.bytes.count)
        #expect(file.bytes[primarySize - 2..<primarySize] == [0xFF, 0xD9])
        #expect(file.bytes[map..<map + 2] == [0xFF, 0xD8])
        let marks = file.offsets(of: "urn:iso:std:iso:ts:21496:-1")
        #expect(marks.count == 2 && marks[0] < map && marks[1] > map)
        // The gain map's metadata (ISO 21496-1) follows its identifier: the version, the flags (three channels) and the
        // headroom, which equals the greatest gain.
        let payload = marks[1] + 28
        #expect(file.bytes[payload + 4] == 0xC0)
        let headroom = Double(try file.number(payload + 13, 4, bigEndian: true)) / 1e6
        let most = Double(try file.number(payload + 29, 4, bigEndian: true)) / 1e6
        #expect(headroom == most && (3...4).contains(most))
        #expect(!file.offsets(of: "Item:Length=\"\(mapSize)\"").isEmpty)
    }

    @Test("have a valid restart interval at large widths", arguments: [16_384, 32_768, 65_500])
    func wide(width: Int) throws {
        for quality in [0.5, 1] {
            var encoding = PictureEncoding(.jpeg)
            encoding.quality = quality
            let picture = try Picture(
                width: width, height: 130, color: .sRGB,
                samples: .bytes([UInt8](repeating: 90, count: width * 130 * 3)))
            let file = FileBytes(try encoding.encode(picture))
            // The restart interval covers whole rows of MCUs.
            let restarts = try #require(file.segments().first { $0.marker == 0xDD })
            let blocks = try file.number(restarts.start, 2, bigEndian: true)
            let inRow = (width + (quality == 1 ? 7 : 15)) / (quality == 1 ? 8 : 16)
            #expect(blocks > 0 && blocks % inRow == 0)
        }
    }

    @Test("are equal for 8-bit and 16-bit samples")
    func samples() throws {
        let bytes = try TestScene.bytes()
        guard case .bytes(let values) = bytes.samples else { return }
        let words = try Picture(
            width: bytes.width, height: bytes.height, color: .sRGB, samples: .words(values.map { UInt16($0) * 257 }))
        let isSame = try PictureEncoding(.jpeg).encode(bytes) == PictureEncoding(.jpeg).encode(words)
        #expect(isSame)
    }
}
