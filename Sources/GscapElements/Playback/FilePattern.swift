internal import GStreamer
internal import Glibc

/// The files that a pattern such as `burst/*.dng` names.
enum FilePattern {
    /// The files in the order of their names; at least one.
    static func files(matching pattern: String) throws(GStreamerError) -> [String] {
        guard !pattern.isEmpty else {
            throw GStreamerError(message: "say which files to play: location=burst/*.dng", place: "location")
        }
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        let status = unsafe glob(pattern, GLOB_TILDE, nil, &found)
        guard status == 0 else {
            throw GStreamerError(message: "no file matches \(pattern); is the path right?", place: "location")
        }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
        }
    }
}
