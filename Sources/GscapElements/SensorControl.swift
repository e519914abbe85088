public import GStreamer

/// An order to the sensor, sent upstream: expose so from now on. The sensor obeys two frames later.
public struct SensorControl: Sendable, Hashable {
    /// Seconds of exposure; nil leaves it.
    public var exposureTime: Double?
    /// The ISO number; nil leaves it.
    public var iso: Double?

    private static let name = "gscap-sensor-control"

    /// An order; nil when it asks for nothing.
    public init?(exposureTime: Double?, iso: Double?) {
        guard exposureTime != nil || iso != nil else { return nil }
        self.exposureTime = exposureTime
        self.iso = iso
    }

    /// The order in an upstream event; nil when it is about something else.
    public init?(_ structure: Structure?) {
        guard let structure, structure.name == Self.name else { return nil }
        self.init(exposureTime: structure["exposure-time"]?.number, iso: structure["iso"]?.number)
    }

    /// The order as an event carries it.
    public var structure: Structure {
        var structure = Structure(Self.name)
        structure["exposure-time"] = exposureTime.map(Value.double)
        structure["iso"] = iso.map(Value.double)
        return structure
    }
}
