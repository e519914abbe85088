internal import Files
internal import GSCapture
internal import Glibc
internal import JSON

/// `gscap finish FOLDER`: makes the photos whose frames deferred captures have stored.
enum FinishCommand: Subcommand {
    static let name = CommandName.finish
    static let help = CommandHelp(
        usage: [("gscap finish FOLDER… [options]", "")],
        summary: "finish the deferred photos in a folder",
        details: """
            Makes the photos of deferred captures. Such a capture stores the frames of its burst and the pipeline that
            makes the photo as a job: a folder in FOLDER, or in its subfolder "deferred". A job is deleted when all its
            files are stored; a job that fails stays, so that it can be tried again. Jobs that another process is
            finishing are left out. A file that exists already is kept, and the job's preview NAME-proxy.jpg in DIR is
            deleted.
            """,
        examples: """
            Examples
              gscap finish photos
            """,
        operands: .folders)

    static func run(_ options: Options, _ console: Console) async throws -> ExitCode {
        guard !options.operands.isEmpty else {
            throw Failure(.usage, "no folder is named: gscap finish photos")
        }
        if options.value("--output").map(StandardFile.isOutput) ?? false {
            throw Failure(.usage, "finish makes many files: name a folder with --output, ./- if it is called so")
        }
        let quality = try options.quality()
        var report = BatchReport(console: console, verb: "finished")
        for folder in options.operands {
            guard PhotoFolder.isFolder(folder) else {
                report.fail(
                    Failure(.noInput, "\(folder): there is no such folder", file: folder), file: folder)
                continue
            }
            let jobs = try jobFolder(of: folder)
            let output = options.value("--output") ?? PhotoFolder.parent(of: jobs)
            try PhotoFolder.check(output)
            try DeferredJob.removeAbandoned(in: jobs)
            for job in try DeferredJob.all(in: jobs) {
                try PhotoFolder.prepare(output)
                await finish(job, to: output, quality, keepsJob: options.has("--keep"), console, &report)
            }
            // Only an empty folder can be deleted by rmdir.
            unsafe rmdir(jobs)
        }
        report.summarize()
        return report.exitCode
    }

    /// Returns the folder of the jobs: the named one, or its subfolder `deferred` if it has no jobs itself.
    private static func jobFolder(of folder: String) throws -> String {
        let inside = folder.hasSuffix("/") ? folder + "deferred" : folder + "/deferred"
        return try DeferredJob.all(in: folder).isEmpty && PhotoFolder.isFolder(inside) ? inside : folder
    }

    /// Finishes one job and reports its files, or its failure.
    private static func finish(
        _ job: DeferredJob, to folder: String, _ quality: Double?, keepsJob: Bool, _ console: Console,
        _ report: inout BatchReport
    ) async {
        console.progress("finishing \(job.name)")
        do throws(CaptureError) {
            let photos = try await job.finish(quality: quality)
            for photo in photos { try store(photo, of: job, among: photos, in: folder, console, &report) }
            unsafe unlink("\(folder)/\(job.name)-proxy.jpg")
            if !keepsJob { try job.remove() }
            report.addCompleted()
        } catch {
            if error.code == .busy { return report.leaveOut(job.folder, error.message) }
            report.fail(Failure(error), file: job.folder)
        }
    }

    /// Stores one file of a photo. Files of the same ending are distinguished by the name of their format.
    private static func store(
        _ photo: Photo, of job: DeferredJob, among photos: [Photo], in folder: String, _ console: Console,
        _ report: inout BatchReport
    ) throws(CaptureError) {
        let isUnique = photos.count { $0.format.fileExtension == photo.format.fileExtension } == 1
        let kind = isUnique ? nil : photo.format.name
        let path = ShotNames(folder: folder).path(
            of: job.name, kind: kind, part: nil, fileExtension: photo.format.fileExtension)
        if photo.error == nil, unsafe access(path, F_OK) == 0 { return report.keep(path, []) }
        console.progress("writing \(path)")
        try photo.write(to: path)
        console.event("file", [("file", .text(path)), ("bytes", .integer(photo.fileSize))])
        if !console.isJSON {
            console.print("\(path)  \(TextFormat.size(photo.fileSize)), \(photo.format.summary)")
        }
    }
}
