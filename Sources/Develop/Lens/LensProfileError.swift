/// An error that explains why no lens profile could be found.
public typealias LensProfileError = GscapError

extension GscapError.Code {
    /// Lensfun or its database is not installed.
    public static let missingLibrary = Self(rawValue: "missingLibrary")
    /// The database does not contain the lens, or the photo's metadata is insufficient to use it.
    public static let unknownLens = Self(rawValue: "unknownLens")
}
