import CHEIF
import PictureFiles
import RawImage
import Testing

@Suite("Gain maps in HEIF and AVIF files")
struct HEIFGainMapTests {
    private func encode(
        _ format: PictureFormat, orientation: Int = 1, change: (inout PictureEncoding) -> Void = { _ in }
    ) throws -> [UInt8] {
        var encoding = PictureEncoding(format)
        encoding.metadata = TestScene.metadata(orientation: orientation)
        encoding.hdr = try TestScene.linear()
        change(&encoding)
        return try encoding.encode(TestScene.bytes())
    }

    /// Returns the IDs of the images from which the HDR rendition is derived.
    private func inputs(_ file: HEIFStructure) throws -> [Int] {
        try #require(file.references.first { $0.type == "dimg" && file.items[$0.from]?.type == "tmap" }).to
    }

    @Test(
        "are inputs of a derived image, the preferred alternative to the picture",
        arguments: [PictureFormat.heic, .avif])
    func structure(format: PictureFormat) throws {
        let file = try HEIFStructure(encode(format))
        #expect(file.brands.contains("tmap"))
        let derived = try #require(file.items("tmap").first)
        #expect(file.items("tmap").count == 1 && file.items[derived]?.isHidden == false)
        let inputs = try inputs(file)
        try #require(inputs.count == 2 && inputs[0] == file.main)
        let (base, map) = (try #require(file.items[inputs[0]]), try #require(file.items[inputs[1]]))
        #expect(!base.isHidden && map.isHidden && map.type == base.type)
        let group = try #require(file.groups.first)
        #expect(file.groups.count == 1 && group.type == "altr" && group.items == [derived, file.main])
        #expect(file.items[group.identifier] == nil, "the IDs of groups and items differ")
        // The size is an odd 321 × 213, the map's half of it, rounded up.
        #expect(base.size == [321, 213] && map.size == [161, 107])
        #expect(file.items[derived]?.size == base.size)
        // The colours: sRGB for the picture, unspecified for the map, BT.709 with PQ for the HDR rendition.
        #expect(base.property("colr")?.prefix(8) == "nclx".utf8 + [0, 1, 0, 13])
        #expect(map.property("colr")?.prefix(8) == "nclx".utf8 + [0, 2, 0, 2])
        #expect(file.items[derived]?.property("colr")?.prefix(8) == "nclx".utf8 + [0, 1, 0, 16])
        #expect(file.items[derived]?.property("pixi") == [0, 0, 0, 0, 3, 10, 10, 10])
        #expect(file.items[derived]?.properties.allSatisfy { !$0.isEssential } == true)
        // libheif makes pictures of odd size grids of one tile.
        let tiles = file.references.first { $0.type == "dimg" && $0.from == inputs[1] }?.to
        let coded = try #require(file.items[tiles?.first ?? inputs[1]])
        #expect(coded.isHidden && coded.bytes.count > 100)
        #expect(coded.properties.contains { ["hvcC", "av1C"].contains($0.name) && $0.isEssential })
    }

    @Test("have the same metadata as in JPEG", arguments: [PictureFormat.heic, .avif])
    func metadata(format: PictureFormat) throws {
        let file = try HEIFStructure(encode(format))
        let derived = try #require(file.items("tmap").first.flatMap { file.items[$0] })
        let jpeg = FileBytes(try encode(.jpeg))
        let mark = try #require(jpeg.offsets(of: "urn:iso:std:iso:ts:21496:-1").last)
        let metadata = jpeg.bytes[mark + 28..<mark + 28 + derived.bytes.count - 1]
        #expect(derived.bytes == [0] + metadata)
    }

    @Test("are rotated as the picture is, the derived image is not", arguments: [PictureFormat.heic, .avif])
    func orientation(format: PictureFormat) throws {
        let file = try HEIFStructure(encode(format, orientation: 7))
        for item in try inputs(file).compactMap({ file.items[$0] }) {
            #expect(item.properties.suffix(2).map(\.name) == ["irot", "imir"])
            #expect(item.property("irot") == [3] && item.property("imir") == [0])
        }
        let derived = try #require(file.items("tmap").first.flatMap { file.items[$0] })
        #expect(derived.property("irot") == nil && derived.property("imir") == nil)
        #expect(derived.size == file.items[file.main]?.size)
    }

    @Test("leave the SDR picture to readers that do not support them", arguments: [PictureFormat.heic, .avif])
    func base(format: PictureFormat) throws {
        let file = try encode(format, orientation: 6)
        guard let context = unsafe heif_context_alloc() else {
            Issue.record("not enough memory")
            return
        }
        defer { unsafe heif_context_free(context) }
        #expect(unsafe heif_context_read_from_memory(context, file, file.count, nil).code == heif_error_Ok)
        #expect(unsafe heif_context_get_number_of_top_level_images(context) == 1)
        var handle: OpaquePointer?
        #expect(unsafe heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok)
        guard let main = unsafe handle else { return }
        defer { unsafe heif_image_handle_release(main) }
        #expect(unsafe heif_image_handle_get_width(main) == Int32(TestScene.height))
        // The picture itself is the same as without a gain map.
        let plain = try HEIFStructure(encode(format, orientation: 6) { $0.hdr = nil })
        let mapped = try HEIFStructure(file)
        #expect(mapped.main == plain.main)
        for (item, facts) in plain.items where facts.type != "Exif" && facts.type != "mime" {
            #expect(mapped.items[item]?.bytes == facts.bytes)
        }
        #expect(plain.items("tmap").isEmpty && !plain.brands.contains("tmap"))
    }

    @Test("are stored beside mattes, depth and a content light level")
    func companions() throws {
        let matte = try Matte(kind: .sky, width: 80, height: 60, shares: [UInt8](repeating: 200, count: 4800))
        let file = try HEIFStructure(
            encode(.heic) {
                $0.mattes = [matte]
                $0.contentLightLevel = ContentLightLevel(maxCLL: 1000, maxFALL: 120)
            })
        let companions = file.references.filter { $0.type == "auxl" }
        #expect(companions.map(\.to) == [[file.main]])
        for item in [companions.first?.from, try inputs(file).last] {
            #expect(item.flatMap { file.items[$0] }?.isHidden == true)
        }
        let derived = try #require(file.items("tmap").first.flatMap { file.items[$0] })
        #expect(derived.property("clli") == [3, 232, 0, 120])
        #expect(file.items[file.main]?.property("clli") == nil)
    }

    @Test("of 10-bit pictures start from the 10-bit codes", arguments: [PictureFormat.heic, .avif])
    func tenBits(format: PictureFormat) throws {
        var encoding = PictureEncoding(format)
        encoding.depth = .ten
        encoding.hdr = try TestScene.linear()
        let file = try HEIFStructure(encoding.encode(TestScene.words(.sRGB)))
        let derived = try #require(file.items("tmap").first.flatMap { file.items[$0] })
        // After the versions and flags: two headrooms, then the least gain of red. Where the picture is not clipped, no
        // gain is far from 0: a 10-bit code deviates from the scene by at most 1/2046.
        let numbers = FileBytes(derived.bytes)
        let least = Int32(truncatingIfNeeded: try numbers.number(22, 4, bigEndian: true))
        #expect(least <= 0 && least > -150_000)
    }
}
