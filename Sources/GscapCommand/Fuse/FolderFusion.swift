internal import GSCapture
internal import Glibc
internal import JSON

/// Fuses each burst among many frames into its own file. A burst that fails does not stop the others. Existing files
/// are kept, so that an interrupted run can be resumed.
struct FolderFusion {
    let fuser: BurstFuser
    let folder: String
    let console: Console
    private var report: BatchReport
    /// The number of frames in the finished bursts, for the progress bar over all bursts.
    private var framesDone = 0
    /// The frames of all bursts.
    private var sources = SourceFiles([])

    init(fuser: BurstFuser, folder: String, console: Console) {
        self.fuser = fuser
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.console = console
        report = BatchReport(console: console, verb: "fused")
    }

    /// Fuses all bursts among the files and folders, and returns the exit code.
    mutating func run(on operands: [String]) throws -> ExitCode {
        let (groups, excluded) = FrameGroup.groups(of: try candidates(in: operands))
        for file in excluded { report.leaveOut(file.path, file.reason) }
        guard !groups.isEmpty else {
            console.clearProgress()
            throw Failure(
                report.exitCode == .done ? .badInput : report.exitCode, "there is no burst among these files")
        }
        try PhotoFolder.check(folder)
        let targets = PhotoFolder.targets(in: folder, for: groups.map { $0.frames[0].path }, suffix: "-fused.dng")
        let frames = groups.reduce(0) { $0 + $1.frames.count }
        sources = SourceFiles(groups.flatMap { $0.frames.map(\.path) })
        for (number, group) in groups.enumerated() {
            let position = Position(number: number, groups: groups.count, frames: frames)
            fuse(group, to: targets[number], position)
            framesDone += group.frames.count
        }
        report.summarize()
        return report.exitCode
    }

    /// The position of a burst or bracket (a group of frames) in the run, for progress and events.
    private struct Position {
        /// The group's number, from 0.
        var number: Int
        /// The number of groups in the run.
        var groups: Int
        /// The number of frames in all groups.
        var frames: Int

        var fields: [(String, JSON)] { [("group", .integer(number + 1)), ("groups", .integer(groups))] }
    }

    // MARK: Reading metadata

    /// Returns the frames among the files and folders, each once. Files that are not frames of a burst are reported.
    private mutating func candidates(in operands: [String]) throws(Failure) -> [BurstCandidate] {
        var failures: [Failure] = []
        let paths = PhotoFolder.expand(operands, except: folder) { failures.append($0) }
        for failure in failures { report.fail(failure, file: failure.file ?? "") }
        var candidates: [BurstCandidate] = []
        for (index, path) in paths.enumerated() {
            console.progress(ProgressBar.text(index, of: paths.count, "reading \(path)"))
            do throws(Failure) {
                switch try BurstCandidate.read(path) {
                case .success(let frame): candidates.append(frame)
                case .failure(let file): report.leaveOut(file.path, file.reason)
                }
            } catch {
                report.fail(error, file: path)
            }
        }
        return candidates
    }

    // MARK: Fusing

    /// Fuses one burst or bracket, stores the photo at `target` and reports the result.
    private mutating func fuse(_ group: FrameGroup, to target: String, _ position: Position) {
        let paths = group.frames.map(\.path)
        guard fuser.replacesFiles || !InputFile.isThere(target) else {
            return report.keep(target, position.fields)
        }
        let (before, console) = (framesDone, console)
        do {
            try sources.check(target)
            let label = "photo \(position.number + 1) of \(position.groups): \(group.frames[0].stem)"
            func show(_ phase: BurstFuser.Phase) {
                let done = before + min(phase.steps(of: paths.count), paths.count)
                let text = label + ", " + phase.text(of: paths.count)
                console.progress(ProgressBar.text(done, of: position.frames, text))
            }
            show(.fusing(0))
            let result = try fuser.fuse(paths, progress: show)
            try PhotoFolder.prepare(folder)
            try result.store(
                to: target, replacing: fuser.replacesFiles, frames: paths, console, position.fields)
            report.addCompleted()
        } catch let error as Failure {
            report.fail(Failure(error), file: target, position.fields)
        } catch {
            report.fail(Failure(.software, "\(target): \(error)"), file: target, position.fields)
        }
    }
}
