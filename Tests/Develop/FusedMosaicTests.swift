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

    /// The more frames were averaged, the less luminance detail is removed with the noise.
    @Test func noiseIsReducedByTheFramesThatWereMerged() throws {
        func amounts(
            _ frames: Double, superResolved: Double? = nil, denoising: Double? = nil
        ) throws -> (luminance: Double, color: Double) {
            var mosaic = try mosaic(64, 48, .rggb)
            mosaic.metadata.fusion?.effectiveFrames = frames
            mosaic.metadata.fusion?.superResolvedFraction = superResolved
            mosaic.metadata.fusion?.denoising = denoising
            let recipe = try Renderer(mosaic: mosaic, recipe: Recipe()).recipe
            return (try #require(recipe.luminanceNoiseReduction), try #require(recipe.colorNoiseReduction))
        }
        #expect(try amounts(1) == (0.5, 1))
        let (few, many, fine) = (try amounts(3), try amounts(8), try amounts(8, superResolved: 0.9))
        #expect(few.luminance < 0.5 && many.luminance < few.luminance && fine.luminance < many.luminance)
        #expect(few.color == 1 && fine.color < 1)
        // Super-resolution that was not denoised leaves as much noise as merging.
        #expect(try amounts(8, superResolved: 0.9, denoising: 0) == many)
        #expect(try amounts(8, superResolved: 0.9, denoising: 2) == fine)
        #expect(try amounts(8, superResolved: 0.9, denoising: .nan) == fine)
    }

    /// A part that shows one frame only is denoised as one frame is, beside a part in which many were averaged.
    @Test func noiseIsReducedByTheMapOfFrames() throws {
        var photo = try mosaic(256, 128, .rggb)
        for index in photo.codes.indices { photo.codes[index] = UInt16(20_000 + (index &* 40_503 >> 7) & 0xFFF) }
        photo.metadata.fusion?.effectiveFrames = 4
        func picture(_ map: [Float]) throws -> [UInt16] {
            photo.metadata.fusion?.effectiveFramesMap = EffectiveFramesMap(columns: 2, rows: 1, values: map)
            return samples(try Renderer(mosaic: photo, recipe: Recipe()).picture(.init()))
        }
        let (even, uneven) = (try picture([4, 4]), try picture([1, 7]))
        func spread(_ picture: [UInt16], _ columns: Range<Int>) -> Int {
            (16..<112).reduce(0) { sum, row in
                columns.reduce(sum) { sum, column in
                    sum + abs(Int(picture[3 * (256 * row + column)]) - Int(picture[3 * (256 * row + column + 1)]))
                }
            }
        }
        #expect(spread(uneven, 16..<56) < spread(even, 16..<56))
        #expect(spread(uneven, 200..<240) > spread(even, 200..<240))
    }
}
