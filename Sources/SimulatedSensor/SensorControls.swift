/// The sensor settings that can change with every frame: exposure time, ISO and flash.
public struct SensorControls: Sendable, Hashable {
    /// Exposure time in seconds.
    public var exposureTime: Double
    /// ISO speed, proportional to gain.
    public var iso: Double
    /// Whether the flash fires; nil for a camera whose flash was never set, which states nothing about it.
    public var flash: Bool?

    /// Supported exposure times in seconds.
    public static let exposureTimes = 1e-6...60.0
    /// Supported ISO speeds.
    public static let isos = 25.0...102_400.0

    /// Creates controls; the default of 1/100 s at ISO 100 exposes the built-in scene correctly.
    public init(exposureTime: Double = 0.01, iso: Double = 100, flash: Bool? = nil) {
        self.exposureTime = exposureTime
        self.iso = iso
        self.flash = flash
    }

    /// Returns the exposure time in seconds that exposes the built-in scene correctly at an ISO speed: 1/100 s at ISO
    /// 100.
    public static func automaticExposureTime(iso: Double) -> Double {
        SensorControls(exposureTime: standardGain / SensorControls(iso: iso).applicable.iso).applicable.exposureTime
    }

    /// The gain at the default controls.
    private static let standardGain = SensorControls().gain
    /// The least light of the flash, as a fraction of a correct exposure.
    private static let leastFlash = 0.08

    /// The supported controls nearest to these; NaN is replaced with the default.
    public var applicable: SensorControls {
        let standard = SensorControls()
        return SensorControls(
            exposureTime: Self.nearest(exposureTime, in: Self.exposureTimes, otherwise: standard.exposureTime),
            iso: Self.nearest(iso, in: Self.isos, otherwise: standard.iso), flash: flash)
    }

    /// Exposure time times ISO speed, to which the signal is proportional; 1 at the default controls.
    var gain: Double { exposureTime * iso }

    /// The signal relative to that of the default controls, with the light of the flash, which falls evenly on the
    /// scene. The flash is metered: it adds the light that a correct exposure lacks, and at least 8 % of it, which does
    /// not clip the built-in scene's white at the default controls.
    var signal: Double {
        let ambient = gain / Self.standardGain
        return flash == true ? ambient + max(Self.leastFlash, 1 - ambient) : ambient
    }

    private static func nearest(_ value: Double, in range: ClosedRange<Double>, otherwise standard: Double) -> Double {
        value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
    }
}
