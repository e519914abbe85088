internal import CHEIF
internal import PictureCodecs

/// The libheif library, loaded at the first use.
package enum HEIFLibrary {
    /// The file name of all versions since 1.0, which only add functions.
    package static let files = ["libheif.so.1"]

    private static let library = unsafe LoadedLibrary(files, for: "HEIF files", HEIFFunctions(), gscap_load_heif)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    static func functions() throws(GscapError) -> HEIFFunctions {
        try library.functions()
    }
}
