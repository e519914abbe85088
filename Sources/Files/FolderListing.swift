internal import Glibc

/// The names in a folder.
package enum FolderListing {
    /// Returns the names of all files and folders in a folder, in any order, without `.` and `..`; nil if the folder
    /// cannot be read, with the reason in `errno`. Names that are not text are those of `String.init(pathBytes:)`.
    package static func names(in folder: String) -> [String]? {
        guard let directory = unsafe opendir(folder.cPath) else { return nil }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe String(pathBytes: field.prefix { $0 != 0 })
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
