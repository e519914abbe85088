internal import Glibc
package import RawImage

/// The lens of a simulated sensor: its field of view, distortion and pose.
///
/// The scene stands still in the world: sensors with different lenses see the same scene at the same moment, each from
/// its own position. The still life is `sceneDistance` away, the landscape much farther.
public struct SensorLens: Sendable, Hashable {
    /// The focal length relative to that of the default lens, 1…10; 2 shows half the width of the scene.
    public var zoom = 1.0
    /// Position of the lens relative to the default one, in millimetres to the right, −100…100.
    public var right = 0.0
    /// Position of the lens relative to the default one, in millimetres down, −100…100.
    public var down = 0.0
    /// Rotation about the vertical axis in degrees, −5…5; positive turns the camera to the right.
    public var yaw = 0.0
    /// Rotation about the horizontal axis in degrees, −5…5; positive turns the camera up.
    public var pitch = 0.0
    /// Rotation about the optical axis in degrees, −5…5; positive turns the camera clockwise.
    public var roll = 0.0
    /// Radial distortion, −0.2…0.2: Brown's k1, negative for a barrel.
    public var distortion = 0.0

    /// Creates the default lens, which shows the whole scene.
    public init() {}

    /// Distance of the still life from the lens, in millimetres.
    package static let sceneDistance = 1500.0
    /// Size of a scene unit in millimetres.
    static let sceneUnit = 500.0
    /// The focal length of the default lens in terms of 35 mm film, in millimetres.
    static let focalLengthIn35mm = 26.0
    /// The focal length of the default lens, in millimetres.
    static let focalLength = 4.6
    /// The focal length of the default lens, in scene units: that at which the still life fills the frame.
    private static let sceneFocalLength = sceneDistance / sceneUnit

    /// Whether straight rows of the scene are rows of the frame.
    var isStraight: Bool { yaw == 0 && pitch == 0 && roll == 0 && distortion == 0 }

    /// Position of the lens in scene units.
    var offset: SIMD2<Float> { SIMD2(Float(right / Self.sceneUnit), Float(down / Self.sceneUnit)) }

    /// Returns the true calibration of the lens on a sensor of a size.
    package func calibration(width: Int, height: Int) -> CameraCalibration {
        let scale = min(Double(width) / 4, Double(height) / 3)
        var calibration = CameraCalibration(
            width: width, height: height, focalLength: scale * zoom * Self.sceneFocalLength)
        calibration.radialDistortion.x = distortion
        calibration.rotation = rotation
        calibration.position = SIMD3(right, down, 0)
        return calibration
    }

    /// The rotation from the axes of the default lens to those of this one.
    private var rotation: Matrix3 {
        let (yaw, pitch, roll) = (yaw * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
        let aroundVertical = Matrix3(SIMD3(cos(yaw), 0, -sin(yaw)), SIMD3(0, 1, 0), SIMD3(sin(yaw), 0, cos(yaw)))
        let aroundHorizontal = Matrix3(
            SIMD3(1, 0, 0), SIMD3(0, cos(pitch), sin(pitch)), SIMD3(0, -sin(pitch), cos(pitch)))
        let aroundAxis = Matrix3(SIMD3(cos(roll), sin(roll), 0), SIMD3(-sin(roll), cos(roll), 0), SIMD3(0, 0, 1))
        return aroundAxis * aroundHorizontal * aroundVertical
    }

    /// Throws unless every value is in its range.
    func check() throws(GscapError) {
        try SensorSettings.check(zoom, in: 1...10, "zoom")
        try SensorSettings.check(right, in: -100...100, "lens position to the right")
        try SensorSettings.check(down, in: -100...100, "lens position down")
        for (angle, name) in [(yaw, "yaw"), (pitch, "pitch"), (roll, "roll")] {
            try SensorSettings.check(angle, in: -5...5, name)
        }
        try SensorSettings.check(distortion, in: -0.2...0.2, "distortion")
    }

    /// Throws if the distortion folds a picture of this size, so that a pixel in a corner would have no direction. Such
    /// a calibration is not valid, either.
    func checkDistortion(width: Int, height: Int) throws(GscapError) {
        guard !isPlausible(distortion, width, height) else { return }
        // The strongest valid distortion, by bisection.
        var (valid, invalid) = (0.0, distortion)
        for _ in 0..<20 {
            let middle = (valid + invalid) / 2
            if isPlausible(middle, width, height) { valid = middle } else { invalid = middle }
        }
        let limit = (valid * 1000).rounded(.towardZero) / 1000
        throw GscapError(
            .badSetting,
            "a distortion of \(distortion) folds or overstretches the corners of a picture of \(width)×\(height) "
                + "pixels at a zoom of \(zoom): choose \(limit) or nearer to 0, a larger zoom, or a size nearer to 4:3")
    }

    private func isPlausible(_ distortion: Double, _ width: Int, _ height: Int) -> Bool {
        var lens = self
        lens.distortion = distortion
        return lens.calibration(width: width, height: height).hasPlausibleDistortion
    }

    /// Returns the seed of a sensor's noise and hot pixels, which differ between the lenses of one device.
    func seed(_ seed: UInt64) -> UInt64 {
        guard self != SensorLens() else { return seed }
        return [zoom, right, down, yaw, pitch, roll, distortion].reduce(seed) {
            SeededHash.bits($0, 0x1e_4500, $1.bitPattern)
        }
    }
}

/// The view of a lens with distortion or rotation: which point of the scene each pixel shows.
struct LensView: Sendable {
    private let calibration: CameraCalibration
    private let toReference: Matrix3

    init(_ settings: SensorSettings) {
        calibration = settings.lens.calibration(width: settings.width, height: settings.height)
        toReference = calibration.rotation.transposed
    }

    /// Returns the scene coordinates that pixel coordinates show, from the default position.
    func point(_ column: Double, _ row: Double) -> SIMD2<Float> {
        let ray = calibration.ray(ofPixel: SIMD2(column, row))
        let direction = toReference * SIMD3(ray.x, ray.y, 1)
        let unit = SensorLens.sceneDistance / SensorLens.sceneUnit / direction.z
        return SIMD2(Float(direction.x * unit + 2), Float(direction.y * unit + 1.5))
    }

    /// Returns the pixel coordinates that show a point of the scene, in scene coordinates from the default position.
    func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let unit = SensorLens.sceneDistance / SensorLens.sceneUnit
        let direction = calibration.rotation * SIMD3((point.x - 2) / unit, (point.y - 1.5) / unit, 1)
        return calibration.pixel(ofRay: SIMD2(direction.x, direction.y) / direction.z)
    }
}
