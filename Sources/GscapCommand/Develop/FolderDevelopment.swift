internal import GSCapture
internal import Glibc
internal import PictureFiles

/// Develops many files, each into a picture of its own. One that fails does not stop the others, and a picture that is
/// there already is kept.
enum FolderDevelopment {
    static func run(_ job: DevelopJob, on operands: [String], to folder: String) throws -> ExitCode {
        var seen: Set<String> = []
        let paths = try FuseCommand.files(operands).filter { seen.insert($0).inserted }
        guard !paths.isEmpty else { throw Failure(.badInput, "there is no DNG in \(operands.joined(separator: ", "))") }
        try OutputFolder.prepare(folder)
        let console = job.console
        var ledger = BatchLedger(console: console, deed: "developed")
        let ending = "." + job.picture.format.fileExtension
        let targets = OutputFolder.targets(in: folder, for: paths, ending: ending)
        for (number, (path, target)) in zip(paths, targets).enumerated() {
            let place: [(String, JSON)] = [("number", .integer(number + 1)), ("of", .integer(paths.count))]
            guard unsafe access(target, F_OK) != 0 else {
                ledger.keep(target, place)
                continue
            }
            console.progress(Progress.bar(number, of: paths.count, "developing \(path)"))
            do {
                try job.run(path, to: target, place)
                ledger.note()
            } catch let failure as Failure {
                ledger.fail(failure, file: path, place)
            } catch let error as CaptureError {
                ledger.fail(Failure(error), file: path, place)
            } catch {
                ledger.fail(Failure(.software, "\(path): \(error)"), file: path, place)
            }
        }
        ledger.summarize()
        return ledger.worst
    }
}
