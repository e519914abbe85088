public import GStreamer

/// A control event for the sensor, sent upstream: the exposure of the following frames. `gscapsensorsrc` applies it
/// with a delay of two frames.
public struct SensorControl: Sendable, Hashable {
    /// The exposure time in seconds; nil leaves it unchanged.
    public var exposureTime: Double?
    /// The gain as an ISO number; nil leaves it unchanged.
    public var iso: Double?

    private static let name = "gscap-sensor-control"

    /// Creates a control event; returns nil if both values are nil.
    public init?(exposureTime: Double?, iso: Double?) {
        guard exposureTime != nil || iso != nil else { return nil }
        self.exposureTime = exposureTime
        self.iso = iso
    }

    /// Decodes the structure of an upstream event; returns nil if it is not a sensor control event.
    public init?(_ structure: Structure?) {
        guard let structure, structure.name == Self.name else { return nil }
        self.init(exposureTime: structure["exposure-time"]?.number, iso: structure["iso"]?.number)
    }

    /// The structure of the event.
    public var structure: Structure {
        var structure = Structure(Self.name)
        structure["exposure-time"] = exposureTime.map(Value.double)
        structure["iso"] = iso.map(Value.double)
        return structure
    }
}
