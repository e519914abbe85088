internal import CHEIF

/// libheif.
package enum HEIFLibrary {
    /// The file name of all versions since 1.0, which add functions only.
    package static let files = ["libheif.so.1"]

    private static let library = unsafe LoadedLibrary(files, for: "HEIF files", HEIFFunctions(), gscap_load_heif)

    /// The library's functions; throws when it cannot be loaded. *Thread-safe.*
    static func functions() throws(PictureFileError) -> HEIFFunctions { try library.functions() }
}
