internal import Fusion
internal import Glibc
internal import JSON
internal import RawImage

/// `gscap fuse FRAME.dng… -o OUT.dng`: fuses a burst on disk into one photo. With folders, fuses each burst in them.
enum FuseCommand: Subcommand {
    static let name = CommandName.fuse
    static let help = CommandHelp(
        usage: [
            ("gscap fuse FRAME.dng… -o OUT.dng [options]", "one photo from a burst"),
            ("gscap fuse FOLDER… -o DIR/ [options]", "one photo from each burst"),
            ("gscap fuse --tele TELE.dng WIDE.dng -o OUT.dng", "one photo from two lenses"),
        ],
        summary: "fuse a burst into one photo with less noise",
        details: """
            Aligns the frames of a burst (Bayer DNGs of any maker, of equal size) and merges them into one photo with
            less noise: a linear DNG. Moving objects, blurred frames and frames of another scene are left out and
            reported. Noise that the frames do not state, or state plainly wrong, is estimated from them. Cameras' own
            raw files (NEF, ARW, CR3 …) are read through LibRaw.

            With a folder as output, frames are grouped into bursts by camera, name, time and exposure. Each photo is
            named after its first frame. Existing photos are kept. Folders are read with their subfolders. With
            --verbose, the result for each frame is printed.
            """,
        examples: """
            Examples
              gscap fuse burst/*.dng -o fused.dng
              gscap fuse DCIM/ -o fused/
              gscap fuse --tele tele.dng wide.dng -o photo.dng
            """,
        operands: .files(CommandOption.photos))

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        guard let target = options.value("--output"), !options.operands.isEmpty else {
            throw Failure(.usage, "frames and an output are needed: gscap fuse FRAME.dng… -o OUT.dng")
        }
        if let tele = options.value("--tele") {
            try PictureName.requireDNG(target, command: "fuse")
            return try fuse(tele: tele, to: target, options, console)
        }
        var fuser = try fuser(options)
        fuser.acceptsDamage = options.has("--accept-damage")
        fuser.warn = console.note
        try PictureName.requireDNG(target, command: "fuse")
        if isFolder(target, for: options.operands) {
            var folder = FolderFusion(fuser: fuser, folder: target, console: console)
            return try folder.run(on: options.operands)
        }
        var failure: Failure?
        let paths = PhotoFolder.expand(options.operands) { failure = failure ?? $0 }
        if let failure { throw failure }
        for path in Set(options.operands).sorted() where options.operands.count(where: { $0 == path }) > 1 {
            console.note("\(path) is named more than once and counts once")
        }
        return try fuseOne(paths, to: target, fuser, console)
    }

    private static func fuser(_ options: Options) throws(Failure) -> BurstFuser {
        var fuser = BurstFuser()
        let mode = try Suggestions.choice("--effort", options, among: FusionMode.allCases.map(\.rawValue))
        fuser.mode = mode.flatMap(FusionMode.init) ?? fuser.mode
        fuser.strength = try options.number("--strength", in: 0...4) ?? fuser.strength
        fuser.denoise = try denoise(options)
        fuser.reference = try options.integer("--reference", in: 0...9999)
        fuser.replacesFiles = options.has("--overwrite")
        fuser.isMosaic = options.has("--mosaic")
        fuser.superResolution = try superResolution(options)
        // Without a word the option means `on`.
        fuser.bracket = options.value("--merge").map { BurstFuser.Bracket(rawValue: $0) ?? .on } ?? fuser.bracket
        return fuser
    }

    /// Returns the factor of the noise reduction: 1 for the usual 0.5 of `--denoise`, and 4 for 1.
    private static func denoise(_ options: Options) throws(Failure) -> Double? {
        if let text = options.value("--denoise"), let old = Double(text), old > 1, old <= 4 {
            let new = TextFormat.decimal(old.squareRoot() / 2, 2)
            throw Failure(
                .usage, "--denoise is now from 0 to 1, where 0.5 is the usual: \(text) of the earlier scale is \(new)")
        }
        return try options.number("--denoise", in: 0...1).map { 4 * $0 * $0 }
    }

    /// Returns the super-resolution that `--super-resolution` selects.
    private static func superResolution(_ options: Options) throws(Failure) -> BurstFuser.SuperResolution {
        guard let word = options.value("--super-resolution"), word != "auto" else { return .automatic }
        if word == "off" { return .off }
        guard let scale = SuperResolutionScale(rawValue: word) else {
            throw Failure(.usage, "--super-resolution must be auto, off, 1, 1.5 or 2, not \"\(word)\"")
        }
        guard !options.has("--mosaic") else {
            throw Failure(.usage, "--super-resolution \(word) needs a demosaiced photo: omit --mosaic")
        }
        return .scale(scale)
    }

    /// Returns whether the output `target` is a folder: it ends with a slash, a folder of that name exists, or input
    /// folders are given and its name has no .dng extension.
    private static func isFolder(_ target: String, for operands: [String]) -> Bool {
        if StandardFile.isOutput(target) { return false }
        if target.hasSuffix("/") || PhotoFolder.isFolder(target) { return true }
        return !FileNames.isDNG(target) && operands.contains(where: PhotoFolder.isFolder)
    }

    /// Fuses all files as one burst or bracket and stores the photo at `target`.
    private static func fuseOne(
        _ paths: [String], to target: String, _ fuser: BurstFuser, _ console: Console
    ) throws -> ExitCode {
        guard !paths.isEmpty else { throw Failure(.usage, "an empty folder is not a burst: name at least one frame") }
        // The target is checked before the fusion, which takes long, as well as when the photo is stored.
        try OutputFile(path: target, replacing: fuser.replacesFiles, sources: SourceFiles(paths)).check(console)
        let count = paths.count
        func show(_ phase: BurstFuser.Phase) {
            let (done, all) = (phase.steps(of: count), count + BurstFuser.Phase.later)
            console.progress(ProgressBar.text(done, of: all, phase.text(of: count)))
        }
        show(.fusing(0))
        let result = try fuser.fuse(paths) { phase in
            show(phase)
            guard case .fusing(let done) = phase else { return }
            console.event("fusing", [("done", .integer(done)), ("of", .integer(count))])
        }
        try result.store(to: target, replacing: fuser.replacesFiles, frames: paths, console)
        return .done
    }
}
