import DNG
import Develop
import GscapElements
import RawImage
import Testing

/// The preview in a DNG equals the picture that the renderer makes from the file.
@Suite struct DNGPreviewRendererTests {
    @Test(arguments: [(64, 48), (40, 257)])
    func aPreviewIsTheFinishedPicture(width: Int, height: Int) throws {
        let format = MosaicFormat(width: width, height: height, pattern: .grbg, bitDepth: 12)
        let codes = (0..<format.codeCount).map { UInt16(($0 * 7919 + $0 / width * 31) % 4096) }
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.neutral = SIMD3(0.5, 1, 0.7)
        let recipe = Recipe(exposure: 0.5)
        let mosaic = try Mosaic(format: format, metadata: metadata, codes: codes)
        let picture = try Renderer(mosaic: mosaic, recipe: recipe).picture(Renderer.Output())
        guard case .bytes(let rgb) = picture.samples else { return }
        let expected = try DNGPreview(width: width, height: height, rgb: rgb).compressed(quality: 90)
        let preview = try #require(try DNGPreviewRenderer().of(codes.span, format, metadata, recipe))
        let isSame = preview.jpeg == expected.jpeg
        #expect(isSame)
    }

    @Test func sizesKeepTheirProportions() throws {
        let format = LinearFormat(width: 60, height: 40)
        let values = [UInt16](repeating: 30_000, count: format.valueCount)
        for (preview, size) in [
            (DNGPreviewRenderer(), (60, 40)), (DNGPreviewRenderer(longestSide: 30), (30, 20)),
            (DNGPreviewRenderer(isHalved: true), (30, 20)),
            (DNGPreviewRenderer(longestSide: 1000), (60, 40)), (DNGPreviewRenderer(longestSide: 1), (1, 1)),
        ] {
            let rendered = try preview.of(values.span, format, FrameMetadata())
            #expect((rendered.width, rendered.height) == size)
        }
    }

    @Test func aMosaicTooSmallToDevelopHasNone() throws {
        let format = MosaicFormat(width: 1, height: 9, pattern: .rggb, bitDepth: 12)
        #expect(
            try DNGPreviewRenderer().of([UInt16](repeating: 9, count: 9).span, format, FrameMetadata(bitDepth: 12))
                == nil)
    }
}
