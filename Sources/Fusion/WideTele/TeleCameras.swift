internal import RawImage

/// The calibrations of two cameras of one device, and the mapping between their pixels.
struct TeleCameras: Sendable {
    let wide: CameraCalibration
    let tele: CameraCalibration
    /// Tele pixels per wide pixel in the same angle, near the tele's axis.
    let magnification: Double
    /// The rotation from the axes of the wide camera to those of the tele.
    private let rotation: Matrix3

    init(wide: CameraCalibration, tele: CameraCalibration) {
        self.wide = wide
        self.tele = tele
        magnification = (tele.focalLength.x * tele.focalLength.y / (wide.focalLength.x * wide.focalLength.y))
            .squareRoot()
        rotation = tele.rotation * wide.rotation.transposed
    }

    /// Returns the tele's pixel coordinates that show the far scene at a wide pixel's; not a number behind the camera.
    func telePixel(of pixel: SIMD2<Double>) -> SIMD2<Double> {
        let ray = wide.ray(ofPixel: pixel)
        let direction = rotation * SIMD3(ray.x, ray.y, 1)
        guard direction.z > 0.1 else { return SIMD2(repeating: .nan) }
        let seen = SIMD2(direction.x, direction.y) / direction.z
        // The distortion model holds for the field of view only: far outside it may fold back into the picture.
        let edge = SIMD2(Double(tele.width), Double(tele.height)) / tele.focalLength
        guard abs(seen.x) < edge.x, abs(seen.y) < edge.y else { return SIMD2(repeating: .nan) }
        return tele.pixel(ofRay: seen)
    }

    /// Returns the wide's pixel coordinates that show the far scene at a tele pixel's; not a number behind the camera.
    private func widePixel(of pixel: SIMD2<Double>) -> SIMD2<Double> {
        let ray = tele.ray(ofPixel: pixel)
        let direction = rotation.transposed * SIMD3(ray.x, ray.y, 1)
        guard direction.z > 0.1 else { return SIMD2(repeating: .nan) }
        return wide.pixel(ofRay: SIMD2(direction.x, direction.y) / direction.z)
    }

    /// The shift in wide pixels between far things and things at a distance in millimetres: the far scene seen at a
    /// wide pixel plus the shift is at the tele pixel that shows the near thing at the wide pixel.
    func shift(at distance: Double) -> SIMD2<Double> {
        let offset = wide.rotation * (tele.position - wide.position)
        return SIMD2(offset.x, offset.y) * wide.focalLength / -distance
    }

    /// Returns the area of the wide picture that the tele sees, of things at any distance from the nearest one on; nil
    /// if it sees none of it.
    func area(nearest: Double) -> PixelRectangle? {
        let steps = 32
        var least = SIMD2(Double.infinity, .infinity)
        var most = SIMD2(-Double.infinity, -.infinity)
        for step in 0...steps {
            let part = Double(step) / Double(steps)
            let (x, y) = (part * Double(tele.width), part * Double(tele.height))
            for edge in [SIMD2(x, 0), SIMD2(x, Double(tele.height)), SIMD2(0, y), SIMD2(Double(tele.width), y)] {
                for shift in [SIMD2(), shift(at: nearest)] {
                    let pixel = widePixel(of: edge) - shift
                    guard pixel.x.isFinite, pixel.y.isFinite else { return nil }
                    (least, most) = (pointwiseMin(least, pixel), pointwiseMax(most, pixel))
                }
            }
        }
        let far = SIMD2(repeating: 1e6)
        (least, most) = (
            least.clamped(lowerBound: -far, upperBound: far), most.clamped(lowerBound: -far, upperBound: far)
        )
        // Two pixels of margin, for tolerances of the calibration.
        let left = max(0, Int(least.x) - 2) & ~7
        let top = max(0, Int(least.y) - 2) & ~7
        let right = min(wide.width, Int(most.x) + 3)
        let bottom = min(wide.height, Int(most.y) + 3)
        guard right - left >= 32, bottom - top >= 32 else { return nil }
        return PixelRectangle(left: left, top: top, width: right - left, height: bottom - top)
    }
}
