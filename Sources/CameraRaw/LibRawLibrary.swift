internal import CLibRaw
internal import PictureCodecs

/// The LibRaw library, loaded at the first use.
package enum LibRawLibrary {
    /// The file names of LibRaw 0.20 to 0.22, newest first, in the build whose photos may be decoded on several threads
    /// at once.
    package static let files = ["libraw_r.so.25", "libraw_r.so.23", "libraw_r.so.20"]
    /// Debian's packages of these files: of Debian 12, of Debian 13, and of later releases.
    package static let packages = ["libraw20", "libraw23t64", "libraw25"]

    private static let library = unsafe LoadedLibrary(
        files, in: packages, for: "raw files of cameras (NEF, ARW, CR3, RAF …)", LibRawFunctions(), gscap_load_libraw)

    /// Returns the library's functions, the layout of its data and its version. Throws if it cannot be loaded, or if
    /// its layout is not known. *Thread-safe.*
    static func load() throws(CameraRawError) -> (functions: LibRawFunctions, layout: LibRawLayout, version: String) {
        let functions: LibRawFunctions
        do throws(CodecError) {
            functions = try library.functions()
        } catch {
            throw CameraRawError(.missingLibrary, error.message)
        }
        // LibRaw says 0.20.2-Release.
        let words = unsafe functions.version().map { unsafe String(cString: $0) } ?? ""
        let version = String(words.prefix { $0 != "-" })
        let number = functions.versionNumber()
        // The version number has the major, minor and patch version in a byte each.
        let release = "\(number >> 16 & 255).\(number >> 8 & 255)"
        guard let layout = LibRawLayout.all.first(where: { $0.release == release }) else {
            throw CameraRawError(
                .missingLibrary,
                "LibRaw \(version) is not a release that gscap reads: install the Debian package "
                    + packages.joined(separator: " or "))
        }
        return (functions, layout, version)
    }
}
