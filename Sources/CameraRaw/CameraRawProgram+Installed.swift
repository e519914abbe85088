internal import CCameraRaw
internal import Glibc

extension CameraRawProgram {
    /// The program that belongs to this code.
    package static let installed = CameraRawProgram(
        paths: folders.flatMap { folder in
            names.map { folder + "/" + $0 }.filter { unsafe access($0, X_OK) == 0 }
        })

    /// The program's name in a build folder, or installed for this system's LibRaw. In Debian packages, which are for
    /// several releases, it has a build for each; the number is that of LibRaw's file, such as `libraw_r.so.20`.
    private static let names = ["gscap-libraw", "gscap-libraw-25", "gscap-libraw-23", "gscap-libraw-20"]

    /// The folders to search: that of the command, plugin or program with this code, which is the build folder, and
    /// that of the Swift runtime, beside which the program is installed.
    private static var folders: [String] {
        let files = unsafe [Self.text(gscap_raw_object(#dsohandle)), Self.text(gscap_raw_runtime()), "/proc/self/exe"]
        var folders: [String] = []
        for file in files {
            // The name of a program that the shell found in PATH has no folder.
            guard let file, file.contains("/"), let path = unsafe realpath(file, nil) else { continue }
            defer { unsafe free(path) }
            let name = unsafe String(cString: path)
            guard let slash = name.lastIndex(of: "/"), !folders.contains(String(name[..<slash])) else { continue }
            folders.append(String(name[..<slash]))
        }
        return folders
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }
}
