/// The functions of an optional library, loaded at the first use.
///
/// Loading a codec takes longer than the rest of a program's start, and most runs do not need one. One build supports
/// several releases of a library: the file names of all compatible versions are tried in turn.
@safe package struct LoadedLibrary<Functions>: @unchecked Sendable {
    // Sendable: the addresses of a loaded library's functions never change.

    private let loaded: Result<Functions, GscapError>

    /// Loads the first of `files` that can be loaded. `load` fills in the functions, or returns the reason for its
    /// failure. `users` names the pictures that need the library, for the error message, and `packages` the Debian
    /// packages of the files, if they cannot be derived from these.
    package init(
        _ files: [String], in packages: [String]? = nil, for users: String, _ empty: Functions,
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
        loaded = .failure(Self.failure(packages ?? files.map(Self.debianPackage), users, reasons))
    }

    private static func failure(_ packages: [String], _ users: String, _ reasons: [String]) -> GscapError {
        // The error of an existing but unusable file is more helpful than those of absent versions.
        let reason = reasons.first { !$0.contains("No such file") } ?? reasons.joined(separator: "; ")
        let choice = packages.count > 1 ? ", whichever your release has" : ""
        return GscapError(
            .missingCodec,
            "\(users) need a library that cannot be loaded (\(reason)); install the Debian package "
                + "\(packages.joined(separator: " or "))\(choice)"
        )
    }

    /// Returns the name of the Debian package that contains a library file: libjxl0.7 for libjxl.so.0.7, and, with a
    /// hyphen after a digit, liblcms2-2 for liblcms2.so.2.
    private static func debianPackage(of file: String) -> String {
        let parts = file.split(separator: ".so.")
        return parts.joined(separator: parts.first?.last?.isNumber == true ? "-" : "")
    }

    /// Returns the functions; throws if the library cannot be loaded.
    package func functions() throws(GscapError) -> Functions { try loaded.get() }
}
