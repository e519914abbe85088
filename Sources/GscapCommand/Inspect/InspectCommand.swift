internal import DNG
internal import GSCapture
internal import RawImage

/// `gscap inspect FILE`: what a pipeline file or a DNG is.
enum InspectCommand {
    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let known: [Options.Known] = [
            .flag("--json"), .flag("--help"), .flag("--verbose"), .value("--var"), .value("--set"),
            .flag("--preview"), .flag("--mattes"), .flag("--depth"), .value("--output"),
        ]
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help("inspect") }
        if options.operands.isEmpty { throw Failure(.usage, "say which file: gscap inspect FILE…") }
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        for path in options.operands {
            if options.has("--preview") || options.has("--mattes") || options.has("--depth") {
                try extract(path, options, console)
            } else if try isTIFF(path) {
                try inspectDNG(path, console)
            } else {
                try inspectPipeline(path, options, console)
            }
        }
        return .done
    }

    private static func extract(_ path: String, _ options: Options, _ console: Console) throws {
        let extraction = DNGExtraction(
            path: path, file: try DNGInput.open(path), output: options.value("--output"), console: console)
        do {
            if options.has("--preview") { try extraction.storePreview() }
            if options.has("--mattes") { try extraction.storeMattes() }
            if options.has("--depth") { try extraction.storeDepth() }
        } catch let error as DNGError {
            throw Failure(ExitCode(error), "\(path): \(error.message)")
        }
    }

    /// Pictures and texts are told apart by their first bytes, not by their names.
    private static func isTIFF(_ path: String) throws(Failure) -> Bool {
        let start = try WholeFileReader.beginning(of: path, count: 4)
        return start == [0x4D, 0x4D, 0, 42] || start == [0x49, 0x49, 42, 0]
    }

    private static func inspectDNG(_ path: String, _ console: Console) throws(Failure) {
        let file = try DNGInput.open(path)
        let summary = DNGSummary(file)
        let receipt = file.metadata.fusion.map { Receipt($0) }
        console.event(
            "dng",
            [("file", .text(path))] + summary.fields.map { ($0.key, json($0.value)) } + [
                ("fusion", receipt?.json ?? .null),
                ("images", .list(summary.images.map { .object($0.map { ($0.key, json($0.value)) }) })),
            ])
        guard !console.isJSON else { return }
        console.print(path)
        console.print(Words.table(summary.fields.map { ["  " + $0.label, $0.text] }))
        if let receipt {
            console.print("fusion")
            console.print(Words.table(receipt.facts.map { ["  " + $0[0], $0[1]] }))
            console.print(Words.table(receipt.rows.map { ["  " + $0[0]] + $0.dropFirst() }))
        }
        for (number, image) in summary.images.enumerated() {
            console.print("image \(number + 1)")
            console.print(Words.table(image.map { ["  " + $0.label, $0.text] }))
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
        if !rows.isEmpty { console.print(Words.table(rows)) }
        for warning in plan.warnings { console.print("  warning: \(warning)") }
    }
}
