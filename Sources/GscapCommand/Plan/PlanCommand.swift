internal import GSCapture

/// `gscap plan`: the pipeline that settings give, or that a file holds.
enum PlanCommand {
    private static let known: [Options.Known] = [
        .value("--raw"), .value("--processed"), .value("--quality"), .value("--size"), .value("--rate"),
        .flag("--preview"), .flag("--no-preview"), .value("--var"), .value("--set"), .flag("--launch"),
        .flag("--json"), .flag("--verbose"), .flag("--help"),
    ]

    static func run(_ words: some Sequence<String>) throws -> ExitCode {
        let options = try Options(words, known: known)
        if options.has("--help") { return try Command.help("plan") }
        try options.refuseOperands(after: 1)
        let console = Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose"))
        let plan = try plan(options, console)
        if options.has("--launch") {
            console.print(plan.shellText)
        } else if console.isJSON {
            show(plan, on: console)
        } else {
            console.print(comment(on: plan) + "\n" + plan.text)
        }
        return .done
    }

    private static func plan(_ options: Options, _ console: Console) throws -> PipelinePlan {
        if let file = options.operands.first {
            return try PlanReader.plan(from: file, options: options, console: console)
        }
        let size = try size(options)
        let rate = try options.integer("--rate", in: 1...1000) ?? 10
        let device = CaptureDevice.simulated(width: size.width, height: size.height, framesPerSecond: rate)
        // The preview makes frames smaller, never larger.
        let seen = PreviewOutput(width: min(1280, size.width), height: min(960, size.height))
        let preview = options.has("--no-preview") ? nil : seen
        return try PipelinePlan(device: device, preview: preview, settings: try settings(options))
    }

    /// The settings that the options spell; without any, what a phone's ProRAW gives.
    private static func settings(_ options: Options) throws(Failure) -> PhotoSettings {
        let raw = try choices("--raw", options) { word in
            RAWPhotoFormat.allCases.first { $0.rawValue.lowercased() == word }
        }
        let processed = try choices("--processed", options, ProcessedPhotoFormat.init(rawValue:))
        let asked = !raw.isEmpty || !processed.isEmpty
        var settings = PhotoSettings(raw: asked ? raw : [.proRAW], processed: asked ? processed : [.jpeg])
        if let quality = try PlanReader.quality(options) { settings.photoQualityPrioritization = quality }
        return settings
    }

    private static func choices<T: Hashable & CaseIterable & RawRepresentable>(
        _ name: String, _ options: Options, _ read: (String) -> T?
    ) throws(Failure) -> Set<T> where T.RawValue == String {
        var found: Set<T> = []
        for word in options.all(name).flatMap({ $0.split(separator: ",") }) {
            guard let choice = read(word.lowercased()) else {
                let all = T.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
                throw Failure(.usage, "\(name) is one of \(all), not \"\(word)\"")
            }
            found.insert(choice)
        }
        return found
    }

    private static func size(_ options: Options) throws(Failure) -> (width: Int, height: Int) {
        guard let text = options.value("--size") else { return (4032, 3024) }
        let parts = text.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2, (16...8064).contains(parts[0]), (16...6048).contains(parts[1]) else {
            throw Failure(.usage, "--size needs WIDTHxHEIGHT from 16x16 to 8064x6048, not \"\(text)\"")
        }
        return (parts[0], parts[1])
    }

    /// What the plan is, as a comment at the head of its text.
    private static func comment(on plan: PipelinePlan) -> String {
        var lines = plan.branches.map {
            "# \($0.name): \($0.format.summary), through \($0.path.joined(separator: " ! "))"
        }
        if plan.branches.isEmpty { lines.append("# takes no photos") }
        return lines.joined(separator: "\n")
    }

    private static func show(_ plan: PipelinePlan, on console: Console) {
        console.event(
            "plan",
            [
                ("text", .text(plan.text)), ("launch", .text(plan.launchText)),
                ("shutter", plan.shutter.map(JSON.text) ?? .null), ("frames", .integer(plan.burstFrames)),
                (
                    "branches",
                    .list(
                        plan.branches.map { branch in
                            [
                                "name": .text(branch.name), "format": .text(branch.format.name),
                                "path": .list(branch.path.map(JSON.text)),
                            ]
                        })
                ), ("warnings", .list(plan.warnings.map(JSON.text))),
            ])
    }
}
