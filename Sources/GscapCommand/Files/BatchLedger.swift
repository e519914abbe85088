/// What became of the files of a long run. A file that fails does not stop the others.
struct BatchLedger {
    let console: Console
    /// What is done to a file, for people: "fused".
    let deed: String
    /// How the command ends: as the first failure says.
    private(set) var worst = ExitCode.done
    private var counts = (done: 0, kept: 0, failed: 0, leftOut: 0)

    init(console: Console, deed: String) {
        self.console = console
        self.deed = deed
    }

    /// A photo that was made.
    mutating func note() { counts.done += 1 }

    /// A photo that is there already: a run that was broken off goes on where it ended.
    mutating func keep(_ target: String, _ place: [(String, JSON)]) {
        counts.kept += 1
        console.event("kept", [("file", .text(target))] + place)
        console.detail("\(target) is there already, and is kept")
    }

    /// A photo that could not be made, or a file that could not be read.
    mutating func fail(_ failure: Failure, file: String, _ place: [(String, JSON)] = []) {
        if worst == .done { worst = failure.code }
        counts.failed += 1
        console.event("failed", [("file", .text(file)), ("reason", .text(failure.message))] + place)
        console.note(failure.message)
    }

    /// A file that is not meant.
    mutating func leaveOut(_ path: String, _ reason: String) {
        counts.leftOut += 1
        console.event("leftOut", [("file", .text(path)), ("reason", .text(reason))])
        if !console.isJSON { console.note("\(path) was left out: \(reason)") }
    }

    /// The counts, said at the end.
    func summarize() {
        console.event(
            "done",
            [
                (deed, .integer(counts.done)), ("kept", .integer(counts.kept)), ("failed", .integer(counts.failed)),
                ("leftOut", .integer(counts.leftOut)),
            ])
        guard !console.isJSON else { return }
        var parts = ["\(counts.done) photos \(deed)"]
        if counts.kept > 0 { parts.append("\(counts.kept) there already") }
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        if counts.leftOut > 0 { parts.append("\(counts.leftOut) files left out") }
        console.print(parts.joined(separator: ", "))
    }
}
