package import GStreamer

/// A control event for the sensor, sent upstream: the exposure of the following frames, and whether the flash fires.
/// `gscapsensorsrc` applies it with the delay of its property `control-delay`.
package struct SensorControl: Sendable, Hashable {
    /// The exposure time in seconds; nil leaves it unchanged.
    package var exposureTime: Double?
    /// The gain as an ISO number; nil leaves it unchanged.
    package var iso: Double?
    /// Whether the flash fires for each frame; nil leaves it unchanged.
    package var flash: Bool?

    private static let name = "gscap-sensor-control"

    /// Creates a control event; returns nil if all values are nil.
    package init?(exposureTime: Double?, iso: Double?, flash: Bool? = nil) {
        guard exposureTime != nil || iso != nil || flash != nil else { return nil }
        self.exposureTime = exposureTime
        self.iso = iso
        self.flash = flash
    }

    /// Decodes the structure of an upstream event; returns nil if it is not a sensor control event.
    package init?(_ structure: Structure?) {
        guard let structure, structure.name == Self.name else { return nil }
        self.init(
            exposureTime: structure["exposure-time"]?.number, iso: structure["iso"]?.number,
            flash: structure["flash"]?.truth)
    }

    /// The structure of the event.
    package var structure: Structure {
        var structure = Structure(Self.name)
        structure["exposure-time"] = exposureTime.map(Value.double)
        structure["iso"] = iso.map(Value.double)
        structure["flash"] = flash.map(Value.boolean)
        return structure
    }
}
