internal import Glibc

/// An error of encoding, opening or decoding a file with TIFF's structure. The module DNG calls it `DNGError`, since
/// its files have that structure and fail in the same ways, and adds kinds of failure.
public struct TIFFError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind of failure.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture, metadata or settings passed to the encoder are invalid.
        public static let badPicture = Code(rawValue: "badPicture")
        /// The file cannot be opened or read.
        public static let cannotRead = Code(rawValue: "cannotRead")
        /// The bytes are not a DNG file, or the file is damaged.
        public static let malformed = Code(rawValue: "malformed")
        /// The file uses a feature of the format that this reader does not support.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Memory could not be allocated.
        public static let noMemory = Code(rawValue: "noMemory")
        /// libtiff, libjpeg-turbo or libjxl rejected a call of gscap, which is a bug in gscap.
        public static let container = Code(rawValue: "container")
    }

    /// The kind of failure.
    public var code: Code
    /// A message for people: what is wrong, where, and what to do.
    public var message: String

    /// The position in the file that the error concerns; nil if it concerns no position, or one that is not known.
    public var location: Location?
    /// The underlying error: of the operating system, of a picture's samples or metadata, of a codec, or of decoding
    /// one strip or tile; nil if there is none.
    public var cause: (any Error)?

    /// Creates an error of a kind with its message.
    public init(_ code: Code, _ message: String, at location: Location? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.cause = cause
    }

    /// The message alone: its text names what the error concerns, so `location` and `cause` are not appended.
    public var description: String { message }
}

extension TIFFError {
    /// A position in a file: the file, a tag, and a byte offset, as far as they are known.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
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

        /// The known parts in one line, such as "photo.dng, tag BlackLevel (50714), byte 8".
        public var description: String {
            let tag = tag.flatMap(UInt32.init(exactly:)).map { TIFFTag($0).description }
            return [path, tag, offset.map { "byte \($0)" }].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// An error number of the operating system (errno), as the cause of a file that cannot be opened.
    public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The error number, such as ENOENT.
        public var number: Int32

        /// Creates an error from its number.
        public init(number: Int32) {
            self.number = number
        }

        /// The system's text for the number, such as "No such file or directory".
        public var description: String { unsafe String(cString: strerror(number)) }
    }
}

extension TIFFError {
    /// Returns the error of the file at a path: its message and location name the file.
    package func naming(_ path: String) -> TIFFError {
        var named = self
        named.location = location ?? Location()
        named.location?.path = path
        if !message.hasPrefix(path) { named.message = "\(path): \(message)" }
        return named
    }

    /// Compares all properties; causes are equal if their descriptions are.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message && left.location == right.location
            && left.cause.map { "\($0)" } == right.cause.map { "\($0)" }
    }

    /// Hashes all properties except the cause.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(location)
    }
}

extension TIFFError.Location {
    /// Creates the location of a directory, or of one of its tags.
    package init(_ directory: TIFFDirectory, _ tag: TIFFTag? = nil) {
        self.init(
            path: directory.container.source.path, tag: (tag?.number).map { Int($0) }, offset: directory.offset)
    }
}
