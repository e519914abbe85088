internal import GSCapture
internal import JSON

/// `gscap plan`: prints the pipeline for photo settings, or the pipeline of a file, without running it.
enum PlanCommand: Subcommand {
    static let name = CommandName.plan
    static let help = CommandHelp(
        usage: [
            ("gscap plan [options]", "the pipeline for photo settings"),
            ("gscap plan FILE [options]", "the pipeline of a file"),
        ],
        summary: "print the pipeline for photo settings",
        details: """
            Prints the photo settings as they will be used, every rule that they break, and the pipeline for them with
            its branches and caps. With a FILE, prints the pipeline of that file after variables and properties are set;
            options of the camera exclude a FILE. Nothing runs.
            """,
        operands: .files(["txt"]))
    static let printsResult = true

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        try options.requireOperands(atMost: 1)
        if let file = options.operands.first {
            try CameraOptions.requireNone(options, beside: file)
            let plan = try PlanReader.plan(from: file, options: options, console: console)
            var settings = PhotoSettings(everythingOf: plan)
            try ShotOptions(options).apply(to: &settings, formats: plan.branches.map(\.format))
            let photos = plan.branches.isEmpty ? 0 : plan.photos
            let text = PhotoSettingsText(settings, PipelinePlan.Circumstances(plan: plan), photos: photos)
            return show(plan, text, options, console)
        }
        let camera = try CameraOptions(options, console)
        let text = PhotoSettingsText(camera.settings, PipelinePlan.Circumstances(device: camera.device))
        // Settings that break a rule have no plan: the settings are shown with the rules.
        if !text.brokenRules.isEmpty {
            if console.isJSON { console.event("settings", text.fields) } else { console.print(text.comment) }
            for rule in text.brokenRules { console.note(rule) }
            return .usage
        }
        let plan = try PipelinePlan(device: camera.device, preview: camera.preview, settings: camera.settings)
        return show(plan, text, options, console)
    }

    private static func show(
        _ plan: PipelinePlan, _ text: PhotoSettingsText, _ options: Options, _ console: Console
    ) -> ExitCode {
        if console.isJSON {
            // The fields include the line that --launch prints, as `shell`.
            show(plan, text, on: console)
        } else if options.has("--launch") {
            console.print(plan.shellText)
        } else {
            console.print(text.comment + "\n" + comment(on: plan) + "\n" + plan.text)
        }
        for rule in text.brokenRules { console.note(rule) }
        return text.brokenRules.isEmpty ? .done : .usage
    }

    /// Describes the plan's branches as comment lines, which precede the pipeline's text.
    private static func comment(on plan: PipelinePlan) -> String {
        var lines = plan.branches.map {
            "# \($0.name): \($0.format.summary), through \($0.path.joined(separator: " ! "))"
        }
        if plan.branches.isEmpty { lines.append("# takes no photos") }
        return lines.joined(separator: "\n")
    }

    private static func show(_ plan: PipelinePlan, _ text: PhotoSettingsText, on console: Console) {
        console.event(
            "plan",
            [
                ("text", .text(plan.text)), ("launch", .text(plan.launchText)),
                ("shell", .text(plan.shellText)),
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
            ] + text.fields)
    }
}
