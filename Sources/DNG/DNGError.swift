// Exported, so that the members of the error and of the data are visible in all files and wherever DNG is imported.
@_exported public import TIFF

/// An error of encoding, opening or decoding a DNG file: its message names what the error
/// concerns, and `location` the file, tag and byte offset as far as they are known.
public typealias DNGError = GscapError

/// A finished DNG file in memory.
public typealias DNGData = TIFFData

extension GscapError.Code {
    /// The digest of a part of the file does not match its bytes: they were changed after the file was written.
    public static let damaged = Self(rawValue: "damaged")
    /// The file is a camera's own raw file, such as a NEF, which `DNGFile(rawFile:)` reads through LibRaw.
    public static let cameraRaw = Self(rawValue: "cameraRaw")
    /// The file has no picture of the requested kind.
    public static let noSuchImage = Self(rawValue: "noSuchImage")
}
