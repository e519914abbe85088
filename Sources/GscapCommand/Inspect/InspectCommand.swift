internal import DNG
internal import GSCapture
internal import JSON
internal import RawImage

/// `gscap inspect FILE`: describes pipeline files and DNGs, and extracts the pictures beside a DNG's raw image.
enum InspectCommand: Subcommand {
    static let name = CommandName.inspect
    static let help = CommandHelp(
        usage: [
            ("gscap inspect FILE… FOLDER… [options]", "describe pipeline files and raw photos"),
            ("gscap inspect FILE.dng --extract WHAT [-o OUT]", "store a part of a DNG"),
        ],
        summary: "describe a pipeline file or a raw photo",
        details: """
            Describes pipeline files (elements, branches, variables, errors), DNGs (images, sizes, levels, colour,
            exposure) and cameras' own raw files (NEF, ARW, CR3, RAF …; needs LibRaw). With --extract, stores files from
            a DNG instead, beside it unless -o names another. Of folders and their subfolders, all DNGs and raw files
            are described. A file that fails does not stop the others.
            """,
        operands: .files(["txt", "dng"]))
    static let printsResult = true

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        if options.operands.isEmpty { throw Failure(.usage, "no file is named: gscap inspect FILE…") }
        var report = BatchReport(console: console, verb: "inspected")
        var failures: [Failure] = []
        let paths = PhotoFolder.expand(options.operands) { failures.append($0) }
        for failure in failures { report.fail(failure, file: failure.file ?? "") }
        guard !paths.isEmpty || !failures.isEmpty else {
            throw Failure(.badInput, "there are no raw photos in \(options.operands.joined(separator: ", "))")
        }
        let part = try DNGExtraction.Part(options)
        if let part, part != .mattes, paths.count > 1, let output = options.value("--output") {
            throw Failure(.usage, "\(output) is a single file: omit --output, or extract from one DNG")
        }
        for path in paths {
            report.attempt(path) { _ in
                if let part {
                    try extract(part, of: path, options, console)
                } else if try isPhoto(path) {
                    try inspectDNG(path, console)
                } else {
                    try inspectPipeline(path, options, console)
                }
            }
        }
        return report.exitCode
    }

    /// Stores a part of a DNG.
    private static func extract(
        _ part: DNGExtraction.Part, of path: String, _ options: Options, _ console: Console
    ) throws {
        let file = try DNGInput.open(path, acceptsDamage: options.has("--accept-damage"))
        let extraction = DNGExtraction(
            path: path, file: file, output: options.value("--output"), replacesFiles: options.has("--overwrite"),
            console: console)
        do {
            try extraction.store(part)
            for damage in file.acceptedDamage { console.note("\(path): \(damage)") }
        } catch let error as Failure {
            throw Failure(error, of: path)
        }
    }

    /// Returns whether a file is a photo rather than a pipeline file: by its first bytes, or by the extension of a DNG
    /// or of a camera's raw file, for damaged files and formats that are not recognised.
    private static func isPhoto(_ path: String) throws(Failure) -> Bool {
        let start = try InputFile.beginning(of: path, count: DNGFile.photoHeadSize)
        return DNGFile.isPhoto(head: start) || FileNames.isRawPhoto(path)
    }

    private static func inspectDNG(_ path: String, _ console: Console) throws(Failure) {
        let file = try DNGInput.open(path)
        let summary = DNGSummary(file)
        let fusion = file.metadata.fusion.map { FusionReportText($0) }
        let lens = LensCorrectionText(file)
        let lensFields: [(String, JSON)] =
            (lens.map { [("lensCorrection", .text($0.source))] } ?? [])
            + (lens?.profile.map { [("lensProfile", .text($0))] } ?? [])
        console.event(
            "dng",
            [("file", .text(path))] + summary.fields.map { ($0.key, json($0.value)) } + lensFields + [
                ("fusion", fusion?.json ?? .null),
                ("images", .list(summary.images.map { .object($0.map { ($0.key, json($0.value)) }) })),
            ])
        guard !console.isJSON else { return }
        console.print(path)
        let rows = summary.fields.map { [$0.label, $0.text] } + (lens.map { [["lens correction", $0.text]] } ?? [])
        console.print(TextFormat.table(rows.map { ["  " + $0[0], $0[1]] }))
        if let fusion {
            console.print("fusion")
            console.print(TextFormat.table(fusion.summaryRows.map { ["  " + $0[0], $0[1]] }))
            let frames: [[String]] = fusion.frameRows.map { ["  " + $0[0]] + $0.dropFirst() }
            if !frames.isEmpty { console.print(TextFormat.table(frames)) }
        }
        for (number, image) in summary.images.enumerated() {
            console.print("image \(number + 1)")
            console.print(TextFormat.table(image.map { ["  " + $0.label, $0.text] }))
        }
    }

    private static func json(_ value: DNGSummary.Value) -> JSON {
        switch value {
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        case .numbers(let numbers): .list(numbers.map(JSON.number))
        }
    }

    private static func inspectPipeline(_ path: String, _ options: Options, _ console: Console) throws(Failure) {
        let plan = try PlanReader.plan(from: path, options: options, console: console)
        console.event(
            "pipeline",
            [
                ("file", .text(path)), ("shutter", plan.shutter.map(JSON.text) ?? .null),
                ("frames", .integer(plan.burstFrames)),
                ("branches", .list(plan.branches.map { ["name": .text($0.name), "format": .text($0.format.name)] })),
                ("warnings", .list(plan.warnings.map(JSON.text))),
            ])
        guard !console.isJSON else { return }
        let shutter = plan.shutter.map { "shutter \($0), \(plan.burstFrames) frames a photo" } ?? "takes no photos"
        console.print("\(path): a pipeline; \(shutter)")
        let rows = plan.branches.map { ["  " + $0.name, $0.format.summary, $0.path.joined(separator: " ! ")] }
        if !rows.isEmpty { console.print(TextFormat.table(rows)) }
        for warning in plan.warnings { console.print("  warning: \(warning)") }
    }
}
