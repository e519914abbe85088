import PictureFiles
import RawImage
import Testing

@Suite("Motion Photos")
struct MotionPhotoTests {
    private func jpeg(hasGainMap: Bool, hasMetadata: Bool = true) throws -> [UInt8] {
        var encoding = PictureEncoding(.jpeg)
        if hasMetadata { encoding.metadata = TestScene.metadata() }
        if hasGainMap { encoding.hdr = try TestScene.linear() }
        return try encoding.encode(TestScene.bytes())
    }

    private func still(_ jpeg: [UInt8]) throws -> [UInt8] {
        try MotionPhotoFile(jpeg: jpeg, movieSize: 12_345, stillTime: 1_500_000, software: "test").still()
    }

    @Test("state the movie's size and the still's time in the first description", arguments: [true, false])
    func packet(hasMetadata: Bool) throws {
        let jpeg = try jpeg(hasGainMap: false, hasMetadata: hasMetadata)
        let file = try still(jpeg)
        let text = String(decoding: file, as: UTF8.self)
        let start = try #require(text.ranges(of: "<rdf:Description").first)
        let tag = text[start.lowerBound...].prefix { $0 != ">" }
        #expect(tag.contains("GCamera:MotionPhoto=\"1\"") && tag.contains("GCamera:MotionPhotoVersion=\"1\""))
        #expect(tag.contains("GCamera:MotionPhotoPresentationTimestampUs=\"1500000\""))
        #expect(text.contains("Item:Semantic=\"MotionPhoto\" Item:Mime=\"video/mp4\" Item:Length=\"12345\""))
        #expect(text.ranges(of: "<Container:Directory>").count == 1)
        // The scan stays as it is.
        #expect(file.suffix(1000) == jpeg.suffix(1000))
        let markers = try FileBytes(file).segments().map(\.marker)
        #expect(markers.first == 0xE1)
    }

    @Test("keep the gain map, in front of the movie")
    func gainMap() throws {
        let jpeg = try jpeg(hasGainMap: true)
        let file = FileBytes(try still(jpeg))
        let base = try #require(file.offsets(of: "MPF").first) + 4
        let entries = try #require(try file.directory(8, base: base)[0xB002]).offset
        let (primarySize, mapSize) = (try file.number(entries + 4, 4), try file.number(entries + 20, 4))
        let map = base + (try file.number(entries + 24, 4))
        #expect(map == primarySize && map + mapSize == file.bytes.count)
        #expect(file.offsets(of: "xmlns:Container").count == 1)
        let semantics = ["Primary", "GainMap", "MotionPhoto"].map { name in
            file.offsets(of: "Item:Semantic=\"\(name)\"")
        }
        #expect(semantics.allSatisfy { $0.count == 1 })
        #expect(semantics.flatMap(\.self) == semantics.flatMap(\.self).sorted())
    }

    @Test("are refused for other files")
    func refusal() {
        #expect(throws: PictureFileError.self) { try still([1, 2, 3]) }
        #expect(throws: PictureFileError.self) { try still([]) }
        #expect(throws: (any Error).self) { try still([0xFF]) }
    }

    @Test("a still's maker note has the identifier of its movie", arguments: [PictureFormat.jpeg])
    func makerNote(format: PictureFormat) throws {
        var encoding = PictureEncoding(format)
        encoding.metadata = TestScene.metadata()
        encoding.contentIdentifier = "0F4E9A52-1111-4222-8333-444455556666"
        let file = FileBytes(try encoding.encode(TestScene.bytes()))
        let note = try #require(file.offsets(of: "Apple iOS").first)
        // One entry, of the tag 17, in big-endian order; its value's offset counts from the start of the note.
        let entry = Array(file.bytes[note + 14..<note + 14 + 14])
        #expect(entry == [0, 1, 0, 0x11, 0, 2, 0, 0, 0, 37, 0, 0, 0, 32])
        #expect(file.bytes[note + 32..<note + 68].elementsEqual(Array("0F4E9A52-1111-4222-8333-444455556666".utf8)))
    }
}
