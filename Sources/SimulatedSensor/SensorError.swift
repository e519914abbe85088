// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error in the settings or the scene file of a simulated sensor.
public typealias SensorError = GscapError

extension GscapError.Code {
    /// A setting is out of range.
    public static let badSetting = Self(rawValue: "badSetting")
    /// The scene file is missing or cannot be opened.
    public static let noScene = Self(rawValue: "noScene")
    /// The scene file is not a supported image.
    public static let badScene = Self(rawValue: "badScene")
}
