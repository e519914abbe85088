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
        // This forward matrix is that of a camera whose white-balanced RGB is linear sRGB.
        metadata.calibrations[0].forwardMatrix =
            Chromaticity.d65.adaptation(to: .d50) * TestCamera.xyzFromLinearSRGB
        #expect(isClose(CameraColor(metadata).toLinearSRGB, .identity))
    }

    /// Scales a colour matrix so that D50 maps to a maximum of 1: files may store any scale, and matrices are
    /// normalised this way before they are interpolated.
    private func ofUsualSize(_ matrix: Matrix3) -> Matrix3 { matrix * (1 / (matrix * Chromaticity.d50.color).max()) }

    /// The white point found from a neutral is the illuminant for which the matrix, interpolated between two
    /// calibrations, gives that neutral.
    @Test(arguments: [2500.0, 2856, 3500, 4300, 5200, 6504, 8000])
    func theWhiteIsFoundBetweenTwoLights(_ temperature: Double) throws {
        let warm = ColorCalibration(
            illuminant: .standardA,
            colorMatrix: ofUsualSize(Matrix3(SIMD3(1.1, -0.4, -0.1), SIMD3(-0.5, 1.3, 0.25), SIMD3(-0.1, 0.3, 0.5))))
        let cool = ColorCalibration(illuminant: .d65, colorMatrix: ofUsualSize(TestCamera.colorMatrix))
        // The white point lies slightly off the black-body locus, as real light sources do.
        let mired = 1e6 / temperature
        let white = Chromaticity(x: 0.2 + 0.00073 * mired, y: 0.24 + 0.00058 * mired - 0.0000006 * mired * mired)
        let share = max(0, min(1, (1e6 / white.temperature - 1e6 / 6504) / (1e6 / 2856 - 1e6 / 6504)))
        let mixed = zip(cool.colorMatrix.values, warm.colorMatrix.values).map { $0 + ($1 - $0) * share }
        let matrix = try #require(Matrix3(mixed))
        var metadata = FrameMetadata()
        metadata.neutral = matrix * white.color
        for calibrations in [[warm, cool], [cool, warm]] {
            metadata.calibrations = calibrations
            metadata.calibrations[1].colorMatrix = metadata.calibrations[1].colorMatrix * 3
            let color = CameraColor(metadata)
            #expect(abs(color.white.x - white.x) < 1e-5 && abs(color.white.y - white.y) < 1e-5)
            #expect(distance(color.toLinearSRGB * SIMD3(repeating: 1), SIMD3(repeating: 1)) < 1e-12)
        }
    }

    /// A camera whose CameraCalibration describes its deviation from the model renders the same colours as the model.
    @Test(arguments: [false, true]) func cameraCalibrationYieldsTheModelsColours(hasForward: Bool) throws {
        var model = TestCamera.metadata
        if hasForward {
            model.calibrations[0].forwardMatrix =
                Chromaticity.d65.adaptation(to: .d50) * TestCamera.xyzFromLinearSRGB
                * Matrix3(SIMD3(0.8, 0.2, 0), SIMD3(0.1, 0.8, 0.1), SIMD3(0, 0.3, 0.7))
        }
        let cameraCalibration = Matrix3(SIMD3(1.1, 0.1, -0.05), SIMD3(0.05, 0.9, 0.1), SIMD3(-0.1, 0.05, 1.3))
        var own = model
        own.calibrations[0].colorMatrix = cameraCalibration * model.calibrations[0].colorMatrix
        own.calibrations[0].cameraCalibration = cameraCalibration
        own.neutral = cameraCalibration * model.neutral
        let (seen, wanted) = (CameraColor(own), CameraColor(model))
        #expect(abs(seen.white.x - wanted.white.x) < 1e-9 && abs(seen.white.y - wanted.white.y) < 1e-9)
        for color in [SIMD3(0.7, 0.2, 0.1), SIMD3(0.1, 0.6, 0.2), SIMD3(0.3, 0.1, 0.9)] {
            let found = seen.toLinearSRGB * ((cameraCalibration * color) / own.neutral)
            #expect(distance(found, wanted.toLinearSRGB * (color / model.neutral)) < 1e-9)
        }
    }

    @Test func aCalibrationThatCannotBeIsNone() {
        var metadata = TestCamera.metadata
        metadata.calibrations[0].forwardMatrix = TestCamera.xyzFromLinearSRGB
        for cameraCalibration in [Matrix3.identity * 0, Matrix3(diagonal: SIMD3(-1, 1, 1)), Matrix3.identity * .nan] {
            metadata.calibrations[0].cameraCalibration = cameraCalibration
            #expect(CameraColor(metadata).toLinearSRGB == .identity)
        }
    }

    /// Tests the weights of three calibration illuminants for a white point: those of Adobe's DNG SDK 1.7.1 for the
    /// same illuminants.
    @Test(
        arguments: [
            ([17, 21, 23], 0.45, 0.41, [1, 0, 0]), ([17, 21, 23], 0.4, 0.39, [0.5311, 0.0616, 0.4073]),
            ([17, 21, 23], 0.345, 0.352, [0, 0.1083, 0.8917]), ([17, 21, 23], 0.33, 0.36, [0, 0.4962, 0.5038]),
            ([17, 14, 22], 0.4, 0.39, [0.0778, 0.9222, 0]), ([17, 14, 22], 0.33, 0.36, [0.0149, 0.2321, 0.753]),
        ] as [([UInt16], Double, Double, [Double])])
    func threeIlluminantsAreInterpolated(lights: [UInt16], x: Double, y: Double, wanted: [Double]) {
        let calibrations = lights.map {
            ColorCalibration(illuminant: Illuminant(rawValue: $0), colorMatrix: TestCamera.colorMatrix)
        }
        let shares = calibrations.shares(at: Chromaticity(x: x, y: y))
        for (share, wanted) in zip(shares, wanted) { #expect(abs(share - wanted) < 0.02, "\(shares)") }
        let sum: Double = shares.reduce(0, +)
        #expect(abs(sum - 1) < 1e-12)
    }

    @Test func threeLightsOfWhichOneIsUnknownAreTwo() {
        let calibrations = [17, 0, 21].map {
            ColorCalibration(illuminant: Illuminant(rawValue: $0), colorMatrix: TestCamera.colorMatrix)
        }
        for white in [Chromaticity.d50, .d65, Chromaticity(x: 0.45, y: 0.41)] {
            let shares = calibrations.shares(at: white)
            #expect(shares[1] == 0 && shares[0] + shares[2] == 1)
        }
        #expect([ColorCalibration]().shares(at: .d50).isEmpty && [ColorCalibration]().mean(at: .d50) == nil)
    }

    /// The hue/saturation maps of three illuminants are interpolated with the same weights as their matrices.
    @Test func mapsAreMixed() throws {
        func map(_ hue: Float, values: Int = 1) throws -> HueSatMap {
            try HueSatMap(
                hues: 1, saturations: 2, values: values,
                shifts: Array(repeating: SIMD3(hue, 1 + hue / 10, 1), count: 2 * values))
        }
        let mean = try HueSatMap.mean(of: [map(1), map(2), map(10)], by: [0.25, 0.25, 0.5])
        #expect(mean?.shifts == [SIMD3(5.75, 1.575, 1), SIMD3(5.75, 1.575, 1)])
        #expect(try HueSatMap.mean(of: [map(1), map(2, values: 2)], by: [0.5, 0.5]) == nil)
        #expect(try HueSatMap.mean(of: [map(1)], by: [0.5, 0.5]) == nil && HueSatMap.mean(of: [], by: []) == nil)
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
