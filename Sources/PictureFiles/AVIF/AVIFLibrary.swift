internal import CAVIF

/// libavif.
enum AVIFLibrary {
    private static let library = unsafe LoadedLibrary(
        "libavif.so.\(AVIF_VERSION_MAJOR == 0 ? 15 : 16)", for: "AVIF files", AVIFFunctions(), gscap_load_avif)

    /// What it can do; throws when it is not here. *Thread-safe.*
    static func functions() throws(PictureFileError) -> AVIFFunctions { try library.functions() }
}
