package import CJXL

/// libjxl.
package enum JXLLibrary {
    /// The file names of the versions 0.7 to 0.11: the headers of 0.7 and 0.11 declare the same
    /// functions and structs, as far as they are used here.
    package static let files = [11, 10, 9, 8, 7].map { "libjxl.so.0.\($0)" }

    private static let library = unsafe LoadedLibrary(
        files, for: "pictures in JPEG XL", JXLFunctions(), gscap_load_jxl)

    /// The library's functions; throws when it cannot be loaded. *Thread-safe.*
    package static func functions() throws(PictureFileError) -> JXLFunctions { try library.functions() }
}
