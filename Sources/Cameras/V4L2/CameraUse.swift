internal import Errors
internal import Files
internal import Glibc

/// Says who uses a camera.
enum CameraUse {
    /// Returns an error of a camera, with the programs that use it if it is in use.
    static func error(_ message: String, _ error: SystemError, _ node: VideoNode) -> GscapError {
        guard error.number == EBUSY else {
            return GscapError(.pipelineFailed, "\(message): \(error)", place: node.file.path, cause: error)
        }
        let programs = programs(using: node.file.path)
        let others = programs.isEmpty ? "another program" : programs.joined(separator: " and ")
        return GscapError(
            .pipelineFailed, "\(message), because \(others) uses it: end that program first", place: node.file.path,
            cause: error)
    }

    /// The names and numbers of the other processes of this user that have a file open; of all users' for root.
    private static func programs(using path: String) -> [String] {
        let processes = (FolderListing.names(in: "/proc") ?? []).filter { Int32($0) != nil && Int32($0) != getpid() }
        return processes.filter { process in
            (FolderListing.names(in: "/proc/\(process)/fd") ?? []).contains {
                SystemFile.link("/proc/\(process)/fd/\($0)") == path
            }
        }.map { "\(SystemFile.text("/proc/\($0)/comm") ?? "a process") (process \($0))" }
    }
}
