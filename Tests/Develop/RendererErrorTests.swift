import Develop
import RawImage
import Testing

/// Tests that invalid input of the renderer ends in errors or warnings.
@Suite struct RendererErrorTests {
    private func mosaic(_ metadata: FrameMetadata = TestCamera.metadata) throws -> Mosaic {
        try TestCamera.mosaic(12, 10, metadata: metadata) { _, _ in SIMD3(repeating: 0.4) }
    }

    private func code(_ body: () throws -> some Any) -> DevelopError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? DevelopError)?.code
        }
    }

    @Test func metadataThatMakesNoSenseIsRefused() throws {
        for spoil: (inout FrameMetadata) -> Void in [
            { $0.neutral.y = .nan }, { $0.neutral = SIMD3() }, { $0.whiteLevel = 0 }, { $0.blackLevel[1] = .nan },
            { $0.whiteLevel = .infinity }, { $0.whiteLevel = 1e300 },
        ] {
            var picture = try mosaic()
            spoil(&picture.metadata)
            #expect(code { try Renderer(mosaic: picture, recipe: Recipe()) } == .badPicture)
        }
    }

    @Test func invalidLensCoefficientsAreRejected() throws {
        var picture = try mosaic()
        picture.metadata.lens.warp = try LensWarp(
            planes: [LensWarp.Plane(radial: [1, 0, 0, 0], tangential: [0, 0])])
        #expect(code { try Renderer(mosaic: picture, recipe: Recipe()) } == nil)
        picture.metadata.lens.warp?.planes[0].radial = [1]
        #expect(code { try Renderer(mosaic: picture, recipe: Recipe()) } == .badPicture)
    }

    @Test func aSingularMatrixIsIgnoredWithAWarning() throws {
        var picture = try mosaic()
        picture.metadata.calibrations[0].colorMatrix = .identity * 0
        let renderer = try Renderer(mosaic: picture, recipe: Recipe())
        #expect(renderer.warnings.first?.contains("colour matrices") == true)
        #expect(try renderer.picture(.init()).width == 12)
        picture.metadata.calibrations[0].colorMatrix = TestCamera.colorMatrix
        picture.metadata.calibrations[0].forwardMatrix = .identity * .nan
        #expect(try Renderer(mosaic: picture, recipe: Recipe()).picture(.init()).width == 12)
    }

    @Test func recipesOutOfRangeAreRefused() throws {
        for spoil: (inout Recipe) -> Void in [
            { $0.exposure = .nan }, { $0.exposure = 17 }, { $0.sharpness = -1 }, { $0.sharpness = .infinity },
            { $0.boost = 2 }, { $0.localToneMapAmount = .nan }, { $0.shadowBias = 3 },
            { $0.extendedRangeAmount = -0.1 }, { $0.colorNoiseReduction = .nan }, { $0.luminanceNoiseReduction = 9 },
            { $0.whiteBalance = .neutral(SIMD3(1, 0, 1)) }, { $0.whiteBalance = .chromaticity(x: .nan, y: 1) },
            { $0.whiteBalance = .chromaticity(x: 0.1, y: 0.85) },
            { recipe in
                recipe.gainTableMap = try? GainTableMap(
                    rows: 1, columns: 1, tableLength: 1, weights: [1, 1, 1, 1, 1], gains: [1])
                recipe.gainTableMap?.gains = [.nan]
            },
        ] {
            var recipe = Recipe()
            spoil(&recipe)
            let picture = try mosaic()
            #expect(code { try Renderer(mosaic: picture, recipe: recipe) } == .badRecipe)
        }
    }

    @Test func extremesGivePictures() throws {
        for exposure in [-16.0, 0, 16] {
            for spoil: (inout FrameMetadata) -> Void in [
                { $0.neutral = SIMD3(1e-300, 1, 1e-300) }, { $0.neutral = SIMD3(1e300, 1, 1) },
                { $0.blackLevel = [-65_536, -65_536, -65_536, -65_536] }, { $0.whiteLevel = 531 },
                { $0.noise = [NoiseProfile(shot: .nan, read: .infinity)] },
                { $0.noise = [NoiseProfile(shot: 1e300, read: 1e300)] },
            ] {
                var picture = try mosaic()
                spoil(&picture.metadata)
                var recipe = Recipe(exposure: exposure)
                recipe.shadowBias = 0.5
                recipe.gainTableMap = try GainTableMap(
                    rows: 2, columns: 1, tableLength: 3, weights: [9, -9, 1e30, -1e30, 1],
                    gains: [0, 1e30, 3e38, 0, 1e-30, 3e38], gamma: 1e-3, spacing: .init(down: 0, across: -1),
                    origin: .init(down: 1e300, across: -1e300))
                recipe.lookTable = try HueSatMap(
                    hues: 1, saturations: 2, values: 2, shifts: Array(repeating: SIMD3(700, 64, 64), count: 4),
                    isEncoded: true)
                recipe.hueSatMaps = [try #require(recipe.lookTable)]
                let renderer = try Renderer(mosaic: picture, recipe: recipe)
                for transfer in PictureColor.Transfer.allCases {
                    for depth in Renderer.Output.Depth.allCases {
                        let output = Renderer.Output(color: PictureColor(.displayP3, transfer), depth: depth)
                        #expect(try renderer.picture(output).samples.count == 360)
                    }
                }
            }
        }
    }

    @Test func impossibleOutputsAreRefused() throws {
        let renderer = try Renderer(mosaic: try mosaic(), recipe: Recipe())
        for output in [
            Renderer.Output(crop: PixelRectangle(left: -1, top: 0, width: 4, height: 4)),
            Renderer.Output(crop: PixelRectangle(left: 9, top: 0, width: 4, height: 4)),
            Renderer.Output(crop: PixelRectangle(left: 0, top: 1, width: 4, height: .max)),
            Renderer.Output(crop: PixelRectangle(left: .max, top: 1, width: .max, height: 1)),
            Renderer.Output(crop: PixelRectangle(left: 0, top: 0, width: 0, height: 1)),
            Renderer.Output(size: .init(width: 13, height: 3)), Renderer.Output(size: .init(width: 0, height: 3)),
            Renderer.Output(size: .init(width: 3, height: -1)),
        ] {
            #expect(code { try renderer.picture(output) } == .badOutput)
        }
        #expect(
            code {
                var bytes = [UInt8](repeating: 0, count: 100)
                var span = bytes.mutableSpan
                try renderer.render(.init(), into: &span, display: DisplayFormat(width: 5, height: 4, layout: .rgb))
            } == .badOutput)
    }
}
