internal import CHEIF

/// libheif.
enum HEIFLibrary {
    private static let library = unsafe LoadedLibrary(
        "libheif.so.1", for: "HEIF files", HEIFFunctions(), gscap_load_heif)

    /// What it can do; throws when it is not here. *Thread-safe.*
    static func functions() throws(PictureFileError) -> HEIFFunctions { try library.functions() }
}
