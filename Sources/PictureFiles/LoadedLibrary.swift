/// The functions of a library that is loaded when they are first asked for, and stays: loading it takes longer than all else
/// that a program does at its start, and most runs never need it.
///
/// Its file must be that of the version whose headers this was built with, since structs differ from one to the next.
@safe package struct LoadedLibrary<Functions>: @unchecked Sendable {
    // Sendable: a library's functions never move.

    private let loaded: Result<Functions, PictureFileError>

    /// Loads a library: `load` fills in its functions, or says why it cannot.
    package init(
        _ name: String, for users: String, _ empty: Functions,
        _ load: (UnsafePointer<CChar>?, UnsafeMutablePointer<Functions>?) -> UnsafePointer<CChar>?
    ) {
        var functions = empty
        if let reason = unsafe load(name, &functions).map({ unsafe String(cString: $0) }) {
            // Debian calls packages of libraries after their files.
            let package = name.split(separator: ".so.").joined()
            loaded = .failure(
                PictureFileError(
                    .missingCodec,
                    "\(users) need a library that cannot be loaded: \(reason); install \(name): Debian's package is "
                        + package))
        } else {
            loaded = .success(functions)
        }
    }

    /// The functions; throws when the library cannot be loaded.
    package func functions() throws(PictureFileError) -> Functions { try loaded.get() }
}
