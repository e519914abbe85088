import Develop
import RawImage
import Testing

@Suite struct CameraColorTests {
    private func isClose(_ first: Matrix3, _ second: Matrix3, _ tolerance: Double = 1e-3) -> Bool {
        zip(first.values, second.values).allSatisfy { abs($0 - $1) < tolerance }
    }

    @Test func oneColorMatrixIsInverted() throws {
        let color = CameraColor(TestCamera.metadata)
        #expect(abs(color.white.x - 0.3127) < 1e-4 && abs(color.white.y - 0.3290) < 1e-4)
        let red = TestCamera.response(SIMD3(1, 0, 0)) / TestCamera.metadata.neutral
        let found = color.toLinearSRGB * red
        #expect(distance(found, SIMD3(1, 0, 0)) < 1e-3)
    }

    @Test func aForwardMatrixGoesFirst() throws {
        var metadata = TestCamera.metadata
        // A camera that, balanced, sees linear sRGB.
        metadata.calibrations[0].forwardMatrix =
            Chromaticity.d65.adaptation(to: .d50) * TestCamera.xyzFromLinearSRGB
        #expect(isClose(CameraColor(metadata).toLinearSRGB, .identity))
    }

    /// A light between two calibrations: the neutral that the mixed matrix gives must lead back to the light.
    @Test(arguments: [2500.0, 2856, 3500, 4300, 5200, 6504, 8000])
    func theWhiteIsFoundBetweenTwoLights(_ temperature: Double) throws {
        let warm = ColorCalibration(
            illuminant: .standardA,
            colorMatrix: Matrix3(SIMD3(1.1, -0.4, -0.1), SIMD3(-0.5, 1.3, 0.25), SIMD3(-0.1, 0.3, 0.5)))
        let cool = ColorCalibration(illuminant: .d65, colorMatrix: TestCamera.colorMatrix)
        // Not quite a black body, as no light is.
        let mired = 1e6 / temperature
        let white = Chromaticity(x: 0.2 + 0.00073 * mired, y: 0.24 + 0.00058 * mired - 0.0000006 * mired * mired)
        let share = max(0, min(1, (1e6 / white.temperature - 1e6 / 6504) / (1e6 / 2856 - 1e6 / 6504)))
        let mixed = zip(cool.colorMatrix.values, warm.colorMatrix.values).map { $0 + ($1 - $0) * share }
        let matrix = try #require(Matrix3(mixed))
        var metadata = FrameMetadata()
        metadata.neutral = matrix * white.color
        for calibrations in [[warm, cool], [cool, warm]] {
            metadata.calibrations = calibrations
            let color = CameraColor(metadata)
            #expect(abs(color.white.x - white.x) < 1e-5 && abs(color.white.y - white.y) < 1e-5)
            #expect(distance(color.toLinearSRGB * SIMD3(repeating: 1), SIMD3(repeating: 1)) < 1e-12)
        }
    }

    @Test func withoutACalibrationBalanceIsAll() {
        var metadata = FrameMetadata()
        metadata.neutral = SIMD3(0.4, 1, 0.7)
        #expect(CameraColor(metadata).toLinearSRGB == .identity)
        #expect(CameraColor(metadata).white == .d65)
    }

    @Test func senselessCalibrationsAreNone() throws {
        let nan = Matrix3(SIMD3(.nan, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
        let singular = Matrix3(SIMD3(1, 1, 1), SIMD3(1, 1, 1), SIMD3(0, 0, 1))
        let negative = Matrix3(diagonal: SIMD3(-1, -1, -1))
        let huge = Matrix3(diagonal: SIMD3(1e200, 1e-200, 1e200))
        for matrix in [nan, singular, negative, huge, .identity * 0] {
            var metadata = FrameMetadata()
            metadata.calibrations = [ColorCalibration(illuminant: Illuminant(rawValue: 999), colorMatrix: matrix)]
            #expect(CameraColor(metadata).toLinearSRGB == .identity)
            metadata.calibrations.append(ColorCalibration(illuminant: .d65, colorMatrix: TestCamera.colorMatrix))
            metadata.neutral = TestCamera.metadata.neutral
            #expect(CameraColor(metadata).toLinearSRGB.values.allSatisfy { $0.isFinite })
        }
        var metadata = TestCamera.metadata
        metadata.calibrations[0].forwardMatrix = nan
        #expect(CameraColor(metadata).toLinearSRGB.values.allSatisfy { $0.isFinite })
    }

    @Test func bradfordTakesWhiteToWhite() {
        let adaptation = Chromaticity.d65.adaptation(to: .d50)
        #expect(distance(adaptation * Chromaticity.d65.color, Chromaticity.d50.color) < 1e-12)
        #expect(distance(adaptation.transposed.rows.0, SIMD3(1.0478, 0.0295, -0.0092)) < 1e-3)
    }
}
