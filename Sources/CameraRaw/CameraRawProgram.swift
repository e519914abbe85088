internal import CCameraRaw
internal import Glibc

/// The program `gscap-libraw`, which reads a camera's raw file through LibRaw in a process of its own.
///
/// LibRaw crashes or hangs on some malformed files, and a crafted one may take it over. The process can open nothing
/// and is limited in memory and time, so that such a file is an error and all others are read. The file, an open
/// descriptor, is its only input, and a record in memory (memfd) its only output.
///
/// *Thread-safe.*
package struct CameraRawProgram: Sendable {
    /// What is read of a file, as the program's first argument has it.
    enum Request: String {
        /// The metadata and the description of the raw picture.
        case header
        /// The raw picture, too.
        case codes
        /// The largest JPEG in the file.
        case preview
    }

    /// The paths of the program's builds, one for each release of LibRaw. The first one whose LibRaw is installed runs.
    package var paths: [String]
    /// The limits; nil to set them by the size of the file.
    package var limits: CameraRawLimits?

    /// Creates a program of which several builds may be installed.
    package init(paths: [String], limits: CameraRawLimits? = nil) {
        self.paths = paths
        self.limits = limits
    }

    /// Debian's packages of LibRaw: of Debian 12, of Debian 13, and of later releases.
    package static let packages = ["libraw20", "libraw23t64", "libraw25"]

    /// Reads a file.
    func read(_ request: Request, of path: String) throws(GscapError) -> CameraRawRecord {
        let file = try Descriptor.opening(file: path)
        let size = file.fileSize
        guard size > 0 else { throw GscapError(.unsupported, "the file is empty") }
        guard !paths.isEmpty else {
            throw GscapError(
                .missingCodec,
                "the program gscap-libraw, which reads cameras' raw files, is neither beside gscap nor in its folder "
                    + "of libraries: install gscap completely, or run make build")
        }
        let limits = limits ?? CameraRawLimits(fileSize: size)
        var reasons: [String] = []
        for program in paths {
            guard let output = Descriptor(gscap_raw_create_output()) else {
                throw Self.failure("memory for the result")
            }
            let ending = try CameraRawProcess.run(
                [program, request.rawValue, "\(limits.memory)", "\(limits.processorSeconds)"], file: file,
                output: output, seconds: limits.seconds)
            if ending.isNotLoaded {
                reasons.append(ending.messages)
                continue
            }
            if let error = ending.error(limits) { throw error }
            return try CameraRawRecord(output, fileSize: size, limits: limits)
        }
        throw GscapError(
            .missingCodec,
            "LibRaw, which reads raw files of cameras (NEF, ARW, CR3, RAF …), is missing: install the Debian package "
                + Self.packages.joined(separator: " or ") + " (\(reasons.joined(separator: "; ")))")
    }

    /// Returns the error for a resource of the system that is exhausted.
    static func failure(_ resource: String) -> GscapError {
        GscapError(.noMemory, "there is no \(resource) of the program gscap-libraw: \(Descriptor.systemError())")
    }
}
