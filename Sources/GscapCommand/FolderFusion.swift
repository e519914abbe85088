internal import GSCapture
internal import Glibc

/// Fuses each burst among many frames into a file of its own. One that fails does not stop the others, and a file that is
/// there already is kept: a run that was broken off goes on where it ended.
struct FolderFusion {
    let fuser: BurstFuser
    let folder: String
    let console: Console
    private var worst = ExitCode.done
    private var counts = (fused: 0, kept: 0, failed: 0, leftOut: 0)
    /// Frames of bursts that are done, for the bar over all.
    private var framesDone = 0

    init(fuser: BurstFuser, folder: String, console: Console) {
        self.fuser = fuser
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.console = console
    }

    mutating func run(on operands: [String]) throws -> ExitCode {
        let (groups, leftOut) = FrameGroup.groups(of: try facts(of: operands))
        for left in leftOut { leaveOut(left) }
        guard !groups.isEmpty else {
            console.clearProgress()
            throw Failure(worst == .done ? .badInput : worst, "there is no burst among these files")
        }
        try OutputFolder.prepare(folder)
        let targets = targets(for: groups)
        let frames = groups.reduce(0) { $0 + $1.frames.count }
        for (number, group) in groups.enumerated() {
            let place = Place(number: number, groups: groups.count, frames: frames)
            fuse(group, to: targets[number], place)
            framesDone += group.frames.count
        }
        summarize()
        return worst
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
                case .failure(let left): leaveOut(left)
                }
            } catch {
                fail(error, file: path, [])
            }
        }
        return facts
    }

    /// A name for each photo, after its first frame; where two would be alike, after its folder too, or with a number.
    /// The same files have the same names in every run.
    private func targets(for groups: [FrameGroup]) -> [String] {
        let stems = groups.map { $0.frames[0].stem }
        let counts = Dictionary(stems.map { ($0, 1) }, uniquingKeysWith: +)
        var names: Set<String> = []
        return zip(groups, stems).map { group, stem in
            let parent = group.frames[0].path.split(separator: "/").dropLast().last.map { "\($0)-" } ?? ""
            let first = (counts[stem, default: 0] > 1 ? parent : "") + stem
            var (name, number) = (first, 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(first)-\(number)"
            }
            return folder + name + "-fused.dng"
        }
    }

    // MARK: The work

    private mutating func fuse(_ group: FrameGroup, to target: String, _ place: Place) {
        let paths = group.frames.map(\.path)
        guard unsafe access(target, F_OK) != 0 else {
            counts.kept += 1
            console.event("kept", [("file", .text(target))] + place.fields)
            return console.detail("\(target) is there already, and is kept")
        }
        let (before, console) = (framesDone, console)
        do {
            let words = "photo \(place.number + 1) of \(place.groups): \(group.frames[0].stem)"
            console.progress(Progress.bar(before, of: place.frames, words))
            let result = try fuser.fuse(paths) { done in
                console.progress(Progress.bar(before + done, of: place.frames, words))
            }
            try FuseCommand.store(result, of: paths, to: target, console, place.fields)
            counts.fused += 1
        } catch let failure as Failure {
            fail(failure, file: target, place.fields)
        } catch let error as CaptureError {
            fail(Failure(error), file: target, place.fields)
        } catch {
            fail(Failure(.software, "\(target): \(error)"), file: target, place.fields)
        }
    }

    private mutating func fail(_ failure: Failure, file: String, _ place: [(String, JSON)]) {
        if worst == .done { worst = failure.code }
        counts.failed += 1
        console.event("failed", [("file", .text(file)), ("reason", .text(failure.message))] + place)
        console.note(failure.message)
    }

    private mutating func leaveOut(_ left: LeftOut) {
        counts.leftOut += 1
        console.event("leftOut", [("file", .text(left.path)), ("reason", .text(left.reason))])
        if !console.isJSON { console.note("\(left.path) was left out: \(left.reason)") }
    }

    private func summarize() {
        console.event(
            "done",
            [
                ("fused", .integer(counts.fused)), ("kept", .integer(counts.kept)), ("failed", .integer(counts.failed)),
                ("leftOut", .integer(counts.leftOut)),
            ])
        guard !console.isJSON else { return }
        var parts = ["\(counts.fused) photos fused"]
        if counts.kept > 0 { parts.append("\(counts.kept) there already") }
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        if counts.leftOut > 0 { parts.append("\(counts.leftOut) frames left out") }
        console.print(parts.joined(separator: ", "))
    }
}
