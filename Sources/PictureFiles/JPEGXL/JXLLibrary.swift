package import CJXL

/// libjxl.
package enum JXLLibrary {
    private static let library = unsafe LoadedLibrary(
        "libjxl.so.\(version)", for: "pictures in JPEG XL", JXLFunctions(), gscap_load_jxl)

    /// Before 1.0 each minor version may change everything.
    private static var version: String {
        let numbers = [JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION]
        return numbers.prefix(JPEGXL_MAJOR_VERSION == 0 ? 2 : 1).map(\.description).joined(separator: ".")
    }

    /// What it can do; throws when it is not here. *Thread-safe.*
    package static func functions() throws(PictureFileError) -> JXLFunctions { try library.functions() }
}
