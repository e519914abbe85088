internal import GSCapture
internal import JSON

/// The results of a run over many files, in which a file that fails does not stop the others.
struct BatchReport {
    let console: Console
    /// The participle that messages use for a processed file, such as "fused".
    let verb: String
    /// The exit code of the command: that of the first failure, or success.
    private(set) var exitCode = ExitCode.done
    private var counts = (done: 0, kept: 0, failed: 0, leftOut: 0)

    init(console: Console, verb: String) {
        self.console = console
        self.verb = verb
    }

    /// Counts an input as processed and its output as stored.
    mutating func addCompleted() { counts.done += 1 }

    /// Reports an output that exists already and is kept, so that an interrupted run can be resumed.
    mutating func keep(_ target: String, _ fields: [(String, JSON)]) {
        counts.kept += 1
        console.event("kept", [("file", .text(target))] + fields)
        console.verboseNote("\(target) exists already and is kept")
    }

    /// Reports a photo that could not be stored, or a file that could not be read, and continues.
    mutating func fail(_ failure: Failure, file: String, _ fields: [(String, JSON)] = []) {
        if exitCode == .done { exitCode = failure.exitCode }
        counts.failed += 1
        console.report(Failure(failure.exitCode, failure.message, file: file), fields)
    }

    /// Runs the work on one input, with this report; a failure is reported and does not stop the run.
    mutating func attempt(
        _ file: String, _ fields: [(String, JSON)] = [], _ work: (inout BatchReport) throws -> Void
    ) {
        do {
            try work(&self)
        } catch let error as Failure {
            fail(Failure(error), file: file, fields)
        } catch {
            fail(Failure(.software, "\(file): \(error)"), file: file, fields)
        }
    }

    /// Counts an input whose own result is a failure, such as a damaged file, and was printed already.
    mutating func addFailure(_ code: ExitCode) {
        if exitCode == .done { exitCode = code }
        counts.failed += 1
    }

    /// Reports an input file that the run does not use.
    mutating func leaveOut(_ path: String, _ reason: String) {
        counts.leftOut += 1
        console.event("leftOut", [("file", .text(path)), ("reason", .text(reason))])
        if !console.isJSON { console.note("\(path) was left out: \(reason)") }
    }

    /// Prints the numbers of files processed, kept, failed and left out, at the end of the run.
    func summarize() {
        console.event(
            "done",
            [
                (verb, .integer(counts.done)), ("kept", .integer(counts.kept)), ("failed", .integer(counts.failed)),
                ("leftOut", .integer(counts.leftOut)),
            ])
        guard !console.isJSON else { return }
        var parts = [TextFormat.count(counts.done, "photo") + " \(verb)"]
        if counts.kept > 0 { parts.append("\(counts.kept) existed already") }
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        if counts.leftOut > 0 { parts.append(TextFormat.count(counts.leftOut, "file") + " left out") }
        console.print(parts.joined(separator: ", "))
    }
}
