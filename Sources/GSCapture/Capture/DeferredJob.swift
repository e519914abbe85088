internal import Files
internal import Glibc
internal import GscapElements

/// A photo that is still to be fused and encoded: its frames are stored on disk.
///
/// A job is a folder with the frames of a burst as Bayer DNGs, the reference first, and `photo.txt`, the pipeline that
/// makes the photo from them. It gets its name when it is complete, and stays until it is removed, so that another
/// process can finish it after this one was killed.
///
///     NAME.PID.partial ──all frames stored──► NAME ──finish──► photos ──remove──► gone
///            └──capture failed──► gone
public struct DeferredJob: Sendable, Hashable {
    /// The path of the job's folder.
    public let folder: String

    /// The name of the file with the job's pipeline text.
    static let planName = "photo.txt"
    /// The glob pattern of the frames' names.
    static let framePattern = "frame-*.dng"
    private static let partialEnding = ".partial"

    init(folder: String) { self.folder = folder }

    /// The job's name: the last part of its path.
    public var name: String { folder.split(separator: "/").last.map(String.init) ?? folder }

    /// Returns the complete jobs in a folder, sorted by name; none if the folder does not exist.
    public static func all(in folder: String) throws(CaptureError) -> [DeferredJob] {
        try names(in: folder).filter { !$0.hasSuffix(partialEnding) }.sorted()
            .map { DeferredJob(folder: folder + "/" + $0) }
            .filter { unsafe access($0.folder + "/" + planName, R_OK) == 0 }
    }

    /// Returns whether a folder is a job, complete or not.
    package static func exists(at path: String) -> Bool { unsafe access(path + "/" + planName, F_OK) == 0 }

    /// Removes the incomplete jobs in a folder that were left behind by processes that no longer run.
    public static func removeAbandoned(in folder: String) throws(CaptureError) {
        for name in try names(in: folder) where name.hasSuffix(partialEnding) {
            let words = name.dropLast(partialEnding.count).split(separator: ".")
            // Signal 0 tests whether the process exists; it may be one of another user.
            guard let process = words.last.flatMap({ pid_t($0) }) else { continue }
            if kill(process, 0) == 0 || errno != ESRCH { continue }
            try DeferredJob(folder: folder + "/" + name).remove()
        }
    }

    /// Makes the photos of the job with the pipeline in its folder; the job stays on disk. The photos of formats that
    /// failed contain their errors. Throws if no photo could be made.
    ///
    /// Throws `busy` while another process finishes the same job.
    public func finish() async throws(CaptureError) -> [Photo] { try await finish(quality: nil) }

    /// Makes the photos of the job as `finish` does, with another compression quality of its lossy files.
    package func finish(quality: Double?) async throws(CaptureError) -> [Photo] {
        let lock = try lock()
        defer { close(lock) }
        var reading = PipelinePlan.Reading()
        reading.file = folder + "/" + Self.planName
        reading.variables = ["JOB": folder]
        reading.showsPreview = false
        let plan = try PipelinePlan(reading: try planText(), reading)
        var settings = PhotoSettings(everythingOf: plan)
        settings.receiptID = DNGFrameDecoder.captureID(path: framePath(0))
        for case .processed(let format) in plan.branches.map(\.format) where quality != nil && format.hasQuality {
            settings.processedOptions[format, default: ProcessedPhotoOptions()].quality = quality
        }
        let session = CaptureSession(plan: plan)
        let output = PhotoOutput()
        try session.add(output)
        try await session.startRunning()
        let result: Result<[Photo], CaptureError>
        do {
            result = .success(try await output.capturePhoto(with: settings).photos)
        } catch {
            let failure = error as? CaptureError
            result = .failure(failure ?? CaptureError(.cancelled, "\(name): finishing the photo was cancelled"))
        }
        await session.stopRunning()
        return try result.get()
    }

    /// Deletes the job with its frames.
    public func remove() throws(CaptureError) {
        // The plan is deleted first, because a folder without it is no job any more.
        let names = try Self.names(in: folder).sorted { $0 == Self.planName && $1 != Self.planName }
        for name in names {
            let path = folder + "/" + name
            if unsafe unlink(path) != 0, errno != ENOENT { throw Self.failure("cannot delete the file", path) }
        }
        if unsafe rmdir(folder) != 0, errno != ENOENT { throw Self.failure("cannot delete the folder", folder) }
    }

    /// The path of the folder that contains the job; empty for the current one.
    var parent: String { folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "" }

    /// Returns the error that the job cannot be stored. Its place is the folder of the jobs, which the application has
    /// chosen, in place of an incomplete job or a file in it.
    func failure(storing reason: Int32) -> CaptureError {
        CaptureError("the frames of \(name) cannot be stored", parent, reason: reason)
    }

    /// The path of frame `index` of the job; frame 0 is the reference.
    func framePath(_ index: Int) -> String { "\(folder)/frame-\(index < 10 ? "0" : "")\(index).dng" }

    /// The path of an incomplete job of this process.
    var partialFolder: String { "\(folder).\(getpid())\(Self.partialEnding)" }

    /// Locks the job for this process and returns the descriptor that holds the lock until it is closed.
    private func lock() throws(CaptureError) -> Int32 {
        let path = folder + "/" + Self.planName
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("cannot read the job's pipeline", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw CaptureError(.busy, "another process is finishing this photo", place: folder)
        }
        return descriptor
    }

    private func planText() throws(CaptureError) -> String {
        let path = folder + "/" + Self.planName
        guard let file = unsafe fopen(path, "re") else { throw Self.failure("cannot read the job's pipeline", path) }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 100_000)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw CaptureError(.badPipeline, "the job's pipeline is not UTF-8 text", place: path)
        }
        return text
    }

    private static func names(in folder: String) throws(CaptureError) -> [String] {
        if let names = FolderListing.names(in: folder) { return names }
        if errno == ENOENT { return [] }
        throw failure("cannot read the folder", folder)
    }

    static func failure(_ what: String, _ path: String) -> CaptureError {
        let reason = unsafe String(cString: strerror(errno))
        return CaptureError(.cannotWrite, "\(what): \(reason)", place: path)
    }
}
