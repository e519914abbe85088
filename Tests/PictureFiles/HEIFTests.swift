import CHEIF
import PictureFiles
import RawImage
import Testing

@Suite("HEIF files")
struct HEIFTests {
    private func shares(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<width * height).map { UInt8(truncatingIfNeeded: $0 * 3) }
    }

    @Test("contain mattes and depth as hidden auxiliary images")
    func companions() throws {
        var encoding = PictureEncoding(.heic)
        encoding.metadata = TestScene.metadata(orientation: 6)
        encoding.mattes = [
            try Matte(kind: .sky, width: 80, height: 60, shares: shares(80, 60)),
            try Matte(kind: .person, instance: "1", width: 80, height: 60, shares: shares(80, 60)),
            try Matte(kind: .person, instance: "2", width: 41, height: 33, shares: shares(41, 33)),
        ]
        encoding.depthMap = try DepthMap(
            width: 80, height: 60, bitDepth: 8, codes: shares(80, 60).map(UInt16.init))
        let file = try encoding.encode(TestScene.bytes())
        guard let context = unsafe heif_context_alloc() else {
            Issue.record("not enough memory")
            return
        }
        defer { unsafe heif_context_free(context) }
        let status = unsafe heif_context_read_from_memory(context, file, file.count, nil)
        #expect(unsafe status.code == heif_error_Ok)
        #expect(unsafe heif_context_get_number_of_top_level_images(context) == 1)
        var handle: OpaquePointer?
        #expect(unsafe heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok)
        guard let main = unsafe handle else { return }
        defer { unsafe heif_image_handle_release(main) }
        // libheif reports the size after rotation, so width and height are exchanged.
        #expect(unsafe heif_image_handle_get_width(main) == Int32(TestScene.height))
        #expect(unsafe heif_image_handle_has_depth_image(main) == 1)
        #expect(unsafe heif_image_handle_get_number_of_auxiliary_images(main, 0) == 4)
        #expect(FileBytes(file).offsets(of: Matte.Kind.person.rawValue).count == 1)
    }

    /// Some readers support only one of the two descriptions of colours.
    @Test("contain an ICC profile beside the code points", arguments: [PictureFormat.heic, .avif], [1, 6])
    func profile(format: PictureFormat, orientation: Int) throws {
        var encoding = PictureEncoding(format)
        encoding.metadata = TestScene.metadata(orientation: orientation)
        let color = PictureColor(.displayP3, .sRGB)
        let bytes = try encoding.encode(TestScene.bytes(color))
        let file = try HEIFStructure(bytes)
        let main = try #require(file.items[file.main])
        let colors = main.properties.filter { $0.name == "colr" }.map(\.bytes)
        #expect(colors.map { String(decoding: $0.prefix(4), as: UTF8.self) }.sorted() == ["nclx", "prof"])
        // The primaries of Display P3 (12) and the transfer function of sRGB (13), which the profile's cicp tag has,
        // too.
        #expect(colors.contains { $0.starts(with: "nclx".utf8 + [0, 12, 0, 13]) })
        let jpeg = try FileBytes(PictureEncoding(.jpeg).encode(TestScene.bytes(color)))
        let start = try #require(jpeg.offsets(of: "ICC_PROFILE").first) + 14
        let profile = try #require(colors.first { $0.starts(with: "prof".utf8) }).dropFirst(4)
        #expect(profile.elementsEqual(jpeg.bytes[start..<start + profile.count]))
        // Descriptions precede what changes the image (ISO/IEC 23008-12).
        let names = main.properties.map(\.name)
        let changes: Set<String> = ["clap", "irot", "imir"]
        let first = names.firstIndex(where: changes.contains) ?? names.count
        #expect(names[first...].allSatisfy(changes.contains), "\(names)")
        guard let context = unsafe heif_context_alloc() else {
            Issue.record("not enough memory")
            return
        }
        defer { unsafe heif_context_free(context) }
        let status = unsafe heif_context_read_from_memory(context, bytes, bytes.count, nil)
        #expect(unsafe status.code == heif_error_Ok)
        var handle: OpaquePointer?
        #expect(unsafe heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok)
        guard let image = unsafe handle else { return }
        defer { unsafe heif_image_handle_release(image) }
        #expect(unsafe heif_image_handle_get_raw_color_profile_size(image) == profile.count)
    }

    @Test("contain the content light level of HDR pictures")
    func levels() throws {
        let picture = try TestScene.words(PictureColor(.rec2020, .pq))
        for format in [PictureFormat.heic, .avif] {
            let measured = FileBytes(try PictureEncoding(format).encode(picture))
            let offset = try #require(measured.offsets(of: "clli").first) + 4
            // The red of the lamp is slightly more than 12 times diffuse white (203 cd/m²).
            #expect(abs(try measured.number(offset, 2, bigEndian: true) - 2540) < 60)
            var encoding = PictureEncoding(format)
            encoding.contentLightLevel = ContentLightLevel(maxCLL: 1000, maxFALL: 120.5)
            let specified = FileBytes(try encoding.encode(picture))
            let there = try #require(specified.offsets(of: "clli").first) + 4
            #expect(try specified.number(there, 2, bigEndian: true) == 1000)
            #expect(try specified.number(there + 2, 2, bigEndian: true) == 121)
        }
    }
}
