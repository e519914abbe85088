package import CJXL

/// The libjxl library, loaded at the first use.
package enum JXLLibrary {
    /// The file names of libjxl 0.11 to 0.7, newest first: their headers declare the functions and structs used here
    /// identically.
    package static let files = [11, 10, 9, 8, 7].map { "libjxl.so.0.\($0)" }

    private static let library = unsafe LoadedLibrary(
        files, for: "pictures in JPEG XL", JXLFunctions(), gscap_load_jxl)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    package static func functions() throws(GscapError) -> JXLFunctions { try library.functions() }
}
