internal import GSCapture
internal import Glibc

/// Fuses each burst among many frames into a file of its own. One that fails does not stop the others, and a file that is
/// there already is kept: a run that was broken off goes on where it ended.
struct FolderFusion {
    let fuser: BurstFuser
    let folder: String
    let console: Console
    private var ledger: BatchLedger
    /// Frames of bursts that are done, for the bar over all.
    private var framesDone = 0

    init(fuser: BurstFuser, folder: String, console: Console) {
        self.fuser = fuser
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.console = console
        ledger = BatchLedger(console: console, deed: "fused")
    }

    mutating func run(on operands: [String]) throws -> ExitCode {
        let (groups, leftOut) = FrameGroup.groups(of: try facts(of: operands))
        for left in leftOut { ledger.leaveOut(left.path, left.reason) }
        guard !groups.isEmpty else {
            console.clearProgress()
            throw Failure(ledger.worst == .done ? .badInput : ledger.worst, "there is no burst among these files")
        }
        try OutputFolder.prepare(folder)
        let targets = OutputFolder.targets(in: folder, for: groups.map { $0.frames[0].path }, ending: "-fused.dng")
        let frames = groups.reduce(0) { $0 + $1.frames.count }
        for (number, group) in groups.enumerated() {
            let place = Place(number: number, groups: groups.count, frames: frames)
            fuse(group, to: targets[number], place)
            framesDone += group.frames.count
        }
        ledger.summarize()
        return ledger.worst
    }

    /// Where a group stands among all.
    private struct Place {
        var number: Int
        var groups: Int
        var frames: Int

        var fields: [(String, JSON)] { [("group", .integer(number + 1)), ("groups", .integer(groups))] }
    }

    // MARK: Before the work

    private mutating func facts(of operands: [String]) throws(Failure) -> [FrameFacts] {
        var seen: Set<String> = []
        let paths = try FuseCommand.files(operands).filter { seen.insert($0).inserted }
        var facts: [FrameFacts] = []
        for (index, path) in paths.enumerated() {
            console.progress(Progress.bar(index, of: paths.count, "looking at \(path)"))
            do throws(Failure) {
                switch try FrameFacts.read(path) {
                case .success(let frame): facts.append(frame)
                case .failure(let left): ledger.leaveOut(left.path, left.reason)
                }
            } catch {
                ledger.fail(error, file: path)
            }
        }
        return facts
    }

    // MARK: The work

    private mutating func fuse(_ group: FrameGroup, to target: String, _ place: Place) {
        let paths = group.frames.map(\.path)
        guard unsafe access(target, F_OK) != 0 else {
            return ledger.keep(target, place.fields)
        }
        let (before, console) = (framesDone, console)
        do {
            let words = "photo \(place.number + 1) of \(place.groups): \(group.frames[0].stem)"
            console.progress(Progress.bar(before, of: place.frames, words))
            let result = try fuser.fuse(paths) { done in
                console.progress(Progress.bar(before + done, of: place.frames, words))
            }
            try FuseCommand.store(result, of: paths, to: target, console, place.fields)
            ledger.note()
        } catch let failure as Failure {
            ledger.fail(failure, file: target, place.fields)
        } catch let error as CaptureError {
            ledger.fail(Failure(error), file: target, place.fields)
        } catch {
            ledger.fail(Failure(.software, "\(target): \(error)"), file: target, place.fields)
        }
    }
}
