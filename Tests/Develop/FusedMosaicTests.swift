import Demosaic
import Develop
import RawImage
import Testing

/// A fused mosaic is rendered as the linear photo that demosaicing makes from it.
@Suite struct FusedMosaicTests {
    /// Returns a fused mosaic with texture, and with highlights above the white of the least sensitive colours.
    private func mosaic(_ width: Int, _ height: Int, _ pattern: BayerPattern) throws -> Mosaic {
        let format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: 16)
        let codes = (0..<format.codeCount).map { index in
            let (row, column) = (index / format.stride, index % format.stride)
            let scene = 6000 + row * 400 + column * 250 + (index * 7919 + row * 31) % 3000
            return UInt16(min(65_535, (row / 9 + column / 11) % 4 == 0 ? scene * 3 : scene))
        }
        var metadata = FrameMetadata(bitDepth: 16)
        metadata.blackLevel = [1024, 1030, 1020, 1024]
        metadata.neutral = SIMD3(0.55, 1, 0.7)
        metadata.noise = [NoiseProfile(shot: 2e-4, read: 1e-6)]
        metadata.fusion = FusionReport()
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    @Test(arguments: [(64, 48, BayerPattern.rggb), (129, 97, .gbrg)], [Renderer.Output.Depth.eight, .sixteen])
    func thePictureIsThatOfTheLinearPhoto(size: (Int, Int, BayerPattern), depth: Renderer.Output.Depth) throws {
        let mosaic = try mosaic(size.0, size.1, size.2)
        let recipe = Recipe(exposure: 0.5, sharpness: 0.4)
        let output = Renderer.Output(depth: depth)
        let picture = try Renderer(mosaic: mosaic, recipe: recipe).picture(output)
        let photo = try Demosaic.linear(mosaic)
        let expected = try Renderer(linear: photo, recipe: recipe).picture(output)
        let isSame = samples(picture) == samples(expected)
        #expect(isSame)
    }

    private func samples(_ picture: Picture) -> [UInt16] {
        switch picture.samples {
        case .bytes(let bytes): bytes.map { UInt16($0) }
        case .words(let words): words
        case .halves: []
        }
    }

    /// Fusion decides how much noise is left, so the renderer leaves it.
    @Test func noiseIsReducedOnRequestOnly() throws {
        let mosaic = try mosaic(64, 48, .rggb)
        let renderer = try Renderer(mosaic: mosaic, recipe: Recipe())
        #expect(renderer.recipe.luminanceNoiseReduction == 0 && renderer.recipe.colorNoiseReduction == 0)
        var frame = mosaic
        frame.metadata.fusion = nil
        #expect(try Renderer(mosaic: frame, recipe: Recipe()).recipe.colorNoiseReduction == 1)
    }
}
