internal import GSCapture
internal import Glibc
internal import PictureFiles

/// Renders many photos, each to its own picture. A photo that fails does not stop the others, and existing pictures are
/// kept.
enum FolderDevelopment {
    static func run(_ job: DevelopJob, on operands: [String], to folder: String) throws -> ExitCode {
        var seen: Set<String> = []
        let paths = try PhotoFolder.expand(operands).filter { seen.insert($0).inserted }
        guard !paths.isEmpty else {
            throw Failure(.badInput, "there are no DNGs in \(operands.joined(separator: ", "))")
        }
        try PhotoFolder.prepare(folder)
        let console = job.console
        var report = BatchReport(console: console, verb: "developed")
        let suffix = "." + job.picture.format.fileExtension
        let targets = PhotoFolder.targets(in: folder, for: paths, suffix: suffix)
        for (number, (path, target)) in zip(paths, targets).enumerated() {
            let fields: [(String, JSON)] = [("number", .integer(number + 1)), ("of", .integer(paths.count))]
            guard unsafe access(target, F_OK) != 0 else {
                report.keep(target, fields)
                continue
            }
            console.progress(ProgressBar.text(number, of: paths.count, "developing \(path)"))
            do {
                try job.run(path, to: target, fields)
                report.addCompleted()
            } catch let failure as Failure {
                report.fail(failure, file: path, fields)
            } catch let error as CaptureError {
                report.fail(Failure(error), file: path, fields)
            } catch {
                report.fail(Failure(.software, "\(path): \(error)"), file: path, fields)
            }
        }
        report.summarize()
        return report.exitCode
    }
}
