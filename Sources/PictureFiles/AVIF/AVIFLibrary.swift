internal import CAVIF
internal import PictureCodecs

/// The libavif library, loaded at the first use.
package enum AVIFLibrary {
    /// The file names of the versions that `CAVIF` supports: 1.x and 0.11.
    package static let files = ["libavif.so.16", "libavif.so.15"]

    private static let library = unsafe LoadedLibrary(files, for: "AVIF files", AVIFFunctions(), gscap_load_avif)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    static func functions() throws(PictureFileError) -> AVIFFunctions {
        try translatingErrors { () throws(CodecError) in try library.functions() }
    }
}
