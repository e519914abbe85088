internal import GscapElements

/// The program's name and version, for `--version` and for the Software metadata of the files.
enum Software {
    /// The version number alone, such as "1.2.3".
    static let version = GscapPlugin.version

    /// The name and the version, such as "gscap 1.2.3".
    static let nameAndVersion = "gscap \(version)"
}
