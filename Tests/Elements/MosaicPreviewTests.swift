import DNG
import Develop
import GscapElements
import RawImage
import Testing

/// The preview of a Bayer DNG at half the frame's size is rendered without demosaicing.
@Suite struct MosaicPreviewTests {
    private let format = MosaicFormat(width: 128, height: 96, pattern: .rggb, bitDepth: 12)

    /// Returns a smooth scene in several colours, from shadows to highlights.
    private func mosaic(_ metadata: FrameMetadata) throws -> Mosaic {
        let codes = (0..<format.codeCount).map { index in
            let (row, column) = (index / format.stride, index % format.stride)
            let plane = format.pattern.plane(row: row, column: column)
            let level = 3600 * (column + 8) / 136 * (row + 16) / 112
            let color = [0.5 + Double(row) / 192, 1, 0.9 - Double(column) / 256][plane]
            return UInt16(Double(level) * color * metadata.neutral[plane])
        }
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    @Test(arguments: [Recipe(), Recipe(exposure: -0.5), Recipe(exposure: 0.7)])
    func theFastPreviewLooksLikeTheRenderersPicture(recipe: Recipe) throws {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.neutral = SIMD3(0.6, 1, 0.7)
        let mosaic = try mosaic(metadata)
        let size = Renderer.Output.Size(width: 64, height: 48)
        let picture = try Renderer(mosaic: mosaic, recipe: recipe).picture(Renderer.Output(size: size))
        guard case .bytes(let expected) = picture.samples else { return }
        let renderer = try #require(try PreviewRenderer(metadata: metadata, equivalentTo: recipe))
        var preview = [UInt8](repeating: 0, count: 64 * 48 * 3)
        var span = preview.mutableSpan
        try renderer.preview(
            mosaic.codes.span, format: format, into: &span, output: DisplayFormat(width: 64, height: 48, layout: .rgb))
        let differences = zip(preview, expected).map { abs(Int($0) - Int($1)) }
        #expect(differences.count == expected.count)
        #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 4)
    }

    @Test func stagesOfTheRendererAloneNeedTheRenderer() throws {
        let metadata = FrameMetadata(bitDepth: 12)
        var recipe = Recipe()
        recipe.shadowBias = 0.01
        #expect(try PreviewRenderer(metadata: metadata, equivalentTo: recipe) == nil)
        recipe = Recipe()
        recipe.lookTable = try HueSatMap(hues: 6, saturations: 2, values: 1, shifts: .init(repeating: .one, count: 12))
        #expect(try PreviewRenderer(metadata: metadata, equivalentTo: recipe) == nil)
        recipe = Recipe()
        recipe.whiteBalance = .neutral(SIMD3(0.5, 1, 0.5))
        #expect(try PreviewRenderer(metadata: metadata, equivalentTo: recipe) == nil)
    }

    @Test func thePreviewOfAFrameHasHalfItsSize() throws {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.neutral = SIMD3(0.6, 1, 0.7)
        let mosaic = try mosaic(metadata)
        for (renderer, size) in [
            (DNGPreviewRenderer(isHalved: true), (64, 48)), (DNGPreviewRenderer(longestSide: 32), (32, 24)),
        ] {
            let preview = try #require(try renderer.of(mosaic.codes.span, format, metadata))
            #expect((preview.width, preview.height) == size)
            #expect(!preview.jpeg.isEmpty)
        }
    }
}
