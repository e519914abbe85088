internal import GscapElements

/// The program's name and version, for `--version` and for the Software metadata of the files.
enum Software {
    /// The version number alone: "0.1.0".
    static let version = GscapPlugin.version

    /// The name and the version: "gscap 0.1.0".
    static let nameAndVersion = "gscap \(version)"
}
