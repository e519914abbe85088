internal import CWebP
internal import PictureCodecs

/// The libwebp library, loaded at the first use.
package enum WebPLibrary {
    /// The file name of libwebp 0.5 to 1.x, whose headers declare the functions and structs used here compatibly.
    package static let files = ["libwebp.so.7"]

    private static let library = unsafe LoadedLibrary(files, for: "WebP files", WebPFunctions(), gscap_load_webp)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    static func functions() throws(GscapError) -> WebPFunctions {
        try library.functions()
    }
}
