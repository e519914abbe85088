/// What can be asked of the sensor frame by frame.
public struct SensorControls: Sendable, Hashable {
    /// How long light is gathered, in seconds.
    public var exposureTime: Double
    /// Sensitivity as an ISO number.
    public var iso: Double

    /// Exposure times the sensor can do, in seconds.
    public static let exposureTimes = 1e-6...60.0
    /// Sensitivities the sensor can do.
    public static let isos = 25.0...102_400.0

    /// Controls; a hundredth of a second at ISO 100 suits the built-in scene.
    public init(exposureTime: Double = 0.01, iso: Double = 100) {
        self.exposureTime = exposureTime
        self.iso = iso
    }

    /// The nearest controls that the sensor can do; what is not a number becomes the default.
    public var applicable: SensorControls {
        let standard = SensorControls()
        return SensorControls(
            exposureTime: Self.nearest(exposureTime, in: Self.exposureTimes, otherwise: standard.exposureTime),
            iso: Self.nearest(iso, in: Self.isos, otherwise: standard.iso))
    }

    /// The signal relative to the default controls'.
    var gain: Double { exposureTime * iso }

    private static func nearest(_ value: Double, in range: ClosedRange<Double>, otherwise standard: Double) -> Double {
        value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
    }
}
