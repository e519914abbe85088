package import Errors
internal import Files
internal import GStreamer
internal import Glibc

/// The profiles of sensors: those of the project, and those in the user's folder, which count first.
package enum SensorProfiles {
    /// The texts that the project has.
    private static let builtIn: [(name: String, text: [UInt8])] = [
        ("imx219", PackageResources.imx219_sensor), ("imx477", PackageResources.imx477_sensor),
        ("imx708", PackageResources.imx708_sensor), ("imx290", PackageResources.imx290_sensor),
        ("ov5647", PackageResources.ov5647_sensor), ("ov9281", PackageResources.ov9281_sensor),
    ]

    /// The names of the sensors that the project knows.
    package static var builtInNames: [String] { builtIn.map(\.name).sorted() }

    /// The folder of the user's profiles: `$GSCAP_SENSORS`, or `gscap/sensors` among the user's settings.
    package static var folder: String {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let folder = variable("GSCAP_SENSORS") { return folder }
        return (variable("XDG_CONFIG_HOME") ?? (variable("HOME") ?? "") + "/.config") + "/gscap/sensors"
    }

    /// Returns the profile of a sensor; nil if there is none. Throws if the user's file has a mistake.
    package static func profile(of sensor: String) throws(GscapError) -> SensorProfile? {
        let path = folder + "/\(sensor).sensor"
        if unsafe access(path.cPath, F_OK) == 0 {
            return try read(KeyFile(path: path), sensor, place: path)
        }
        guard let text = builtIn.first(where: { $0.name == sensor })?.text else { return nil }
        return try read(KeyFile(text: String(decoding: text, as: UTF8.self), place: sensor), sensor, place: sensor)
    }

    private static func read(
        _ file: KeyFile, _ sensor: String, place: String
    ) throws(GscapError) -> SensorProfile {
        guard let group = file.groups.first(where: { $0.name == sensor }) else {
            throw GscapError(.malformed, "there is no group [\(sensor)]", place: place)
        }
        return try SensorProfile(group, place: place)
    }

    /// Returns the name of a sensor by which its profile is found: that of the entity without its bus and address, so
    /// `imx219` of `imx219 10-0010` and of `m00_b_imx219 1-001a`.
    package static func sensorName(entity: String) -> String {
        var words = entity.split(separator: " ").map(String.init)
        if words.count > 1, let last = words.last, last.contains("-"), last.allSatisfy({ $0.isHexDigit || $0 == "-" }) {
            words.removeLast()
        }
        let name = words.joined(separator: "-").lowercased()
        return name.split(separator: "_").last.map(String.init) ?? name
    }
}
