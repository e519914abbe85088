internal import CLCMS
internal import PictureCodecs

/// The Little CMS library, loaded at the first use.
package enum LCMSLibrary {
    /// The file names of the library: releases 2.x have the same interface.
    package static let files = ["liblcms2.so.2"]

    private static let library = unsafe LoadedLibrary(
        files, for: "pictures with an ICC output profile", LCMSFunctions(), gscap_load_lcms)

    /// Returns the library's functions; throws if it cannot be loaded. *Thread-safe.*
    static func functions() throws(GscapError) -> LCMSFunctions {
        try library.functions()
    }
}
