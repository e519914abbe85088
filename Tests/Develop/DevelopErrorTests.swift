import Develop
import RawImage
import Testing

@Suite struct DevelopErrorTests {
    private func code(_ body: () throws -> some Any) -> DevelopError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? DevelopError)?.code
        }
    }

    @Test func metadataThatMakesNoSenseIsRefused() {
        for spoil: (inout FrameMetadata) -> Void in [
            { $0.neutral.y = .nan }, { $0.neutral = SIMD3() }, { $0.neutral.z = -1 }, { $0.blackLevel = [1, 2] },
            { $0.blackLevel[1] = .nan }, { $0.whiteLevel = 0 }, { $0.whiteLevel = .infinity },
            { $0.whiteLevel = 1e300 }, { $0.blackLevel[3] = -1e300 }, { $0.whiteLevel = 530.000_001 },
        ] {
            var metadata = TestCamera.metadata
            spoil(&metadata)
            #expect(code { try PreviewRenderer(metadata: metadata) } == .badPicture)
        }
    }

    @Test func extremeButPossibleMetadataGivesAPicture() throws {
        for spoil: (inout FrameMetadata) -> Void in [
            { $0.neutral = SIMD3(1e-300, 1, 1e-300) }, { $0.neutral = SIMD3(1e300, 1, 1) },
            { $0.blackLevel = [-65_536, -65_536, -65_536, -65_536] }, { $0.whiteLevel = 531 },
            { $0.calibrations[0].colorMatrix = Matrix3(diagonal: SIMD3(1e-200, 1e200, 1)) },
        ] {
            var metadata = TestCamera.metadata
            spoil(&metadata)
            let mosaic = try TestCamera.mosaic(6, 6) { _, _ in SIMD3(repeating: 0.5) }
            for exposure in [-16.0, 0, 16] {
                let developer = try PreviewRenderer(metadata: metadata, recipe: Recipe(exposure: exposure))
                let full = try developer.rendered(mosaic)
                #expect(full.bytes.count == 108)
                let preview = try developer.preview(mosaic, 3, 3)
                #expect(preview.bytes.count == 27)
            }
        }
    }

    @Test func exposuresOutOfRangeAreRefused() {
        for exposure in [Double.nan, .infinity, 17, -1e300] {
            #expect(
                code { try PreviewRenderer(metadata: TestCamera.metadata, recipe: Recipe(exposure: exposure)) }
                    == .badRecipe)
        }
    }

    @Test func wrongShapesAreRefused() throws {
        let developer = try PreviewRenderer(metadata: TestCamera.metadata)
        let mosaic = try TestCamera.mosaic(8, 6) { _, _ in SIMD3(repeating: 0.5) }
        func output(_ width: Int, _ height: Int, stride: Int? = nil) -> DisplayFormat {
            DisplayFormat(width: width, height: height, layout: .rgb, stride: stride)
        }
        for bad in [output(9, 6), output(8, 7), output(0, 0), output(4, 4, stride: 11), output(-1, 3, stride: 0)] {
            #expect(code { try developer.preview(mosaic, bad) } == .badOutput)
            #expect(code { try developer.rendered(mosaic, bad) } == .badOutput)
        }
        #expect(code { try developer.rendered(mosaic, output(4, 3)) } == .badOutput)
        let source = mosaic.codes
        let tooShort = code {
            var bytes = [UInt8](repeating: 0, count: 35)
            var span = bytes.mutableSpan
            try developer.preview(source.span, format: mosaic.format, into: &span, output: output(4, 3))
        }
        #expect(tooShort == .badOutput)
        for format in [
            MosaicFormat(width: 8, height: 7, pattern: .rggb, bitDepth: 14),
            MosaicFormat(width: 8, height: 1, pattern: .rggb, bitDepth: 14),
            MosaicFormat(width: 8, height: 6, pattern: .rggb, bitDepth: 14, stride: 7),
            MosaicFormat(width: -8, height: 6, pattern: .rggb, bitDepth: 14),
            MosaicFormat(width: 8, height: .max, pattern: .rggb, bitDepth: 14),
        ] {
            let found = code {
                var bytes = [UInt8](repeating: 0, count: 3)
                var span = bytes.mutableSpan
                try developer.preview(source.span, format: format, into: &span, output: output(1, 1))
            }
            #expect(found == .badPicture)
        }
    }
}
