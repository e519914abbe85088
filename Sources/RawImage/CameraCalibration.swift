internal import Glibc

/// The geometry of a camera: how its lens projects the scene onto the pixels, and its pose in a device with several
/// cameras.
///
/// The axes of a camera point right, down and into the scene. Pixel coordinates start at the top left corner of the
/// picture, so the centre of its first pixel is at (0.5, 0.5). A ray is the direction of a scene point: right and down
/// in units of the distance along the optical axis.
public struct CameraCalibration: Sendable, Hashable {
    /// Width in pixels of the picture that the other values refer to.
    public var width: Int
    /// Height in pixels of the picture that the other values refer to.
    public var height: Int
    /// The focal length in pixels, horizontally and vertically.
    public var focalLength: SIMD2<Double>
    /// The pixel coordinates of the optical axis.
    public var principalPoint: SIMD2<Double>
    /// Brown's radial coefficients k1, k2 and k3: a ray at distance r from the axis is recorded at
    /// r·(1 + k1·r² + k2·r⁴ + k3·r⁶).
    public var radialDistortion: SIMD3<Double>
    /// Brown's tangential coefficients p1 and p2.
    public var tangentialDistortion: SIMD2<Double>
    /// The rotation from the axes of the device's reference camera to those of this camera.
    public var rotation: Matrix3
    /// The position of the lens in millimetres, along the axes of the device's reference camera, whose lens is at 0.
    public var position: SIMD3<Double>

    /// Creates the calibration of a lens without distortion at the reference position, with its axis at the centre.
    public init(width: Int, height: Int, focalLength: Double) {
        self.width = width
        self.height = height
        self.focalLength = SIMD2(repeating: focalLength)
        principalPoint = SIMD2(Double(width), Double(height)) / 2
        radialDistortion = SIMD3(repeating: 0)
        tangentialDistortion = SIMD2(repeating: 0)
        rotation = .identity
        position = SIMD3(repeating: 0)
    }

    /// The diagonal of a 35 mm film frame in millimetres.
    private static let filmDiagonal = 43.266615305567875

    /// Estimates the calibration of a picture from the stated focal length of its lens in terms of 35 mm film, which
    /// relates the fields of view by the diagonals.
    public init(width: Int, height: Int, focalLengthIn35mm: Double) {
        let (across, down) = (Double(width), Double(height))
        let diagonal = (across * across + down * down).squareRoot()
        self.init(width: width, height: height, focalLength: focalLengthIn35mm / Self.filmDiagonal * diagonal)
    }

    /// Describes the first invalid value; nil when all are valid.
    public var problem: String? {
        guard (1...65_535).contains(width), (1...65_535).contains(height) else {
            return "a calibration for \(width)×\(height) pixels is not valid"
        }
        guard numbers.allSatisfy(\.isFinite) else { return "a calibration has a number that is not finite" }
        guard focalLength.min() > 0 else { return "the focal length \(focalLength.min()) is not above 0" }
        guard hasPlausibleDistortion else { return Self.implausibleDistortion }
        let isRotation = zip((rotation * rotation.transposed).values, Matrix3.identity.values).allSatisfy {
            abs($0 - $1) < 1e-3
        }
        return isRotation && rotation.determinant > 0 ? nil : "the rotation of a camera is not a rotation matrix"
    }

    /// Returns the calibration for the same view in a picture of another size.
    public func scaled(width: Int, height: Int) -> CameraCalibration {
        var scaled = self
        let factor = SIMD2(Double(width) / Double(self.width), Double(height) / Double(self.height))
        scaled.focalLength *= factor
        scaled.principalPoint *= factor
        (scaled.width, scaled.height) = (width, height)
        return scaled
    }

    /// Returns the calibration of a part of the picture.
    package func cropped(to area: PixelRectangle) -> CameraCalibration {
        var cropped = self
        cropped.principalPoint -= SIMD2(Double(area.left), Double(area.top))
        (cropped.width, cropped.height) = (area.width, area.height)
        return cropped
    }

    /// Returns the pixel coordinates at which a ray is recorded.
    public func pixel(ofRay ray: SIMD2<Double>) -> SIMD2<Double> { distorted(ray) * focalLength + principalPoint }

    /// Returns the ray that is recorded at pixel coordinates.
    public func ray(ofPixel pixel: SIMD2<Double>) -> SIMD2<Double> {
        let recorded = (pixel - principalPoint) / focalLength
        guard hasDistortion else { return recorded }
        var ray = recorded
        // The fixed-point iteration gains at least a decimal digit in each step for all usual lenses.
        for _ in 0..<20 { ray += recorded - distorted(ray) }
        return ray
    }

    /// Whether the lens has any distortion.
    public var hasDistortion: Bool { radialDistortion != SIMD3() || tangentialDistortion != SIMD2() }

    private func distorted(_ ray: SIMD2<Double>) -> SIMD2<Double> {
        let square = (ray * ray).sum()
        let (k, p) = (radialDistortion, tangentialDistortion)
        let product = 2 * ray.x * ray.y
        return ray * (1 + square * (k.x + square * (k.y + square * k.z)))
            + SIMD2(
                p.x * product + p.y * (square + 2 * ray.x * ray.x), p.x * (square + 2 * ray.y * ray.y) + p.y * product)
    }

    /// Whether the distortion is that of a lens over the whole picture: different directions are recorded at different
    /// positions, and neighbouring ones less than twice as far apart as without distortion. Otherwise `ray(ofPixel:)`
    /// has no unique result.
    package var hasPlausibleDistortion: Bool {
        guard hasDistortion else { return true }
        let (right, bottom) = (Double(width), Double(height))
        return [SIMD2(0, 0), SIMD2(right, 0), SIMD2(0, bottom), SIMD2(right, bottom)].allSatisfy { corner in
            isPlausible(until: (corner - principalPoint) / focalLength)
        }
    }

    /// The description of a distortion that is not plausible.
    package static let implausibleDistortion =
        "the distortion folds the picture or stretches a part of it more than twice: up to the corners, the slope of "
        + "the recorded distance from the axis must be between 0 and 2"

    /// Whether the distortion is plausible from the axis to the ray that is recorded as far from it as a corner of the
    /// picture, in the corner's direction.
    private func isPlausible(until corner: SIMD2<Double>) -> Bool {
        let square = (corner * corner).sum()
        let stepsToCorner = 64
        // With barrel distortion the ray recorded at a corner lies farther out, but less than eight times as far.
        for step in 0...8 * stepsToCorner {
            let ray = corner * (Double(step) / Double(stepsToCorner))
            guard isPlausible(at: ray) else { return false }
            let recorded = distorted(ray)
            if (recorded * recorded).sum() >= square { return true }
        }
        return false
    }

    /// Whether both eigenvalues of the derivative of the distortion, a symmetric matrix, are between 0 and 2.
    private func isPlausible(at ray: SIMD2<Double>) -> Bool {
        let square = (ray * ray).sum()
        let (k, p) = (radialDistortion, tangentialDistortion)
        let scale = 1 + square * (k.x + square * (k.y + square * k.z))
        let slope = 2 * (k.x + square * (2 * k.y + square * 3 * k.z))
        let across = scale + slope * ray.x * ray.x + 2 * p.x * ray.y + 6 * p.y * ray.x
        let down = scale + slope * ray.y * ray.y + 6 * p.x * ray.y + 2 * p.y * ray.x
        let mixed = slope * ray.x * ray.y + 2 * p.x * ray.x + 2 * p.y * ray.y
        func isPositive(_ across: Double, _ down: Double) -> Bool {
            across > 0 && down > 0 && across * down > mixed * mixed
        }
        return isPositive(across, down) && isPositive(2 - across, 2 - down)
    }

    /// The distortion as DNG states it (WarpRectilinear); nil for a lens without distortion, and for pixels that are
    /// not square.
    public var warp: LensWarp? {
        guard hasDistortion, abs(focalLength.x / focalLength.y - 1) < 1e-6 else { return nil }
        let far = SIMD2(
            max(principalPoint.x, Double(width) - principalPoint.x),
            max(principalPoint.y, Double(height) - principalPoint.y))
        let corner = (far * far).sum().squareRoot() / focalLength.x
        let square = corner * corner
        let (k, p) = (radialDistortion, tangentialDistortion)
        let plane = LensWarp.Plane(
            radial: [1, k.x * square, k.y * square * square, k.z * square * square * square],
            tangential: [p.x * corner, p.y * corner])
        let center = GainTableMap.RelativePoint(
            down: principalPoint.y / Double(height), across: principalPoint.x / Double(width))
        return try? LensWarp(planes: [plane], center: center)
    }
}

extension CameraCalibration {
    /// Number of values in `numbers`.
    package static let count = 23

    /// All values in the order of the properties: size (2), focal length (2), principal point (2), radial (3) and
    /// tangential distortion (2), rotation row by row (9), position (3).
    package var numbers: [Double] {
        [Double(width), Double(height), focalLength.x, focalLength.y, principalPoint.x, principalPoint.y]
            + [radialDistortion.x, radialDistortion.y, radialDistortion.z]
            + [tangentialDistortion.x, tangentialDistortion.y] + rotation.values + [position.x, position.y, position.z]
    }

    /// Creates a calibration from the numbers that `numbers` returns; nil unless all are valid.
    package init?(numbers: [Double]) {
        guard numbers.count == Self.count, let rotation = Matrix3(Array(numbers[11..<20])),
            let width = Int(exactly: numbers[0]), let height = Int(exactly: numbers[1])
        else { return nil }
        self.init(width: width, height: height, focalLength: 1)
        focalLength = SIMD2(numbers[2], numbers[3])
        principalPoint = SIMD2(numbers[4], numbers[5])
        radialDistortion = SIMD3(numbers[6], numbers[7], numbers[8])
        tangentialDistortion = SIMD2(numbers[9], numbers[10])
        self.rotation = rotation
        position = SIMD3(numbers[20], numbers[21], numbers[22])
        if problem != nil { return nil }
    }
}
