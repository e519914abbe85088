internal import RawImage
internal import Testing

/// Tests of the geometry of a camera: rays, pixels and distortion.
@Suite struct CameraCalibrationTests {
    private var calibration: CameraCalibration {
        var calibration = CameraCalibration(width: 4032, height: 3024, focalLength: 3024)
        calibration.principalPoint = SIMD2(2030, 1500)
        calibration.radialDistortion = SIMD3(-0.12, 0.02, -0.003)
        calibration.tangentialDistortion = SIMD2(0.001, -0.0005)
        calibration.position = SIMD3(12, -3, 0.5)
        return calibration
    }

    @Test func theRayOfAPixelIsRecordedThere() {
        for x in stride(from: 0.0, through: 4032, by: 504) {
            for y in stride(from: 0.0, through: 3024, by: 378) {
                let pixel = calibration.pixel(ofRay: calibration.ray(ofPixel: SIMD2(x, y)))
                #expect(abs(pixel.x - x) < 1e-3 && abs(pixel.y - y) < 1e-3, "\(x), \(y): \(pixel)")
            }
        }
    }

    @Test func anotherSizeHasTheSameRays() {
        let small = calibration.scaled(width: 1008, height: 756)
        let (one, other) = (calibration.ray(ofPixel: SIMD2(400, 300)), small.ray(ofPixel: SIMD2(100, 75)))
        #expect(abs(one.x - other.x) < 1e-9 && abs(one.y - other.y) < 1e-9)
    }

    @Test func theWarpOfDNGIsTheSameDistortion() throws {
        let warp = try #require(calibration.warp)
        let (width, height) = (4032.0, 3024.0)
        let center = SIMD2(warp.center.across * width, warp.center.down * height)
        let far = SIMD2(max(center.x, width - center.x), max(center.y, height - center.y))
        let corner = (far * far).sum().squareRoot()
        for ray in [SIMD2(0.3, 0.1), SIMD2(-0.6, 0.4), SIMD2(0, -0.45)] {
            // WarpRectilinear of the DNG specification, with distances relative to that of the farthest corner.
            let place = ray * calibration.focalLength / corner
            let square = (place * place).sum()
            let ratio = warp.ratio(warp.planes[0], at: square.squareRoot())
            let (t0, t1) = (warp.planes[0].tangential[0], warp.planes[0].tangential[1])
            let shift = SIMD2(
                t0 * 2 * place.x * place.y + t1 * (square + 2 * place.x * place.x),
                t1 * 2 * place.x * place.y + t0 * (square + 2 * place.y * place.y))
            let recorded = (place * ratio + shift) * corner + center
            let expected = calibration.pixel(ofRay: ray)
            #expect(abs(recorded.x - expected.x) < 1e-6 && abs(recorded.y - expected.y) < 1e-6)
        }
        #expect(CameraCalibration(width: 100, height: 100, focalLength: 100).warp == nil)
    }

    @Test func invalidCalibrationsAreFound() {
        #expect(calibration.problem == nil)
        for change in [
            { $0.width = 0 }, { $0.focalLength.x = 0 }, { $0.principalPoint.y = .nan },
            { $0.radialDistortion = SIMD3(-0.5, 0, 0) }, { $0.radialDistortion = SIMD3(3, 0, 0) },
            { $0.radialDistortion = SIMD3(1e300, 0, 0) }, { $0.tangentialDistortion = SIMD2(0, -0.4) },
            { $0.rotation = Matrix3(diagonal: SIMD3(1, 1, 2)) }, { $0.rotation = Matrix3(diagonal: SIMD3(1, 1, -1)) },
        ] as [(inout CameraCalibration) -> Void] {
            var changed = calibration
            change(&changed)
            #expect(changed.problem != nil)
        }
    }

    /// The strongest distortions of lenses are accepted, and those of a long lens, whose coefficients are large.
    @Test func plausibleDistortionsAreAccepted() {
        for (radial, focalLength) in [
            (SIMD3(-0.2, 0, 0), 3024.0), (SIMD3(-0.3, 0.12, 0), 3024), (SIMD3(0.2, 0, 0), 3024),
            (SIMD3(3, -500, 0), 40_000),
        ] as [(SIMD3<Double>, Double)] {
            var calibration = CameraCalibration(width: 4032, height: 3024, focalLength: focalLength)
            calibration.radialDistortion = radial
            #expect(calibration.problem == nil, "\(radial)")
            let corner = calibration.pixel(ofRay: calibration.ray(ofPixel: SIMD2(4032, 0)))
            #expect(abs(corner.x - 4032) < 0.5 && abs(corner.y) < 0.5, "\(radial): \(corner)")
        }
    }

    @Test func theFocalLengthOfFilmGivesTheDiagonal() {
        let calibration = CameraCalibration(width: 4000, height: 3000, focalLengthIn35mm: 43.266615305567875)
        #expect(abs(calibration.focalLength.x - 5000) < 1e-6)
    }
}
