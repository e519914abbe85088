internal import CAVIF
internal import PictureCodecs

/// The libavif library, loaded at the first use.
package enum AVIFLibrary {
    /// The file names of the libavif versions that `CAVIF` supports: first 1.x, then 0.11.
    package static let files = ["libavif.so.16", "libavif.so.15"]

    private static let library = unsafe LoadedLibrary(files, for: "AVIF files", AVIFFunctions(), gscap_load_avif)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    static func functions() throws(GscapError) -> AVIFFunctions {
        try library.functions()
    }
}
