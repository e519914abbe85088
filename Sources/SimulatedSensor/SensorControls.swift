/// The sensor settings that can change with every frame: exposure time and ISO.
public struct SensorControls: Sendable, Hashable {
    /// Exposure time in seconds.
    public var exposureTime: Double
    /// ISO speed, proportional to gain.
    public var iso: Double

    /// Supported exposure times in seconds.
    public static let exposureTimes = 1e-6...60.0
    /// Supported ISO speeds.
    public static let isos = 25.0...102_400.0

    /// Creates controls; the default of 1/100 s at ISO 100 exposes the built-in scene correctly.
    public init(exposureTime: Double = 0.01, iso: Double = 100) {
        self.exposureTime = exposureTime
        self.iso = iso
    }

    /// The supported controls nearest to these; NaN is replaced with the default.
    public var applicable: SensorControls {
        let standard = SensorControls()
        return SensorControls(
            exposureTime: Self.nearest(exposureTime, in: Self.exposureTimes, otherwise: standard.exposureTime),
            iso: Self.nearest(iso, in: Self.isos, otherwise: standard.iso))
    }

    /// Exposure time times ISO speed, to which the signal is proportional; 1 at the default controls.
    var gain: Double { exposureTime * iso }

    private static func nearest(_ value: Double, in range: ClosedRange<Double>, otherwise standard: Double) -> Double {
        value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
    }
}
