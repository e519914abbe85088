internal import CLensfun
internal import PictureCodecs

/// The Lensfun library, loaded at the first use.
package enum LensfunLibrary {
    /// The file name of Lensfun 0.3.x, whose headers declare the functions and structs used here identically.
    package static let files = ["liblensfun.so.1"]

    private static let library = unsafe LoadedLibrary(
        files, for: "lens corrections of Lensfun", LensfunFunctions(), gscap_load_lensfun)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    static func functions() throws(GscapError) -> LensfunFunctions {
        try GscapError.recoding(as: .missingLibrary, try library.functions())
    }
}
