// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error of encoding, opening or decoding a file with TIFF's structure. Its message names what the error concerns;
/// `location` names the file, tag and byte offset as far as they are known.
public typealias TIFFError = GscapError

extension GscapError.Code {
    /// libtiff, libjpeg-turbo or libjxl rejected a call of gscap, which is a bug in gscap.
    public static let container = Self(rawValue: "container")
}

/// A position in a file with TIFF's structure: the file, a tag, and a byte offset, as far as they are known.
public struct TIFFLocation: ErrorPosition, CustomStringConvertible {
    /// The file's path; nil for a file in memory.
    public var path: String?
    /// The number of the tag, such as 50714 for BlackLevel.
    public var tag: Int?
    /// The offset in the file, in bytes, of the directory (IFD), strip or tile.
    public var offset: Int?

    /// Creates a location from the parts that are known.
    public init(path: String? = nil, tag: Int? = nil, offset: Int? = nil) {
        self.path = path
        self.tag = tag
        self.offset = offset
    }

    /// Creates the location of a directory, or of one of its tags.
    package init(_ directory: TIFFDirectory, _ tag: TIFFTag? = nil) {
        self.init(
            path: directory.container.source.path, tag: (tag?.number).map { Int($0) }, offset: directory.offset)
    }

    /// Nil: the file is no text.
    public var markedText: String? { nil }

    /// The known parts in one line, such as "photo.dng, tag BlackLevel (50714), byte 8".
    public var description: String {
        let tag = tag.flatMap(UInt32.init(exactly:)).map { TIFFTag($0).description }
        return [path, tag, offset.map { "byte \($0)" }].compactMap(\.self).joined(separator: ", ")
    }
}

extension GscapError {
    /// A position in a file with TIFF's structure.
    public typealias Location = TIFFLocation

    /// The position in a file with TIFF's structure; nil if the error concerns none, or one that is not known.
    public var location: TIFFLocation? {
        get { position as? TIFFLocation }
        set { position = newValue }
    }

    /// Returns the error of the file at a path: its message and location name the file.
    package func naming(_ path: String) -> GscapError {
        var named = self
        var location = location ?? TIFFLocation()
        location.path = path
        named.location = location
        if !message.hasPrefix(path) { named.message = "\(path): \(message)" }
        return named
    }
}
