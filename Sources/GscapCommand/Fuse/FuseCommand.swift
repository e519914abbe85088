internal import DNG
internal import Fusion
internal import GSCapture
internal import Glibc

/// `gscap fuse FRAME.dng… -o OUT.dng`: one clean photo of a burst on disk; `gscap fuse FOLDER… -o DIR/`: one of each.
enum FuseCommand {
    private static let known: [Options.Known] = [
        .value("--output"), .flag("--mosaic"), .value("--reference"), .value("--mode"), .value("--strength"),
        .value("--denoise"), .value("--detail"), .value("--bracket"), .flag("--json"), .flag("--verbose"),
        .flag("--help"),
    ]

    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help("fuse") }
        guard let target = options.value("--output"), !options.operands.isEmpty else {
            throw Failure(.usage, "say which frames, and where to: gscap fuse FRAME.dng… -o OUT.dng")
        }
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        let fuser = try fuser(options)
        if isFolder(target, for: options.operands) {
            var folder = FolderFusion(fuser: fuser, folder: target, console: console)
            return try folder.run(on: options.operands)
        }
        return try fuseOne(try files(options.operands), to: target, fuser, console)
    }

    private static func fuser(_ options: Options) throws(Failure) -> BurstFuser {
        var fuser = BurstFuser()
        if let word = options.value("--mode") {
            guard let mode = FusionOptions.Mode(rawValue: word) else {
                let all = FusionOptions.Mode.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(.usage, "--mode is one of \(all), not \"\(word)\"")
            }
            fuser.mode = mode
        }
        fuser.strength = try options.number("--strength", in: 0...4) ?? fuser.strength
        fuser.denoise = try options.number("--denoise", in: 0...4)
        fuser.reference = try options.integer("--reference", in: 0...9999)
        fuser.isMosaic = options.has("--mosaic")
        fuser.detail = try detail(options)
        if let word = options.value("--bracket") {
            guard let bracket = BurstFuser.Bracket(rawValue: word) else {
                throw Failure(.usage, "--bracket is auto, on or off, not \"\(word)\"")
            }
            fuser.bracket = bracket
        }
        return fuser
    }

    private static func detail(_ options: Options) throws(Failure) -> BurstFuser.Detail {
        guard let word = options.value("--detail"), word != "auto" else { return .automatic }
        if word == "off" { return .off }
        guard let scale = DetailScale(rawValue: word) else {
            throw Failure(.usage, "--detail is auto, off, or 1, 1.5 or 2 times the frames' size, not \"\(word)\"")
        }
        guard !options.has("--mosaic") else {
            throw Failure(.usage, "--mosaic gives the sensor's own pixels: --detail \(word) cannot be had with it")
        }
        return .scale(scale)
    }

    /// Whether many bursts are meant: the output is a folder, or frames come in folders and it is not named as a file.
    private static func isFolder(_ target: String, for operands: [String]) -> Bool {
        if target.hasSuffix("/") || OutputFolder.isFolder(target) { return true }
        return !FileNames.isDNG(target) && operands.contains(where: OutputFolder.isFolder)
    }

    /// The files named, and those in folders named.
    static func files(_ operands: [String]) throws(Failure) -> [String] {
        var files: [String] = []
        for operand in operands {
            files += OutputFolder.isFolder(operand) ? try OutputFolder.files(in: operand) : [operand]
        }
        return files
    }

    /// All files are one burst.
    private static func fuseOne(
        _ paths: [String], to target: String, _ fuser: BurstFuser, _ console: Console
    ) throws -> ExitCode {
        guard paths.count >= 2 else {
            // A frame that is missing is worse than one that is alone.
            for path in paths { _ = try WholeFileReader.beginning(of: path, count: 1) }
            throw Failure(.usage, "\(paths.first ?? "an empty folder") is no burst: name two frames at least")
        }
        // Said before the work, and not only after it.
        guard unsafe access(target, F_OK) != 0 else { throw Failure(.cannotCreate, "\(target) exists, and is kept") }
        let count = paths.count
        console.progress(Progress.bar(0, of: count, "fusing"))
        let result = try fuser.fuse(paths) { done in
            console.progress(Progress.bar(done, of: count, "fusing \(done)/\(count)"))
            console.event("fusing", [("done", .integer(done)), ("of", .integer(count))])
        }
        console.clearProgress()
        try store(result, of: paths, to: target, console)
        return .done
    }

    /// Stores a photo and tells what became of its frames.
    static func store(
        _ result: BurstFuser.Result, of paths: [String], to target: String, _ console: Console,
        _ place: [(String, JSON)] = []
    ) throws {
        try result.file.withBytes { (bytes) throws(CaptureError) in try WholeFile.write(bytes, to: target) }
        let receipt = Receipt(result.report, names: paths)
        console.event(
            "file", [("file", .text(target)), ("bytes", .integer(result.file.count))] + place + receipt.fields)
        guard !console.isJSON else { return }
        for rejection in receipt.rejections { console.note(rejection) }
        console.print("\(target)  \(Words.size(result.file.count)), \(receipt.summary)")
        if console.isVerbose { console.print(Words.table(receipt.rows.map { ["  " + $0[0]] + $0.dropFirst() })) }
    }
}

/// How far work has come, drawn.
enum Progress {
    private static let width = 24

    /// "[############------------]  50 %  fusing 4/8".
    static func bar(_ done: Int, of count: Int, _ words: String) -> String {
        let filled = count > 0 ? min(width, done * width / count) : 0
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let percent = count > 0 ? done * 100 / count : 0
        return "[\(bar)] \(String(repeating: " ", count: max(0, 3 - "\(percent)".count)))\(percent) %  \(words)"
    }
}
