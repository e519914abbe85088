/// A control of a camera, in units that do not depend on the device.
public struct CameraControl: Sendable, Hashable {
    /// What a control sets.
    public enum Kind: String, Sendable, CaseIterable {
        /// The exposure time in seconds.
        case exposureTime = "exposure-time"
        /// The amplification in the sensor, as a factor.
        case analogueGain = "analogue-gain"
        /// The amplification of the codes, as a factor.
        case digitalGain = "digital-gain"
        /// The ISO number.
        case iso
        /// The amplification of red against green.
        case redGain = "red-gain"
        /// The amplification of blue against green.
        case blueGain = "blue-gain"
        /// The time from frame to frame in seconds.
        case frameDuration = "frame-duration"
        /// The position of the lens, in the lens driver's steps.
        case focus
        /// Whether the flash fires.
        case flash
        /// Whether the picture is mirrored.
        case horizontalFlip = "horizontal-flip"
        /// Whether the picture is upside down.
        case verticalFlip = "vertical-flip"
        /// A picture that the sensor makes in place of the scene, by its number.
        case testPattern = "test-pattern"

        /// The unit of the values; empty for factors, numbers and switches.
        public var unit: String { self == .exposureTime || self == .frameDuration ? "s" : "" }
    }

    /// What the control sets.
    public var kind: Kind
    /// The values.
    public var range: ClosedRange<Double>
    /// The difference between two neighbouring values; 0 if it varies.
    public var step: Double
    /// The value after the start of the device.
    public var standard: Double
    /// The names of the values 0, 1 and so on; empty for a control whose values have none.
    public var choices: [String]

    /// Creates a control.
    public init(
        _ kind: Kind, _ range: ClosedRange<Double>, step: Double = 0, standard: Double, choices: [String] = []
    ) {
        (self.kind, self.range, self.step, self.standard, self.choices) = (kind, range, step, standard, choices)
    }
}
