internal import GStreamer
internal import Glibc

/// The expansion of glob patterns such as `burst/*.dng`. The name of a file that exists stands for that file, also if
/// it has brackets.
enum FilePattern {
    /// Returns the matching files sorted by name; throws if there is none.
    static func files(matching pattern: String) throws(GscapError) -> [String] {
        guard !pattern.isEmpty else {
            throw GscapError(
                message: "no files to play: set location, for example location=burst/*.dng", place: "location")
        }
        if unsafe access(pattern, F_OK) == 0 { return [pattern] }
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        let status = unsafe glob(pattern, GLOB_TILDE, nil, &found)
        guard status == 0 else {
            throw GscapError(message: "no file matches \(pattern): check the path", place: "location")
        }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
        }
    }
}
