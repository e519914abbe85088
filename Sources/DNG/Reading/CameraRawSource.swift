/// A camera's own raw file that was read through LibRaw.
public struct CameraRawSource: Sendable, Hashable {
    /// The file's extension in upper case, such as NEF; "camera raw" for files without a known one.
    public let format: String
    /// The library that has read the file, such as LibRaw 0.21.4.
    public let reader: String
    /// The file's size in bytes.
    public let byteCount: Int
    /// The camera's serial number; empty when unknown.
    public let serial: String

    /// Creates a description.
    package init(format: String, reader: String, byteCount: Int, serial: String) {
        (self.format, self.reader, self.byteCount, self.serial) = (format, reader, byteCount, serial)
    }
}

extension DNGFile {
    /// Opens a DNG that was made in memory from a camera's own raw file. `damage` says what of its raw picture could
    /// not be decoded; nil if all was.
    package init(_ data: DNGData, of source: CameraRawSource, damage: String?) throws(GscapError) {
        try self.init(data)
        cameraRaw = source
        // The codes in memory need no comparison with their digest.
        checks.set(damage.map { .damaged($0) } ?? .intact, of: PartDigests.raw)
    }
}
