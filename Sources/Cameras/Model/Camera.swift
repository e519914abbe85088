/// A camera that a back-end has found, whether it can be opened or not.
public struct Camera: Sendable, Hashable {
    /// An identifier that the same camera has at the next start and in another port's order: the bus and the name of
    /// the entity, such as `platform:unicam/imx219-10-0010`. It has no spaces.
    public var id: String
    /// The name for people.
    public var name: String
    /// The back-end that opens the camera, such as `v4l2`.
    public var backend: String
    /// Where the camera is, in words, such as "USB port 1.2".
    public var place: String
    /// The device file or other address now, which may be another one at the next start.
    public var address: String
    /// The name of the sensor, such as `imx219`; empty if unknown.
    public var sensor = ""
    /// The direction in which the camera looks.
    public var facing = Facing.unknown
    /// The clockwise rotation in degrees of the sensor in its case.
    public var rotation = 0
    /// The raw formats: the best one first. Empty if the camera has none, or if it could not be opened.
    public var formats: [CameraFormat] = []
    /// The controls with their ranges.
    public var controls: [CameraControl] = []
    /// The names of raw formats that gscap cannot read.
    public var refusedFormats: [String] = []
    /// Why the camera cannot be used now, and what to do about it; nil if it can be.
    public var problem: String?

    /// Creates a camera whose formats and controls are not known yet.
    public init(id: String, name: String, backend: String, place: String, address: String) {
        (self.id, self.name, self.backend) = (id, name, backend)
        (self.place, self.address) = (place, address)
    }

    /// The direction in which a camera looks.
    public enum Facing: String, Sendable {
        /// Towards the person who uses the device.
        case front
        /// Away from that person.
        case back
        /// In any direction, as a camera on a cable.
        case external
        /// Not stated.
        case unknown
    }

    /// The ISO number of gain 1.
    public var baseISO = 100.0

    /// The ISO numbers; nil for a camera whose gain cannot be set.
    public var isoRange: ClosedRange<Double>? {
        if let iso = controls.first(where: { $0.kind == .iso }) { return iso.range }
        return controls.first { $0.kind == .analogueGain }.map {
            $0.range.lowerBound * baseISO...$0.range.upperBound * baseISO
        }
    }

    /// Whether the camera can take photos now.
    public var isUsable: Bool { problem == nil && !formats.isEmpty }

    /// The Exif orientation that shows the picture upright.
    public var orientation: Int {
        switch rotation {
        case 90: 6
        case 180: 3
        case 270: 8
        default: 1
        }
    }
}

/// An event of the cameras of a machine.
public enum CameraEvent: Sendable, Hashable {
    /// A camera has appeared, or can be opened from now on.
    case added(Camera)
    /// A camera's device file, formats or rights have changed.
    case changed(Camera)
    /// A camera has disappeared.
    case removed(Camera)
}
