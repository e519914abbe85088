import CHEIF
import PictureFiles
import RawImage
import Testing

@Suite("HEIF files")
struct HEIFTests {
    private func shares(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<width * height).map { UInt8(truncatingIfNeeded: $0 * 3) }
    }

    @Test("have mattes and depth as companions that are not shown")
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
            Issue.record("no memory")
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
        // Readers get the turned size.
        #expect(unsafe heif_image_handle_get_width(main) == Int32(TestScene.height))
        #expect(unsafe heif_image_handle_has_depth_image(main) == 1)
        #expect(unsafe heif_image_handle_get_number_of_auxiliary_images(main, 0) == 4)
        #expect(FileBytes(file).places(of: Matte.Kind.person.rawValue).count == 1)
    }

    @Test("of HDR tell how bright they get")
    func levels() throws {
        let picture = try TestScene.words(PictureColor(.rec2020, .pq))
        for format in [PictureFormat.heic, .avif] {
            let measured = FileBytes(try PictureEncoding(format).encode(picture))
            let place = try #require(measured.places(of: "clli").first) + 4
            // The lamp's red is 12 times paper's 203 cd/m², and a little.
            #expect(abs(try measured.number(place, 2, bigEndian: true) - 2540) < 60)
            var encoding = PictureEncoding(format)
            encoding.contentLightLevel = ContentLightLevel(maxCLL: 1000, maxFALL: 120.5)
            let told = FileBytes(try encoding.encode(picture))
            let there = try #require(told.places(of: "clli").first) + 4
            #expect(try told.number(there, 2, bigEndian: true) == 1000)
            #expect(try told.number(there + 2, 2, bigEndian: true) == 121)
        }
    }
}
