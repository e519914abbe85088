internal import Glibc
internal import JSON

/// Makes a file in a folder from each of many photos. A photo that fails does not stop the
/// others, and existing files are kept unless they are to be replaced. No file replaces one of the other photos.
struct FolderRun {
    let operands: FileOperands
    /// The end of the new files' names, with the extension.
    let suffix: String
    let replacesFiles: Bool
    let console: Console

    /// Runs `work` for each photo and returns the exit code. `verb` is the participle for messages, such as
    /// "developed", and `label` the word for the progress line; `work` gets the paths of the photo and of the new file,
    /// and the fields for its event.
    func run(
        verb: String, label: String,
        _ work: (_ path: String, _ target: String, _ fields: [(String, JSON)]) throws -> Void
    ) throws(Failure) -> ExitCode {
        let folder = operands.target
        var report = BatchReport(console: console, verb: verb)
        var failures: [Failure] = []
        let paths = PhotoFolder.expand(operands.inputs, except: folder) { failures.append($0) }
        for failure in failures { report.fail(failure, file: failure.file ?? "") }
        guard !paths.isEmpty || !failures.isEmpty else {
            throw Failure(.badInput, "there are no raw photos in \(operands.inputs.joined(separator: ", "))")
        }
        try PhotoFolder.check(folder)
        let targets = PhotoFolder.targets(in: folder, for: paths, suffix: suffix)
        let sources = SourceFiles(paths)
        for (number, (path, target)) in zip(paths, targets).enumerated() {
            let fields: [(String, JSON)] = [("number", .integer(number + 1)), ("of", .integer(paths.count))]
            guard replacesFiles || !InputFile.isThere(target) else {
                report.keep(target, fields)
                continue
            }
            console.progress(ProgressBar.text(number, of: paths.count, "\(label) \(path)"))
            report.attempt(path, fields) { report in
                try sources.check(target, except: path)
                try work(path, target, fields)
                report.addCompleted()
            }
        }
        report.summarize()
        return report.exitCode
    }
}
