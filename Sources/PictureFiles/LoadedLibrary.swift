/// The functions of an optional library, loaded on first use and then kept.
///
/// Loading a codec takes longer than the rest of a program's start, and most runs need none. One build serves several
/// releases of a library: the file names of all compatible versions are tried in turn.
@safe package struct LoadedLibrary<Functions>: @unchecked Sendable {
    // Sendable: the addresses of a loaded library's functions never change.

    private let loaded: Result<Functions, PictureFileError>

    /// Loads the first of these files that can be loaded. `load` fills in the functions, or returns why it cannot.
    package init(
        _ files: [String], for users: String, _ empty: Functions,
        _ load: (UnsafePointer<CChar>?, UnsafeMutablePointer<Functions>?) -> UnsafePointer<CChar>?
    ) {
        var functions = empty
        var reasons: [String] = []
        for file in files {
            guard let reason = unsafe load(file, &functions).map({ unsafe String(cString: $0) }) else {
                loaded = .success(functions)
                return
            }
            reasons.append(reason.contains(file) ? reason : "\(file): \(reason)")
        }
        loaded = .failure(Self.failure(files, users, reasons))
    }

    private static func failure(_ files: [String], _ users: String, _ reasons: [String]) -> PictureFileError {
        // A file that is there but broken says more than the versions that are not there.
        let reason = reasons.first { !$0.contains("No such file") } ?? reasons.joined(separator: "; ")
        let packages = files.map(debianPackage).joined(separator: " or ")
        let choice = files.count > 1 ? ", whichever your system has" : ""
        return PictureFileError(
            .missingCodec,
            "\(users) need a library that cannot be loaded (\(reason)); install the Debian package \(packages)\(choice)"
        )
    }

    /// Debian names the packages of libraries after their files.
    private static func debianPackage(of file: String) -> String { file.split(separator: ".so.").joined() }

    /// The functions; throws when the library cannot be loaded.
    package func functions() throws(PictureFileError) -> Functions { try loaded.get() }
}
