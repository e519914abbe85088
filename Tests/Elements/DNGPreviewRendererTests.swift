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

    /// A preview that a conversion renders shows the default crop, as the photo itself is shown.
    @Test func aConversionRendersTheDefaultCrop() throws {
        let format = MosaicFormat(width: 96, height: 64, pattern: .rggb, bitDepth: 12)
        // The right half is bright.
        let codes = (0..<format.codeCount).map { UInt16($0 % 96 < 48 ? 200 : 3000) }
        var writer = DNGWriter()
        writer.defaultCrop = PixelRectangle(left: 48, top: 8, width: 24, height: 48)
        let file = try DNGFile(writer.encode(mosaic: codes.span, format: format, metadata: FrameMetadata(bitDepth: 12)))
        var conversion = DNGConversion()
        conversion.preview = .render(longestSide: 24)
        let converted = try DNGFile(conversion.encode(file))
        let preview = try #require(converted.images.first { $0.kind == .preview })
        #expect((preview.width, preview.height) == (12, 24))
        let wide = try DNGPreviewRenderer(longestSide: 24).of(codes.span, format, FrameMetadata(bitDepth: 12))
        #expect((wide?.width, wide?.height) == (24, 16))
    }

    /// The preview of a zoomed photo shows the part that the zoom shows, and none of what is around it.
    @Test(arguments: [nil, 24]) func aPreviewShowsTheZoomedPart(longestSide: Int?) throws {
        let format = LinearFormat(width: 96, height: 64)
        var values = [UInt16](repeating: 3000, count: format.valueCount)
        // The part that a zoom factor of 2 shows is bright, with a margin.
        for row in 8..<56 {
            for value in row * format.stride + 12 * 4..<row * format.stride + 84 * 4 { values[value] = 40_000 }
        }
        var metadata = FrameMetadata()
        metadata.cropFactor = 2
        let zoomed = try DNGPreviewRenderer(longestSide: longestSide).of(values.span, format, metadata)
        #expect((zoomed.width, zoomed.height) == (longestSide ?? 48, (longestSide ?? 48) * 2 / 3))
        metadata.cropFactor = 1
        let flat = [UInt16](repeating: 40_000, count: format.valueCount)
        let bright = try DNGPreviewRenderer(longestSide: zoomed.width).of(flat.span, format, metadata)
        let isSame = zoomed.jpeg == bright.jpeg
        #expect(isSame)
    }

    @Test func aMosaicTooSmallToDevelopHasNone() throws {
        let format = MosaicFormat(width: 1, height: 9, pattern: .rggb, bitDepth: 12)
        #expect(
            try DNGPreviewRenderer().of([UInt16](repeating: 9, count: 9).span, format, FrameMetadata(bitDepth: 12))
                == nil)
    }
}
